#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/proximity.h>
#include <prehend/math/random.h>
#include <prehend/placement/placement.h>
#include <prehend/placement/search/shell.h>
#include <prehend/placement/test/placement_scenes.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// A bar along a bend, of many short pieces that do not join to few convex ones; its edges bulge, so that none lies along a flat face.
geometry::TriangleMesh bent_bar() {
  constexpr int kRings = 41, kSides = 6;
  geometry::TriangleMesh mesh;
  for (int i = 0; i < kRings; ++i) {
    const double s = static_cast<double>(i) / (kRings - 1), angle = 1.4 * s;
    const Vector3d out(std::cos(angle), std::sin(angle), 0), centre = 0.16 * out;
    const double r = 0.006 + 2e-5 * std::sin(M_PI * s);
    for (int k = 0; k < kSides; ++k) {
      const double turn = 2.0 * M_PI * k / kSides;
      mesh.vertices.push_back(centre + r * (std::cos(turn) * out + std::sin(turn) * Vector3d::UnitZ()));
    }
  }
  for (int i = 0; i + 1 < kRings; ++i) {
    for (int k = 0; k < kSides; ++k) {
      const int a = i * kSides + k, b = i * kSides + (k + 1) % kSides;
      mesh.triangles.emplace_back(a, b + kSides, b);
      mesh.triangles.emplace_back(a, a + kSides, b + kSides);
    }
  }
  const int last = (kRings - 1) * kSides;
  for (int k = 1; k + 1 < kSides; ++k) {
    mesh.triangles.emplace_back(0, k, k + 1);
    mesh.triangles.emplace_back(last, last + k + 1, last + k);
  }
  return mesh;
}

// Each triangle has an axis that separates it, and no axis shows more than the distance.
TEST(Shell, SeparationIsPositiveAndAtMostTheDistance) {
  model::Scene scene;
  add_body(scene, "block", box_geom({0.2, 0.1, 0.1}), at(0, 0, 0));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.12, 0.08}), at(0, 0, 5), 1.0);
  const Problem problem = prepare(scene, box, {});
  const std::vector<ConvexPart> block = convex_parts(problem.others.front(), problem.others.front().X_WG, 0);
  const std::vector<MovedPart> moved{moved_part(block.front(), math::Pose())};
  const Shell shell(problem, moved);
  const geometry::ProximityShape a(problem.others.front().polyhedron.mesh()),
      b(problem.own.front().polyhedron.mesh());
  math::RandomStream random(5);
  int apart = 0;
  for (int k = 0; k < 200; ++k) {
    const math::Pose X(random.rotation(), 0.15 * random.normal3());
    const double distance = geometry::proximity(a, math::Pose(), b, X).distance;
    if (distance < 1e-6) continue;
    ++apart;
    std::vector<GapRow> rows;
    const double found = shell.rows(X, X.p(), 1.0, rows);
    EXPECT_GT(found, 0.0);
    EXPECT_LE(found, distance + 1e-9);
    ASSERT_FALSE(rows.empty());
    // Rows tell the least gap, and rates of translations are unit normals.
    const auto nearest = std::min_element(rows.begin(), rows.end(),
                                          [](const GapRow& p, const GapRow& q) { return p.gap < q.gap; });
    EXPECT_NEAR(nearest->gap, found, 1e-12);
    EXPECT_NEAR(nearest->rate.tail<3>().norm(), 1.0, 1e-9);
  }
  EXPECT_GT(apart, 50);
}

// Two posts and a block of other heights: it leans on its curved edge, on no side of its convex hull.
TEST(Shell, AFineBentBarFindsAPlaceOnUnevenThings) {
  model::Scene scene = floor_scene();
  add_body(scene, "low", box_geom({0.1, 0.08, 0.05}), at(0.15, 0.02, 0.025));
  add_body(scene, "middle", box_geom({0.08, 0.08, 0.06}), at(0.1, 0.13, 0.03));
  add_body(scene, "high", box_geom({0.06, 0.06, 0.075}), at(0.02, 0.16, 0.0375));
  model::Geom geom;
  geom.shape.kind = model::ShapeKind::mesh;
  geom.mesh = bent_bar();
  geom.friction = 0.6;
  const geometry::MassProperties solid = geometry::mass_properties(geom.mesh);
  ASSERT_EQ(solid.status, geometry::MassStatus::ok);
  const auto bar = add_body(scene, "bar", geom, at(0, 0, 5), 1.0);
  scene.bodies[bar].inertia = {800.0 * solid.volume, solid.centroid, 800.0 * solid.inertia_unit_density};
  PlacementOptions options;
  options.objective = Objective::first;
  options.touch = {"low", "middle", "high"};
  options.time_limit = 60.0;
  const PlacementResult result = place(scene, bar, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
}

}  // namespace
}  // namespace prehend::placement
