#include <algorithm>
#include <numeric>

#include <prehend/geometry/contact_search/box_tree.h>

namespace prehend::geometry {

bool boxes_overlap(const Aabb& a, const Aabb& b, double distance) {
  return ((a.lower.array() - distance) <= b.upper.array()).all() &&
         ((b.lower.array() - distance) <= a.upper.array()).all();
}

Aabb box_in_frame(const Aabb& box_B, const Eigen::Matrix3d& R_AB, const Eigen::Vector3d& p_AB) {
  if (box_B.is_empty()) return box_B;
  const Eigen::Vector3d centre = p_AB + R_AB * (0.5 * (box_B.lower + box_B.upper));
  const Eigen::Vector3d half = R_AB.cwiseAbs() * (0.5 * (box_B.upper - box_B.lower));
  return {centre - half, centre + half};
}

BoxTree::BoxTree(std::vector<Aabb> item_boxes) : item_boxes_(std::move(item_boxes)) {
  items_.resize(item_boxes_.size());
  std::iota(items_.begin(), items_.end(), 0);
  nodes_.reserve(items_.size());
  if (!items_.empty()) build(0, static_cast<int>(items_.size()));
  order_ = {};
}

int BoxTree::build(int begin, int end) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Aabb box = item_boxes_[items_[begin]];
  Eigen::Vector3d low = box.lower + box.upper, high = low;  // twice the centres
  for (int i = begin + 1; i < end; ++i) {
    const Aabb& item = item_boxes_[items_[i]];
    box.lower = box.lower.cwiseMin(item.lower);
    box.upper = box.upper.cwiseMax(item.upper);
    const Eigen::Vector3d centre = item.lower + item.upper;
    low = low.cwiseMin(centre);
    high = high.cwiseMax(centre);
  }
  nodes_[index].box = box;
  nodes_[index].begin = begin;
  nodes_[index].end = end;
  if (end - begin <= kLeafSize) return index;

  int axis = 0;
  (high - low).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  // By the centres, side by side in memory.
  order_.clear();
  for (int i = begin; i < end; ++i) {
    const Aabb& item = item_boxes_[items_[i]];
    order_.emplace_back(item.lower[axis] + item.upper[axis], items_[i]);
  }
  std::nth_element(order_.begin(), order_.begin() + (middle - begin), order_.end());
  for (int i = begin; i < end; ++i) items_[i] = order_[i - begin].second;
  const int left = build(begin, middle);
  const int right = build(middle, end);
  nodes_[index].left = left;
  nodes_[index].right = right;
  return index;
}

std::vector<int> BoxTree::find_near(const Aabb& box, double distance) const {
  std::vector<int> found, stack;
  if (!is_empty()) stack.push_back(0);
  while (!stack.empty()) {
    const Node& node = nodes_[stack.back()];
    stack.pop_back();
    if (!boxes_overlap(node.box, box, distance)) continue;
    if (node.left >= 0) {
      stack.push_back(node.left);
      stack.push_back(node.right);
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      if (boxes_overlap(item_boxes_[items_[i]], box, distance)) found.push_back(items_[i]);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::pair<int, int>> BoxTree::find_near_pairs(const BoxTree& a, const BoxTree& b,
                                                          const math::Pose& X_AB, double distance) {
  std::vector<std::pair<int, int>> found;
  if (a.is_empty() || b.is_empty()) return found;
  const Eigen::Matrix3d R_AB = X_AB.R();
  struct Visit {
    int node_a, node_b;
    Aabb box_b;  // of node_b, in A
  };
  std::vector<Visit> stack{{0, 0, box_in_frame(b.nodes_[0].box, R_AB, X_AB.p())}};
  std::vector<Aabb> leaf_boxes;
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const Node& node_a = a.nodes_[visit.node_a];
    const Node& node_b = b.nodes_[visit.node_b];
    if (!boxes_overlap(node_a.box, visit.box_b, distance)) continue;
    const bool leaf_a = node_a.left < 0, leaf_b = node_b.left < 0;
    if (leaf_a && leaf_b) {
      leaf_boxes.clear();
      for (int j = node_b.begin; j < node_b.end; ++j) {
        leaf_boxes.push_back(box_in_frame(b.item_boxes_[b.items_[j]], R_AB, X_AB.p()));
      }
      for (int i = node_a.begin; i < node_a.end; ++i) {
        const Aabb& item_a = a.item_boxes_[a.items_[i]];
        for (int j = node_b.begin; j < node_b.end; ++j) {
          if (boxes_overlap(item_a, leaf_boxes[j - node_b.begin], distance)) {
            found.emplace_back(a.items_[i], b.items_[j]);
          }
        }
      }
    } else if (leaf_b || (!leaf_a && node_a.box.diagonal() >= node_b.box.diagonal())) {
      stack.push_back({node_a.left, visit.node_b, visit.box_b});
      stack.push_back({node_a.right, visit.node_b, visit.box_b});
    } else {
      for (const int child : {node_b.left, node_b.right}) {
        stack.push_back({visit.node_a, child, box_in_frame(b.nodes_[child].box, R_AB, X_AB.p())});
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace prehend::geometry
