// The nearest of many points: a k-d tree, built once.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::parts {

class NearestPoint {
 public:
  // The points must stay where they are as long as this is used; at least one.
  explicit NearestPoint(std::span<const Eigen::Vector3d> points);
  // Index of the nearest; of equally near ones the first.
  int operator()(const Eigen::Vector3d& p) const;

 private:
  struct Best {
    double square;
    int index;
  };
  // Nodes are ranges of order_, divided in the middle.
  void divide(int first, int last);
  void search(int first, int last, const Eigen::Vector3d& p, Best& best) const;

  std::span<const Eigen::Vector3d> points_;
  std::vector<int> order_;
  struct Split {
    int axis;
    double at;
  };
  std::vector<Split> splits_;            // at the middle of each range that is divided
  std::vector<Eigen::Vector3d> places_;  // in the order of order_
};

}  // namespace prehend::parts
