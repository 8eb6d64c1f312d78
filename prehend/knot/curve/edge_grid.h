// Edges of a plane path by the square cells they come near, to find those near a point.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

namespace prehend::knot {

class EdgeGrid {
 public:
  // Finds all edges within `reach` of a point (and some more).
  EdgeGrid(const std::vector<Eigen::Vector2d>& points, const std::vector<std::pair<int, int>>& edges,
           double reach);

  template <typename Visit>
  void for_each_near(const Eigen::Vector2d& p, Visit visit) const {
    for_each_in_cell(column(p.x()), row(p.y()), visit);
  }

  // All edges that come within `reach` of the box, once for every cell that they share with it.
  template <typename Visit>
  void for_each_in_box(const Eigen::Vector2d& low, const Eigen::Vector2d& high, Visit visit) const {
    for (int j = row(low.y()); j <= row(high.y()); ++j) {
      for (int i = column(low.x()); i <= column(high.x()); ++i) for_each_in_cell(i, j, visit);
    }
  }

 private:
  static int bounded(double cell, int count) {
    return cell <= 0 ? 0 : cell >= count ? count - 1 : static_cast<int>(cell);
  }
  int column(double x) const { return bounded((x - low_.x()) * per_unit_, columns_); }
  int row(double y) const { return bounded((y - low_.y()) * per_unit_, rows_); }
  template <typename Visit>
  void for_each_in_cell(int i, int j, Visit visit) const {
    const auto cell =
        static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(i);
    for (int k = first_[cell]; k < first_[cell + 1]; ++k) visit(filed_[static_cast<std::size_t>(k)]);
  }

  Eigen::Vector2d low_;
  double per_unit_;
  int columns_{1}, rows_{1};
  std::vector<int> first_;  // of each cell, into filed_
  std::vector<int> filed_;
};

}  // namespace prehend::knot
