#include <cmath>
#include <numbers>

#include <coal/BVH/BVH_model.h>
#include <coal/distance.h>
#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/proximity.h>
#include <prehend/geometry/test/dirty_meshes.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using math::Pose;

void expect_consistent(const Proximity& p, double tolerance) {
  EXPECT_LE((p.p_WB - p.p_WA - p.distance * p.n_W).norm(), tolerance);
}

TEST(Proximity, TwoBoxesAtAnyScaleAndPlace) {
  math::RandomStream random(1);
  for (double scale : {1e-3, 1.0, 1e3}) {
    const ProximityShape box(make_box(scale * Vector3d(2, 2, 2)));
    EXPECT_TRUE(box.is_convex());
    for (double place : {0.0, 1e4}) {
      const Pose X_WA(random.rotation(), scale * place * random.unit_vector());
      const double tolerance = scale * (1e-13 + 3e-15 * place);
      for (double gap : {0.5, 1e-3, -1e-3, -0.25, -0.9}) {
        const Pose X_WB = X_WA * Pose::translation(scale * Vector3d(2 + gap, 0.3, -0.2));
        const Proximity found = proximity(box, X_WA, box, X_WB);
        EXPECT_EQ(found.status, gap > 0 ? ProximityStatus::apart : ProximityStatus::overlapping);
        EXPECT_NEAR(found.distance, scale * gap, tolerance);
        EXPECT_LE((found.n_W - X_WA.q() * Vector3d::UnitX()).norm(), 1e-7);
        expect_consistent(found, 10 * tolerance + scale * 1e-12);
        EXPECT_EQ(overlaps(box, X_WA, box, X_WB), gap < 0);
      }
    }
  }
}

TEST(Proximity, EdgesAndCornersOfBoxes) {
  const ProximityShape box(make_box({2, 2, 2}));
  EXPECT_NEAR(proximity(box, Pose(), box, Pose::translation({3, 3, 0})).distance, std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(proximity(box, Pose(), box, Pose::translation({3, 3, 3})).distance, std::sqrt(3.0), 1e-14);
  // Edge over edge: a box turned by 45 degrees about x and another about y.
  const Pose X_A(Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 4, Vector3d::UnitX())),
                 Vector3d::Zero());
  const Pose X_B(Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 4, Vector3d::UnitY())),
                 Vector3d(0, 0, 2 * std::sqrt(2.0) + 0.1));
  const Proximity found = proximity(box, X_A, box, X_B);
  EXPECT_NEAR(found.distance, 0.1, 1e-14);
  EXPECT_LE((found.p_WA - Vector3d(0, 0, std::sqrt(2.0))).norm(), 1e-13);
}

TEST(Proximity, BallAndBox) {
  const ProximityShape ball(make_icosphere(0.5, 4)), box(make_box({2, 2, 2}));
  const double deviation = sphere_deviation(0.5, 4);
  for (double gap : {0.3, 0.01, -0.1, -0.4}) {
    const Proximity found = proximity(box, Pose(), ball, Pose::translation({0.2, 0.1, 1.5 + gap}));
    EXPECT_NEAR(found.distance, gap, deviation + 1e-12) << found.brief_report();
    EXPECT_GT(found.n_W.z(), 0.999);
  }
}

TEST(Proximity, NestedBodiesOverlap) {
  const ProximityShape outer(make_box({4, 4, 4})), inner(make_box({1, 1, 1})),
      torus(make_torus(1.0, 0.3, 32, 16));
  // Inside, without any contact of surfaces, both ways round.
  const Proximity found = proximity(outer, Pose(), inner, Pose::translation({0.5, 0, 0}));
  EXPECT_EQ(found.status, ProximityStatus::overlapping);
  EXPECT_NEAR(found.distance, -2.0, 1e-12);  // out through the nearer side: 2 - 0.5 + 0.5
  EXPECT_EQ(proximity(inner, Pose(), outer, Pose()).status, ProximityStatus::overlapping);
  EXPECT_TRUE(overlaps(inner, Pose(), outer, Pose()));
  // A non-convex body inside: bracketed.
  const Proximity ring = proximity(outer, Pose(), torus, Pose());
  EXPECT_EQ(ring.status, ProximityStatus::overlapping);
  // The innermost ring has the radius 0.7; its corners at 45 degrees are 2 - 0.7/sqrt(2) away from the nearest side.
  EXPECT_NEAR(ring.distance, -(2.0 - 0.7 / std::sqrt(2.0)), 1e-12);
  EXPECT_NEAR(*ring.depth_upper, 2.3, 0.02);  // up and out
  EXPECT_GE(*ring.depth_upper, -ring.distance);
}

