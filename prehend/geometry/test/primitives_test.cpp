#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

double volume(const TriangleMesh& mesh) {
  double six_volumes = 0.0;
  for (const auto& t : mesh.triangles) {
    six_volumes += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]]));
  }
  return six_volumes / 6.0;
}

// Every directed edge once, its reverse once, no unused vertex.
void expect_closed(const TriangleMesh& mesh, int genus) {
  std::map<std::pair<int, int>, int> edges;
  std::vector<bool> used(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      ++edges[{t[k], t[(k + 1) % 3]}];
      used[t[k]] = true;
    }
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
  const auto euler = static_cast<long>(mesh.vertices.size()) - static_cast<long>(edges.size() / 2) +
                     static_cast<long>(mesh.triangles.size());
  EXPECT_EQ(euler, 2 - 2 * genus);
}

Vector3d closest_on_triangle(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  // Independent of the library: projection if inside, else the nearest of three segments.
  const Vector3d n = (b - a).cross(c - a);
  const Vector3d q = p - n * (n.dot(p - a) / n.squaredNorm());
  if (n.dot((b - a).cross(q - a)) >= 0 && n.dot((c - b).cross(q - b)) >= 0 &&
      n.dot((a - c).cross(q - c)) >= 0)
    return q;
  Vector3d best = a;
  const Vector3d corners[3] = {a, b, c};
  for (int k = 0; k < 3; ++k) {
    const Vector3d u = corners[(k + 1) % 3] - corners[k];
    const Vector3d candidate = corners[k] + u * std::clamp(u.dot(p - corners[k]) / u.squaredNorm(), 0.0, 1.0);
    if ((candidate - p).norm() < (best - p).norm()) best = candidate;
  }
  return best;
}

double distance(const TriangleMesh& mesh, const Vector3d& p) {
  double best = 1e300;
  for (const auto& t : mesh.triangles) {
    best = std::min(
        best,
        (p - closest_on_triangle(p, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]])).norm());
  }
  return best;
}

TEST(Primitives, BoxIsExact) {
  const TriangleMesh box = make_box({1.0, 2.0, 3.0});
  expect_closed(box, 0);
  EXPECT_EQ(box.vertices.size(), 8u);
  EXPECT_NEAR(volume(box), 6.0, 1e-14);
}

TEST(Primitives, AreClosedAndOutwardWithTheVolumeOfTheirPolyhedron) {
  const auto ngon_area = [](double r, int n) { return 0.5 * n * r * r * std::sin(2 * pi / n); };
  for (int n : {3, 4, 17, 64}) {
    const TriangleMesh cylinder = make_cylinder(0.3, 2.0, n);
    expect_closed(cylinder, 0);
    EXPECT_NEAR(volume(cylinder), 2.0 * ngon_area(0.3, n), 1e-12);
    EXPECT_EQ(cylinder.vertices.size(), 2u * n);
    const TriangleMesh cone = make_cone(0.3, 2.0, n);
    expect_closed(cone, 0);
    EXPECT_NEAR(volume(cone), 2.0 / 3.0 * ngon_area(0.3, n), 1e-12);
    for (double length : {0.0, 0.7}) {
      const TriangleMesh capsule = make_capsule(0.3, length, n);
      expect_closed(capsule, 0);
      EXPECT_LT(volume(capsule), pi * 0.09 * length + 4.0 / 3.0 * pi * 0.027);
      EXPECT_GT(volume(capsule), 0.0);
    }
    expect_closed(make_torus(1.0, 0.3, n, n + 1), 1);
  }
  for (int subdivisions : {0, 1, 2, 4}) {
    expect_closed(make_icosphere(2.0, subdivisions), 0);
    EXPECT_EQ(make_icosphere(2.0, subdivisions).triangles.size(), 20u << (2 * subdivisions));
  }
}

TEST(Primitives, ConvergeToTheRoundVolume) {
  EXPECT_NEAR(volume(make_icosphere(1.0, 6)) / (4.0 / 3.0 * pi), 1.0, 3e-4);
  EXPECT_NEAR(volume(make_ellipsoid({1.0, 2.0, 0.5}, 6)) / (4.0 / 3.0 * pi), 1.0, 3e-4);
  EXPECT_NEAR(volume(make_capsule(0.5, 1.0, 400)) / (pi * 0.25 + pi / 6.0), 1.0, 2e-4);
  EXPECT_NEAR(volume(make_torus(1.0, 0.25, 400, 200)) / (2.0 * pi * pi * 0.0625), 1.0, 3e-4);
}

