#include <algorithm>

#include <gtest/gtest.h>

#include <prehend/geometry/contact_search/box_tree.h>
#include <prehend/geometry/contact_search/broad_phase.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

std::vector<Aabb> random_boxes(math::RandomStream& random, int count, double size) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d p = random.normal3();
    boxes.push_back({p, p + size * random.normal3().cwiseAbs()});
  }
  return boxes;
}

TEST(BroadPhase, FindsWhatAllPairsFind) {
  for (int trial = 0; trial < 30; ++trial) {
    math::RandomStream random(1, trial);
    std::vector<Aabb> boxes = random_boxes(random, 10 * trial, 0.3);
    if (trial > 2) boxes[3] = Aabb{};  // touches nothing
    if (trial > 2) boxes[7] = {Eigen::Vector3d::Constant(-9), Eigen::Vector3d(9, 9, -0.5)};  // a floor
    std::vector<std::pair<int, int>> expected;
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
      for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
        if (!boxes[i].is_empty() && !boxes[j].is_empty() && boxes_overlap(boxes[i], boxes[j], 0.05))
          expected.emplace_back(i, j);
      }
    }
    EXPECT_EQ(find_near_boxes(boxes, 0.05), expected);
  }
}

TEST(BoxTree, FindsWhatAllItemsFind) {
  for (int trial = 0; trial < 30; ++trial) {
    math::RandomStream random(2, trial);
    const std::vector<Aabb> boxes_a = random_boxes(random, 5 * trial, 0.2),
                            boxes_b = random_boxes(random, 7 * trial, 0.2);
    const BoxTree a(boxes_a), b(boxes_b);
    const math::Pose X_AB(random.rotation(), random.normal3());
    std::vector<std::pair<int, int>> expected;
    for (int i = 0; i < static_cast<int>(boxes_a.size()); ++i) {
      for (int j = 0; j < static_cast<int>(boxes_b.size()); ++j) {
        if (boxes_overlap(boxes_a[i], box_in_frame(boxes_b[j], X_AB.R(), X_AB.p()), 0.01))
          expected.emplace_back(i, j);
      }
    }
    EXPECT_EQ(BoxTree::find_near_pairs(a, b, X_AB, 0.01), expected);
    const Aabb query{Eigen::Vector3d(-0.2, -0.3, 0.0), Eigen::Vector3d(0.5, 0.1, 0.4)};
    std::vector<int> near;
    for (int i = 0; i < static_cast<int>(boxes_a.size()); ++i) {
      if (boxes_overlap(boxes_a[i], query, 0.02)) near.push_back(i);
    }
    EXPECT_EQ(a.find_near(query, 0.02), near);
  }
}

TEST(BoxTree, TurnedBoxHoldsTheTurnedCorners) {
  math::RandomStream random(3);
  const Aabb box{{-1, 0, 2}, {1, 3, 2.5}};
  const math::Pose X(random.rotation(), random.normal3());
  const Aabb turned = box_in_frame(box, X.R(), X.p());
  Aabb exact;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d p =
        X * Eigen::Vector3d(corner & 1 ? 1 : -1, corner & 2 ? 3 : 0, corner & 4 ? 2.5 : 2);
    exact.lower = corner == 0 ? p : Eigen::Vector3d(exact.lower.cwiseMin(p));
    exact.upper = corner == 0 ? p : Eigen::Vector3d(exact.upper.cwiseMax(p));
  }
  EXPECT_LT((turned.lower - exact.lower).norm() + (turned.upper - exact.upper).norm(), 1e-12);
}

}  // namespace
}  // namespace prehend::geometry
