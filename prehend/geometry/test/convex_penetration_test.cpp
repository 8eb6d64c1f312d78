#include <cmath>
#include <stdexcept>

#include <coal/distance.h>
#include <coal/shape/geometric_shapes.h>
#include <gtest/gtest.h>

#include <prehend/geometry/contact_search/convex_penetration.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/pose.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

std::vector<Vector3d> posed(const TriangleMesh& mesh, const math::Pose& X) {
  return transformed(mesh, X).vertices;
}

TEST(ConvexPenetration, BoxesAtKnownDepth) {
  const TriangleMesh box = make_box({2, 2, 2});
  const auto result = convex_penetration(box.vertices, posed(box, math::Pose::translation({1.7, 0.4, -0.3})));
  ASSERT_EQ(result.status, ConvexPenetrationStatus::converged);
  EXPECT_NEAR(result.depth_lower, 0.3, 1e-14);
  EXPECT_NEAR(result.depth_upper, 0.3, 1e-14);
  EXPECT_LE((result.normal - Vector3d::UnitX()).norm(), 1e-14);
  EXPECT_LE((result.p_a - result.p_b - 0.3 * result.normal).norm(), 1e-13);
  EXPECT_NEAR(result.p_a.x(), 1.0, 1e-14);
}

TEST(ConvexPenetration, ApartAndFlat) {
  const TriangleMesh box = make_box({2, 2, 2});
  EXPECT_EQ(convex_penetration(box.vertices, posed(box, math::Pose::translation({2.001, 0, 0}))).status,
            ConvexPenetrationStatus::apart);
  EXPECT_EQ(convex_penetration(box.vertices, {}).status, ConvexPenetrationStatus::failed);
  EXPECT_THROW(convex_penetration(box.vertices, box.vertices, {.tolerance = 0.0}), std::invalid_argument);
  EXPECT_THROW(convex_penetration(box.vertices, box.vertices, {.max_points = 5}), std::invalid_argument);
}

// Boxes in any pose against the separating-axis theorem: the depth is the least overlap over 15 axes.
TEST(ConvexPenetration, TurnedBoxesMatchTheSeparatingAxes) {
  math::RandomStream random(1);
  const Vector3d size_a(1, 2, 3), size_b(2, 0.5, 1);
  const TriangleMesh a = make_box(size_a), b = make_box(size_b);
  int overlapping = 0;
  for (int i = 0; i < 300; ++i) {
    const math::Pose X(random.rotation(), 1.5 * random.uniform() * random.unit_vector());
    double depth = 1e300;
    const auto try_axis = [&](const Vector3d& axis) {
      if (axis.norm() < 1e-9) return;
      const Vector3d n = axis.normalized();
      const double reach =
          0.5 * n.cwiseAbs().dot(size_a) + 0.5 * (X.q().conjugate() * n).cwiseAbs().dot(size_b);
      depth = std::min(depth, reach - std::abs(n.dot(X.p())));
    };
    for (int k = 0; k < 3; ++k) {
      try_axis(Vector3d::Unit(k));
      try_axis(X.q() * Vector3d::Unit(k));
      for (int l = 0; l < 3; ++l) try_axis(Vector3d::Unit(k).cross(X.q() * Vector3d::Unit(l)));
    }
    const auto found = convex_penetration(a.vertices, posed(b, X));
    if (depth > 1e-9) {
      ++overlapping;
      ASSERT_EQ(found.status, ConvexPenetrationStatus::converged);
      EXPECT_NEAR(found.depth_lower, depth, 1e-10);
      EXPECT_NEAR(found.depth_upper, depth, 1e-10);
      EXPECT_LE((found.p_a - found.p_b - depth * found.normal).norm(), 1e-8);
    } else if (depth < -1e-9) {
      EXPECT_EQ(found.status, ConvexPenetrationStatus::apart);
    }
  }
  EXPECT_GT(overlapping, 100);
}

TEST(ConvexPenetration, AgreesWithCoalOnBoxes) {
  math::RandomStream random(2);
  coal::Box box_a(1, 2, 3), box_b(2, 0.5, 1);
  const TriangleMesh a = make_box({1, 2, 3}), b = make_box({2, 0.5, 1});
  for (int i = 0; i < 100; ++i) {
    const math::Pose X(random.rotation(), random.uniform() * random.unit_vector());
    coal::DistanceRequest request;
    coal::DistanceResult result;
    coal::distance(&box_a, coal::Transform3s::Identity(), &box_b, coal::Transform3s(X.R(), X.p()), request,
                   result);
    const auto found = convex_penetration(a.vertices, posed(b, X));
    if (result.min_distance < -1e-4) {
      EXPECT_NEAR(found.depth_lower, -result.min_distance, 1e-5) << i;  // Coal's tolerance is 1e-6
    }
  }
}

TEST(ConvexPenetration, BallsApproachTheSumOfRadii) {
  const TriangleMesh ball = make_icosphere(1.0, 3);
  const double deviation = sphere_deviation(1.0, 3);
  for (double distance : {0.0, 0.3, 1.5}) {
    const auto found =
        convex_penetration(ball.vertices, posed(ball, math::Pose::translation({0, distance, 0})));
    ASSERT_EQ(found.status, ConvexPenetrationStatus::converged);
    EXPECT_LE(found.depth_upper, 2.0 - distance + 1e-12);
    EXPECT_GE(found.depth_lower, 2.0 - distance - 2 * deviation - 1e-12);
    EXPECT_NEAR(found.depth_lower, found.depth_upper, 1e-9);
  }
}

}  // namespace
}  // namespace prehend::geometry
