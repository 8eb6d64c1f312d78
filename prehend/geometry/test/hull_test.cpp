#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/surface/quick_hull.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Closed, outward, and no point outside any face by more than rounding.
void expect_hull_of(const std::vector<Vector3d>& points, const HullResult& hull, double tolerance) {
  ASSERT_EQ(hull.status, HullStatus::ok) << hull.message;
  const MeshReport report = check_mesh(hull.mesh, {.weld_tolerance = 0.0});
  EXPECT_TRUE(report.is_closed && report.is_oriented) << report.brief_report();
  EXPECT_EQ(report.inside_out_shells, 0);
  EXPECT_EQ(report.components, 1);
  for (const auto& t : hull.mesh.triangles) {
    const Vector3d& a = hull.mesh.vertices[t[0]];
    const Vector3d n = (hull.mesh.vertices[t[1]] - a).cross(hull.mesh.vertices[t[2]] - a);
    if (n.norm() == 0.0) continue;
    for (const Vector3d& p : points) EXPECT_LE(n.normalized().dot(p - a), tolerance);
  }
  for (std::size_t i = 0; i < hull.point_of.size(); ++i)
    EXPECT_EQ(hull.mesh.vertices[i], points[hull.point_of[i]]);
}

TEST(Hull, RandomPointsAreAllInside) {
  math::RandomStream random(1);
  for (int round = 0; round < 10; ++round) {
    std::vector<Vector3d> points(200);
    for (Vector3d& p : points) p = random.normal3();
    expect_hull_of(points, convex_hull(points), 1e-13);
  }
}

TEST(Hull, ConvexPrimitivesComeBackWhole) {
  for (const TriangleMesh& mesh : {make_box({1, 2, 3}), make_icosphere(1, 3), make_cylinder(0.5, 1, 40),
                                   make_cone(0.5, 1, 40), make_capsule(0.2, 1.0, 16)}) {
    const HullResult hull = convex_hull(mesh.vertices);
    expect_hull_of(mesh.vertices, hull, 1e-14);
    EXPECT_EQ(hull.mesh.vertices.size(), mesh.vertices.size());
    EXPECT_EQ(hull.mesh.triangles.size(), mesh.triangles.size());
    EXPECT_NEAR(mass_properties(hull.mesh).volume, mass_properties(mesh).volume, 1e-14);
  }
}

// Above 500 points facets are not merged at first: planar quadrangles stay exact, and points inside faces are still no vertices.
TEST(Hull, ManyPointsOnPlanarFacets) {
  std::vector<Vector3d> points;
  for (int ring = 0; ring < 30; ++ring) {
    const double angle = 0.5 * M_PI * ring / 29, radius = 0.03 + 0.05 * std::sin(angle);
    for (int k = 0; k < 60; ++k)
      points.emplace_back(radius * std::cos(M_PI * k / 30), radius * std::sin(M_PI * k / 30),
                          0.06 * (1.0 - std::cos(angle)));
  }
  const HullResult bowl = convex_hull(points);
  expect_hull_of(points, bowl, 1e-12);
  EXPECT_EQ(bowl.mesh.vertices.size(), points.size());
  std::vector<Vector3d> grid;
  for (int x = 0; x < 12; ++x) {
    for (int y = 0; y < 12; ++y) {
      for (int z = 0; z < 12; ++z) grid.emplace_back(0.1 * x, 0.1 * y + 0.01 * x, 0.1 * z);
    }
  }
  const HullResult box = convex_hull(grid);
  expect_hull_of(grid, box, 1e-12);
  EXPECT_EQ(box.mesh.vertices.size(), 8u);
}

// Where thousands lie on the hull, quickhull without merged facets answers; every vertex and every face against all points.
TEST(Hull, ManyPointsOnCurvedSurfaces) {
  math::RandomStream random(5);
  std::vector<Vector3d> ball, lens, cloud, shell;
  for (int i = 0; i < 700; ++i) {
    const Vector3d u = random.unit_vector();
    ball.push_back(Vector3d(3, -2, 1) + 0.1 * u);
    lens.push_back(u.cwiseProduct(Vector3d(1.0, 0.7, 1e-3)));
    cloud.push_back(random.normal3());
    shell.push_back((i % 2 ? 1.0 : 0.9) * u);
  }
  for (const auto* points : {&ball, &lens, &cloud, &shell}) {
    std::vector<Vector3d> local = *points;
    const Aabb box = bounding_box(local);
    for (Vector3d& p : local)
      p = (p - 0.5 * (box.lower + box.upper)) / (0.5 * (box.upper - box.lower).maxCoeff());
    const std::vector<Eigen::Vector3i> quick = quick_hull(local);
    ASSERT_FALSE(quick.empty());
    const HullResult hull = convex_hull(*points);
    EXPECT_EQ(quick.size(), hull.mesh.triangles.size());
    expect_hull_of(*points, hull, 1e-12);
  }
  EXPECT_EQ(convex_hull(ball).mesh.vertices.size(), ball.size());
  // What it cannot tell apart it leaves to Qhull.
  std::vector<Vector3d> twice = ball;
  for (int i = 0; i < 50; ++i) twice.push_back(0.5 * (ball[0] + ball[1]) + 1e-17 * i * Vector3d::UnitX());
  expect_hull_of(twice, convex_hull(twice), 1e-12);
  std::vector<Vector3d> cube = make_box({2, 2, 2}).vertices;
  for (int i = 0; i < 600; ++i) {
    Vector3d p = random.normal3().cwiseMax(-1.0).cwiseMin(1.0);
    p[i % 3] = i % 2 ? 1.0 : -1.0;
    cube.push_back(p);
  }
  const HullResult box = convex_hull(cube);
  expect_hull_of(cube, box, 1e-12);
  EXPECT_EQ(box.mesh.vertices.size(), 8u);
}

