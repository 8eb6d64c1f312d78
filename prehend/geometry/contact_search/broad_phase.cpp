#include <algorithm>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/broad_phase.h>

namespace prehend::geometry {

std::vector<std::pair<int, int>> find_near_boxes(std::span<const Aabb> boxes, double distance) {
  std::vector<int> order;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].is_empty()) continue;
    order.push_back(static_cast<int>(i));
    sum += 0.5 * (boxes[i].lower + boxes[i].upper);
  }
  std::vector<std::pair<int, int>> pairs;
  if (order.size() < 2) return pairs;
  const Eigen::Vector3d mean = sum / static_cast<double>(order.size());
  Eigen::Vector3d spread = Eigen::Vector3d::Zero();
  for (const int i : order) spread += (0.5 * (boxes[i].lower + boxes[i].upper) - mean).cwiseAbs2();
  int axis = 0;
  spread.maxCoeff(&axis);

  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return boxes[i].lower[axis] != boxes[j].lower[axis] ? boxes[i].lower[axis] < boxes[j].lower[axis] : i < j;
  });
  std::vector<int> open;
  for (const int i : order) {
    std::erase_if(open, [&](int j) { return boxes[j].upper[axis] < boxes[i].lower[axis] - distance; });
    for (const int j : open) {
      if (boxes_overlap(boxes[i], boxes[j], distance)) pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
    open.push_back(i);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace prehend::geometry
