#include <algorithm>

#include <prehend/knot/curve/edge_grid.h>

namespace prehend::knot {

EdgeGrid::EdgeGrid(const std::vector<Eigen::Vector2d>& points, const std::vector<std::pair<int, int>>& edges,
                   double reach) {
  Eigen::Vector2d high = points.front();
  low_ = points.front();
  for (const Eigen::Vector2d& p : points) {
    low_ = low_.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  // At most about 200 cells a side, however far apart the points are.
  const double side = std::max(reach, (high - low_).maxCoeff() / 200);
  per_unit_ = side > 0 ? 1 / side : 0;
  columns_ = static_cast<int>((high - low_).x() * per_unit_) + 1;
  rows_ = static_cast<int>((high - low_).y() * per_unit_) + 1;

  struct Box {
    int i0, i1, j0, j1;
  };
  std::vector<Box> boxes;
  boxes.reserve(edges.size());
  first_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
  const auto for_each_cell = [this](const Box& box, auto visit) {
    for (int j = box.j0; j <= box.j1; ++j) {
      for (int i = box.i0; i <= box.i1; ++i)
        visit(static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(i));
    }
  };
  for (const auto& [from, to] : edges) {
    const Eigen::Vector2d &a = points[static_cast<std::size_t>(from)],
                          &b = points[static_cast<std::size_t>(to)];
    boxes.push_back({column(std::min(a.x(), b.x()) - reach), column(std::max(a.x(), b.x()) + reach),
                     row(std::min(a.y(), b.y()) - reach), row(std::max(a.y(), b.y()) + reach)});
    for_each_cell(boxes.back(), [this](std::size_t cell) { ++first_[cell + 1]; });
  }
  for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
  filed_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (std::size_t e = 0; e < boxes.size(); ++e) {
    for_each_cell(boxes[e], [&](std::size_t cell) {
      filed_[static_cast<std::size_t>(next[cell]++)] = static_cast<int>(e);
    });
  }
}

}  // namespace prehend::knot