TEST(Primitives, IcosphereDeviationIsTheDistanceOfTheInnermostPlane) {
  for (int subdivisions = 0; subdivisions <= 5; ++subdivisions) {
    const TriangleMesh mesh = make_icosphere(2.0, subdivisions);
    double nearest = 2.0;
    for (const auto& t : mesh.triangles) {
      const Vector3d n =
          (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
      nearest = std::min(nearest, n.normalized().dot(mesh.vertices[t[0]]));
    }
    EXPECT_NEAR(sphere_deviation(2.0, subdivisions), 2.0 - nearest, 1e-13) << subdivisions;
  }
}

TEST(Primitives, TrueSurfaceStaysWithinTheStatedDeviation) {
  math::RandomStream random(11);
  const auto expect_within = [](double found, double bound) {
    EXPECT_LE(found, bound * (1 + 1e-12));
    EXPECT_GT(found, 0.3 * bound);  // a bound that says something
  };
  const int n = 12;
  double ball = 0, ellipsoid = 0, capsule = 0, torus = 0, cylinder = 0;
  const TriangleMesh ball_mesh = make_icosphere(0.7, 1), ellipsoid_mesh = make_ellipsoid({0.5, 1.0, 0.7}, 2);
  const TriangleMesh capsule_mesh = make_capsule(0.7, 1.0, n), torus_mesh = make_torus(1.0, 0.4, 2 * n, n);
  const TriangleMesh cylinder_mesh = make_cylinder(0.7, 1.0, n);
  for (int i = 0; i < 4000; ++i) {
    const Vector3d u = random.unit_vector();
    ball = std::max(ball, distance(ball_mesh, 0.7 * u));
    ellipsoid = std::max(ellipsoid, distance(ellipsoid_mesh, u.cwiseProduct(Vector3d(0.5, 1.0, 0.7))));
    capsule = std::max(capsule, distance(capsule_mesh, 0.7 * u + Vector3d(0, 0, u.z() > 0 ? 0.5 : -0.5)));
    const double a = random.uniform(0, 2 * pi), b = random.uniform(0, 2 * pi);
    const double rho = 1.0 + 0.4 * std::cos(b);
    torus = std::max(torus, distance(torus_mesh, {rho * std::cos(a), rho * std::sin(a), 0.4 * std::sin(b)}));
    cylinder =
        std::max(cylinder, distance(cylinder_mesh, {0.7 * std::cos(a), 0.7 * std::sin(a), 0.3 * u.z()}));
  }
  expect_within(ball, sphere_deviation(0.7, 1));
  expect_within(ellipsoid, sphere_deviation(1.0, 2));
  expect_within(capsule, capsule_deviation(0.7, n));
  expect_within(torus, torus_deviation(1.0, 0.4, 2 * n, n));
  expect_within(cylinder, circle_deviation(0.7, n));
}

TEST(Primitives, SegmentsForDeviationAreTheFewestThatSuffice) {
  for (double deviation : {0.4, 1e-2, 1e-4, 1e-6}) {
    const int n = segments_for_deviation(0.5, deviation);
    EXPECT_LE(circle_deviation(0.5, n), deviation);
    if (n > 3) {
      EXPECT_GT(circle_deviation(0.5, n - 1), deviation);
    }
  }
}

TEST(Primitives, RefuseImpossibleSizesByName) {
  EXPECT_THROW(make_box({1.0, 0.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(make_box({1.0, std::nan(""), 1.0}), std::invalid_argument);
  EXPECT_THROW(make_icosphere(1.0, 10), std::invalid_argument);
  EXPECT_THROW(make_torus(1.0, 1.0, 8, 8), std::invalid_argument);
  EXPECT_THROW(make_plane_patch({-1.0, 1.0}), std::invalid_argument);
  try {
    make_cylinder(0.1, 1.0, 2);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "cylinder::segments is 2; it must be between 3 and 100000");
  }
}

}  // namespace
}  // namespace prehend::geometry
