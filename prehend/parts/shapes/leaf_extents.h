// How far the points of each leaf reach along thirteen directions: faces, edges and corners of a cube in the object's own frame.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

namespace prehend::parts {

class LeafExtents {
 public:
  // `leaf_of` per point; -1: none.
  LeafExtents(const std::vector<Eigen::Vector3d>& points, const std::vector<int>& leaf_of, int leaves);

  // [m] The farthest that the place lies beyond the leaf along a direction; 0 inside.
  double beyond(const Eigen::Vector3d& place, int leaf) const;
  // `own`, or of `others` (-1: none) the one that the place lies least beyond, if that is less by more than `margin` [m].
  int leaf_around(const Eigen::Vector3d& place, int own, const std::array<int, 4>& others,
                  double margin) const;

 private:
  struct Range {
    double low, high;  // [m]
  };
  static constexpr int kDirections = 13;
  using Projections = std::array<double, kDirections>;  // [m] of a place on the directions
  static Projections projections_of(const Eigen::Vector3d& place);
  double outside(const Projections& along, int leaf) const;

  std::vector<std::array<Range, kDirections>> ranges_;
};

}  // namespace prehend::parts
