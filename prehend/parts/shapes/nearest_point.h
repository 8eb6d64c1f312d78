// The nearest of many points: a grid of cells with about two points each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::parts {

class NearestPoint {
 public:
  // Points must be finite and at least one.
  explicit NearestPoint(std::span<const Eigen::Vector3d> points);
  // Index of the nearest point, the smallest among equals.
  int operator()(const Eigen::Vector3d& p) const;

 private:
  Eigen::Vector3i cell_of(const Eigen::Vector3d& p) const;
  int number(const Eigen::Vector3i& cell) const {
    return (cell[2] * count_[1] + cell[1]) * count_[0] + cell[0];
  }

  std::span<const Eigen::Vector3d> points_;
  Eigen::Vector3d lower_;
  double size_{1.0};  // [m] of a cell
  Eigen::Vector3i count_;
  std::vector<int> first_, members_;  // per cell a range of members
};

}  // namespace prehend::parts
