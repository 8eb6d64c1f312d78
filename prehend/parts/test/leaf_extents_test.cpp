// Which leaf a place lies in the extent of.
#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/parts/shapes/leaf_extents.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

TEST(LeafExtents, DistancesFromACubeAndAPlaceUnderAFoot) {
  std::vector<Vector3d> points;
  std::vector<int> leaf;
  const auto add_box = [&](const Vector3d& low, const Vector3d& high, int of) {
    for (int i = 0; i < 8; ++i) {
      points.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(), i & 4 ? high.z() : low.z());
      leaf.push_back(of);
    }
  };
  add_box({-2, -2, -1}, {2, 2, 0}, 0);         // a handle
  add_box({-0.5, -0.5, 0}, {0.5, 0.5, 4}, 1);  // a shaft on it
  points.emplace_back(100, 100, 100);
  leaf.push_back(-1);
  const LeafExtents extents(points, leaf, 2);
  EXPECT_DOUBLE_EQ(extents.beyond({0, 0, -0.3}, 0), 0.0);
  EXPECT_NEAR(extents.beyond({0, 0, -0.3}, 1), 0.3, 1e-12);
  EXPECT_NEAR(extents.beyond({3, 0, -0.5}, 0), 1.0, 1e-12);
  // Under the foot of the shaft, where tetrahedra have corners of both.
  EXPECT_EQ(extents.leaf_around({0, 0, -0.3}, 1, {1, 1, 0, -1}, 0.1), 0);
  EXPECT_EQ(extents.leaf_around({0, 0, -0.05}, 1, {1, 1, 0, -1}, 0.1), 1);
  EXPECT_EQ(extents.leaf_around({0, 0, -0.3}, 1, {1, 1, 1, -1}, 0.1), 1);  // no other to go to
  // Inside is inside, whatever the direction; outside a hull never counts as less than outside along one direction.
  math::RandomStream random(4);
  for (int k = 0; k < 1000; ++k) {
    const double u = random.uniform(), v = random.uniform(), w = random.uniform();
    Vector3d inside(u, v, w);
    inside = Vector3d(-2, -2, -1) + inside.cwiseProduct(Vector3d(4, 4, 1));
    EXPECT_LE(extents.beyond(inside, 0), 1e-12);
  }
}

}  // namespace
}  // namespace prehend::parts