TEST(Proximity, HolesAreSeen) {
  const ProximityShape torus(make_torus(1.0, 0.3, 48, 24)), peg(make_cylinder(0.2, 4.0, 24));
  EXPECT_FALSE(torus.is_convex());
  const Proximity through = proximity(torus, Pose(), peg, Pose());
  EXPECT_EQ(through.status, ProximityStatus::apart);
  EXPECT_NEAR(through.distance, 0.5, 0.01);
  // Two rings, linked without contact.
  const Pose X(Eigen::Quaterniond(Eigen::AngleAxisd(1.5707963267948966, Vector3d::UnitX())),
               Vector3d(1, 0, 0));
  EXPECT_EQ(proximity(torus, Pose(), torus, X).status, ProximityStatus::apart);
  // A cavity holds a body without overlap.
  const ProximityShape hollow(merged(make_box({4, 4, 4}), dirty::inverted(make_box({2, 2, 2})))),
      core(make_box({1, 1, 1}));
  const Proximity inside = proximity(hollow, Pose(), core, Pose::translation({0.1, 0, 0}));
  EXPECT_EQ(inside.status, ProximityStatus::apart);
  EXPECT_NEAR(inside.distance, 0.4, 1e-14);
}

TEST(Proximity, OneOfSeveralPiecesInside) {
  const ProximityShape pair(merged(make_box({1, 1, 1}), dirty::moved(make_box({1, 1, 1}), {10, 0, 0}))),
      big(make_box({3, 3, 3}));
  EXPECT_EQ(proximity(pair, Pose(), big, Pose::translation({10, 0, 0})).status, ProximityStatus::overlapping);
  EXPECT_EQ(proximity(pair, Pose(), big, Pose::translation({5, 0, 0})).status, ProximityStatus::apart);
}

// Flush faces: surfaces do not cross, and half of the inner corners lie on the outer surface.
TEST(Proximity, OneInsideWithFlushFaces) {
  const ProximityShape outer(make_box({2, 2, 2})), inner(make_box({0.4, 0.4, 0.4})),
      torus(make_torus(0.5, 0.2, 24, 12));
  math::RandomStream random(9);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose X_WA(random.rotation(), random.unit_vector());
    for (const ProximityShape* shape : {&inner, &torus}) {
      const Pose X_WB = X_WA * Pose::translation({0.3, -0.1, -0.8});  // on the floor of the outer one
      const Proximity found = proximity(outer, X_WA, *shape, X_WB);
      EXPECT_EQ(found.status, ProximityStatus::overlapping) << trial;
      EXPECT_NEAR(found.distance, -0.4, shape == &inner ? 1e-9 : 0.2) << trial;
      EXPECT_EQ(proximity(*shape, X_WB, outer, X_WA).status, ProximityStatus::overlapping) << trial;
    }
    const Proximity same = proximity(inner, X_WA, inner, X_WA);
    EXPECT_NEAR(same.distance, -0.4, 1e-9);
    // Beside each other, flush below: they touch.
    const Proximity beside = proximity(outer, X_WA, inner, X_WA * Pose::translation({1.2, 0, -0.8}));
    EXPECT_NEAR(beside.distance, 0.0, 1e-9);
  }
}

TEST(Proximity, NonConvexDepthIsBracketed) {
  // A bar through a U-shaped body: no corner of either is inside the other.
  const TriangleMesh u = merged(merged(make_box({1, 1, 5}), dirty::moved(make_box({1, 1, 5}), {3, 0, 0})),
                                dirty::moved(make_box({4, 1, 1}), {1.5, 0, -4}));
  const ProximityShape shape(u), bar(make_box({9, 0.4, 0.4}));
  const Proximity found = proximity(shape, Pose(), bar, Pose::translation({1.5, 0, 0}));
  EXPECT_EQ(found.status, ProximityStatus::overlapping);
  EXPECT_LT(found.distance, -0.29);           // the bar's edges are 0.5 - 0.2 inside
  EXPECT_GE(*found.depth_upper, 0.7 - 1e-9);  // the shortest way out is sideways: 0.5 + 0.2
  expect_consistent(found, 1e-12);
}

// Coal's mesh distance is an independent route for bodies that are apart.
TEST(Proximity, AgreesWithCoalOnNonConvexMeshesApart) {
  const TriangleMesh a = make_torus(1.0, 0.3, 24, 12), b = make_cone(0.7, 1.2, 16);
  const auto model = [](const TriangleMesh& mesh) {
    auto result = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
    std::vector<coal::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    result->beginModel();
    result->addSubModel(mesh.vertices, triangles);
    result->endModel();
    return result;
  };
  const auto model_a = model(a), model_b = model(b);
  const ProximityShape shape_a(a), shape_b(b);
  math::RandomStream random(4);
  int apart = 0;
  for (int i = 0; i < 100; ++i) {
    const Pose X_WA(random.rotation(), random.unit_vector()),
        X_WB(random.rotation(), 4.0 * random.uniform() * random.unit_vector());
    const Proximity found = proximity(shape_a, X_WA, shape_b, X_WB);
    expect_consistent(found, 1e-12);
    if (found.status != ProximityStatus::apart) continue;
    ++apart;
    coal::DistanceRequest request;
    coal::DistanceResult result;
    coal::distance(model_a.get(), coal::Transform3s(X_WA.R(), X_WA.p()), model_b.get(),
                   coal::Transform3s(X_WB.R(), X_WB.p()), request, result);
    EXPECT_NEAR(found.distance, result.min_distance, 1e-6);
  }
  EXPECT_GT(apart, 50);
}

}  // namespace
}  // namespace prehend::geometry
