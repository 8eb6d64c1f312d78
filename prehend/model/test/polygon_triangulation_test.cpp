#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/model/meshes/polygon_triangulation.h>

namespace prehend::model {
namespace {

using Status = PolygonTriangulator::Status;
using Points = std::vector<Eigen::Vector3d>;

struct Outcome {
  Status status;
  std::vector<Eigen::Vector3i> triangles;
};

Outcome triangulate(const Points& points) {
  std::vector<int> corners(points.size());
  std::iota(corners.begin(), corners.end(), 0);
  Outcome outcome;
  outcome.status = PolygonTriangulator().triangulate(corners, points, outcome.triangles);
  return outcome;
}

Eigen::Vector3d vector_area(const Points& polygon) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += 0.5 * (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]);
  return sum;
}

// A triangulation covers a flat polygon once exactly when all triangles face the polygon's way and their
// areas, without sign, add up to its area.
void expect_exact_cover(const Points& polygon, double tolerance = 1e-12) {
  const Outcome outcome = triangulate(polygon);
  EXPECT_EQ(outcome.status, Status::ok);
  ASSERT_EQ(outcome.triangles.size(), polygon.size() - 2);
  const Eigen::Vector3d wanted = vector_area(polygon);
  double unsigned_area = 0;
  for (const Eigen::Vector3i& t : outcome.triangles) {
    unsigned_area += vector_area({polygon[t[0]], polygon[t[1]], polygon[t[2]]}).norm();
  }
  EXPECT_NEAR(unsigned_area / wanted.norm(), 1.0, tolerance);
}

// A random simple polygon: a star around the origin, radii between 0.1 and 1.
Points star(math::RandomStream& random, int n) {
  Points points;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.8 * random.uniform()) / n,
                 radius = 0.1 + 0.9 * random.uniform();
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
  }
  return points;
}

TEST(PolygonTriangulation, RandomStarsTurnedScaledAndFarAway) {
  math::RandomStream random(1);
  for (int trial = 0; trial < 500; ++trial) {
    Points points = star(random, 4 + trial % 60);
    const Eigen::Quaterniond q = random.rotation();
    const double scale = std::pow(10.0, trial % 7 - 3);
    for (Eigen::Vector3d& p : points) p = q * (scale * p);
    expect_exact_cover(points);
    // Far away, coordinates keep ten digits.
    for (Eigen::Vector3d& p : points) p += 1e6 * scale * Eigen::Vector3d(1, -2, 3);
    expect_exact_cover(points, 1e-6);
  }
}

TEST(PolygonTriangulation, SpiralsCombsAndBridgesToHoles) {
  Points comb;
  for (int i = 0; i < 40; ++i) {
    comb.emplace_back(i, 0, 0);
    comb.emplace_back(i + 0.4, 5, 0);
  }
  comb.emplace_back(40, 0, 0);
  comb.emplace_back(40, -1, 0);
  comb.emplace_back(0, -1, 0);
  std::reverse(comb.begin(), comb.end());
  expect_exact_cover(comb);
  Points spiral;
  for (int i = 0; i <= 100; ++i)
    spiral.push_back((1 + 0.1 * i) * Eigen::Vector3d(std::cos(0.3 * i), std::sin(0.3 * i), 0));
  for (int i = 100; i >= 0; --i)
    spiral.push_back((0.7 + 0.1 * i) * Eigen::Vector3d(std::cos(0.3 * i), std::sin(0.3 * i), 0));
  expect_exact_cover(spiral);
  // A square with a square hole, joined by a bridge that is walked twice; area 16 - 4.
  expect_exact_cover({{0, 0, 0},
                      {4, 0, 0},
                      {4, 4, 0},
                      {0, 4, 0},
                      {0, 0, 0},
                      {1, 1, 0},
                      {1, 3, 0},
                      {3, 3, 0},
                      {3, 1, 0},
                      {1, 1, 0}});
}