TEST(Hull, GridPointsOnFacesAndEdgesAreNoVertices) {
  std::vector<Vector3d> points;
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y < 6; ++y) {
      for (int z = 0; z < 6; ++z) points.emplace_back(x, y, z);
    }
  }
  const HullResult hull = convex_hull(points);
  expect_hull_of(points, hull, 0.0);
  EXPECT_NEAR(mass_properties(hull.mesh).volume, 125.0, 1e-12);
  EXPECT_EQ(hull.mesh.vertices.size(), 8u);
  EXPECT_EQ(hull.mesh.triangles.size(), 12u);
}

TEST(Hull, TurnedScaledAndFarAwayGivesTheSameHull) {
  math::RandomStream random(2);
  for (double scale : {1e-60, 1e-3, 1e3, 1e60}) {
    for (double distance : {0.0, 1e4}) {
      const Eigen::Quaterniond q = random.rotation();
      std::vector<Vector3d> points;
      for (const Vector3d& v : make_cylinder(0.5, 1, 12).vertices)
        points.push_back(scale * (q * v + distance * Vector3d(1, 1, -1)));
      const HullResult hull = convex_hull(points);
      expect_hull_of(points, hull, scale * (1e-13 + 1e-15 * distance));
      EXPECT_NEAR(mass_properties(hull.mesh).volume / std::pow(scale, 3), 0.75, 1e-11);
    }
  }
}

TEST(Hull, DegeneratePointsGiveAStatus) {
  using Points = std::vector<Vector3d>;
  EXPECT_EQ(convex_hull(Points{}).status, HullStatus::empty);
  EXPECT_EQ(convex_hull(Points{{1, 2, 3}}).status, HullStatus::point);
  EXPECT_EQ(convex_hull(Points(7, Vector3d(1, 2, 3))).status, HullStatus::point);
  EXPECT_EQ(convex_hull(Points{{0, 0, 0}, {1, 2, 3}}).status, HullStatus::collinear);
  EXPECT_EQ(convex_hull(Points{{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {0.1, 0.2, 0.3}, {5, 10, 15}}).status,
            HullStatus::collinear);
  EXPECT_EQ(convex_hull(Points{{0, 0, 0}, {1, 2, 3}, {2, 1, 0}}).status, HullStatus::coplanar);
  math::RandomStream random(3);
  for (double scale : {1e-3, 1.0, 1e3}) {
    const Eigen::Quaterniond q = random.rotation();
    Points disc;
    for (const Vector3d& v : make_cylinder(1, 1, 30).vertices)
      disc.push_back(scale * (q * Vector3d(v.x(), v.y(), 0) + Vector3d(1e4, 0, 0)));
    const HullResult flat = convex_hull(disc);
    EXPECT_EQ(flat.status, HullStatus::coplanar);
    EXPECT_EQ(flat.message, "the hull of 60 points encloses nothing: they lie in a plane");
    EXPECT_TRUE(flat.mesh.triangles.empty());
  }
  const HullResult bad = convex_hull(Points{{0, 0, 0}, {0, std::nan(""), 0}});
  EXPECT_EQ(bad.status, HullStatus::not_finite);
  EXPECT_EQ(bad.message, "point 1 is infinite or not a number");
  EXPECT_THROW(convex_hull(Points{}, {.flatness = 0.0}), std::invalid_argument);
}

TEST(Hull, ThinButSolidPlatesWork) {
  math::RandomStream random(4);
  for (double thickness : {1e-3, 1e-6, 1e-8}) {
    const Eigen::Quaterniond q = random.rotation();
    std::vector<Vector3d> points;
    for (const Vector3d& v : make_box({1, 1, thickness}).vertices) points.push_back(q * v);
    const HullResult hull = convex_hull(points);
    ASSERT_EQ(hull.status, HullStatus::ok) << thickness << hull.message;
    EXPECT_NEAR(mass_properties(hull.mesh).volume / thickness, 1.0, 1e-6);
  }
}

TEST(Hull, SaysNothingOnStandardErrorAndWorksInThreads) {
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  std::vector<double> volumes(4);
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < 20; ++i)
        volumes[k] = mass_properties(convex_hull(make_icosphere(1, 3).vertices).mesh).volume;
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Nearly flat input makes Qhull talkative.
  std::vector<Vector3d> noisy;
  math::RandomStream random(5);
  for (int i = 0; i < 500; ++i)
    noisy.emplace_back(random.uniform(), random.uniform(), 1e-9 * random.uniform());
  convex_hull(noisy);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  for (double volume : volumes) EXPECT_EQ(volume, volumes[0]);
}

}  // namespace
}  // namespace prehend::geometry
