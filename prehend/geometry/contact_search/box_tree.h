// A tree of bounding boxes over numbered items (faces of a polyhedron, triangles, bodies), for queries whose
// cost grows with what they find and not with what there is.
//
// Built once, top down, by halving along the longest side of the items' centres: O(n log n), 2n/4 nodes. The
// same items give the same tree, so queries report in the same order everywhere.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

// Both grown by `distance` together: do they meet?
bool boxes_overlap(const Aabb& a, const Aabb& b, double distance);

// The smallest box with A's axes around a box given in B. R_AB and p_AB are the parts of X_AB.
Aabb box_in_frame(const Aabb& box_B, const Eigen::Matrix3d& R_AB, const Eigen::Vector3d& p_AB);

class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::vector<Aabb> item_boxes);

  bool is_empty() const { return nodes_.empty(); }
  // Of everything; an empty box for an empty tree.
  Aabb box() const { return is_empty() ? Aabb{} : nodes_.front().box; }

  // Items whose box comes within `distance` of `box`, in ascending order.
  std::vector<int> find_near(const Aabb& box, double distance) const;

  // Pairs (item of a, item of b) whose boxes come within `distance`, in ascending order; frame B stands at
  // X_AB. Boxes of b are re-boxed in A's axes, so a pair may be reported that is a little further apart,
  // never one too few.
  static std::vector<std::pair<int, int>> find_near_pairs(const BoxTree& a, const BoxTree& b,
                                                          const math::Pose& X_AB, double distance);

 private:
  static constexpr int kLeafSize = 4;
  struct Node {
    Aabb box;
    int begin{0}, end{0};     // range of items_
    int left{-1}, right{-1};  // children; -1 in a leaf
  };
  int build(int begin, int end);

  std::vector<Aabb> item_boxes_;
  std::vector<int> items_;
  std::vector<Node> nodes_;
  std::vector<std::pair<double, int>> order_;  // while it is built
};

}  // namespace prehend::geometry