TEST(PolygonTriangulation, ManyHolesOnBridges) {
  // Diamonds of area 0.5 in a plate of 10 by 3, each on a bridge from the lower edge; from every starting
  // corner.
  Points plate = {{0, 0, 0}};
  for (double x = 1; x < 10; x += 2) {
    for (const auto& [dx, y] :
         {std::pair(0.0, 0.0), {0.0, 1.0}, {-0.5, 1.5}, {0.0, 2.0}, {0.5, 1.5}, {0.0, 1.0}, {0.0, 0.0}}) {
      plate.emplace_back(x + dx, y, 0);
    }
  }
  plate.insert(plate.end(), {{10, 0, 0}, {10, 3, 0}, {0, 3, 0}});
  EXPECT_NEAR(vector_area(plate).z(), 27.5, 1e-12);
  math::RandomStream random(8);
  for (std::size_t shift = 0; shift < plate.size(); ++shift) {
    Points turned = plate;
    std::rotate(turned.begin(), turned.begin() + shift, turned.end());
    expect_exact_cover(turned);
    const Eigen::Quaterniond q = random.rotation();
    for (Eigen::Vector3d& p : turned) p = q * p;
    expect_exact_cover(turned);
  }
}

TEST(PolygonTriangulation, CornersOnStraightEdgesGiveNoEmptyTriangles) {
  // A square with the middle of each side as a corner: six triangles with area are possible.
  const Points points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                         {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  for (std::size_t shift = 0; shift < points.size(); ++shift) {
    Points rotated = points;
    std::rotate(rotated.begin(), rotated.begin() + shift, rotated.end());
    const Outcome outcome = triangulate(rotated);
    EXPECT_EQ(outcome.status, Status::ok);
    for (const Eigen::Vector3i& t : outcome.triangles) {
      EXPECT_GT(vector_area({rotated[t[0]], rotated[t[1]], rotated[t[2]]}).z(), 0.1);
    }
  }
}

TEST(PolygonTriangulation, SlightlyWarpedQuadsWork) {
  const Outcome outcome = triangulate({{0, 0, 0}, {1, 0, 0.01}, {1, 1, 0}, {0, 1, 0.01}});
  EXPECT_EQ(outcome.status, Status::ok);
  EXPECT_EQ(outcome.triangles, (std::vector<Eigen::Vector3i>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(PolygonTriangulation, CrossedAndFlatPolygonsAreToldAndKeepTheirVectorArea) {
  const Points bow = {{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 1, 0}};
  const Outcome crossed = triangulate(bow);
  EXPECT_EQ(crossed.triangles.size(), 2u);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3i& t : crossed.triangles) sum += vector_area({bow[t[0]], bow[t[1]], bow[t[2]]});
  EXPECT_LT((sum - vector_area(bow)).norm(), 1e-15);
  const Outcome line = triangulate({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  EXPECT_EQ(line.status, Status::not_simple);
  EXPECT_EQ(line.triangles.size(), 2u);
  EXPECT_EQ(triangulate(Points(5, Eigen::Vector3d(1, 2, 3))).status, Status::not_simple);
  // A pentagram winds twice: its corners are all convex, yet a fan would fold back. It has ears to the end,
  // so it passes; its area counts twice in the middle, as the winding number says.
  Points pentagram;
  for (int i = 0; i < 5; ++i) {
    const double angle = 0.8 * std::numbers::pi * i;
    pentagram.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  sum.setZero();
  for (const Eigen::Vector3i& t : triangulate(pentagram).triangles) {
    sum += vector_area({pentagram[t[0]], pentagram[t[1]], pentagram[t[2]]});
  }
  EXPECT_LT((sum - vector_area(pentagram)).norm(), 1e-14);
}

TEST(PolygonTriangulation, BudgetStopsAPolygonMadeToBeSlow) {
  math::RandomStream random(3);
  const Points points = star(random, 1000);
  std::vector<int> corners(points.size());
  std::iota(corners.begin(), corners.end(), 0);
  std::vector<Eigen::Vector3i> triangles = {{7, 7, 7}};
  EXPECT_EQ(PolygonTriangulator(10000).triangulate(corners, points, triangles), Status::too_complex);
  EXPECT_EQ(triangles.size(), 1u);
}

}  // namespace
}  // namespace prehend::model
