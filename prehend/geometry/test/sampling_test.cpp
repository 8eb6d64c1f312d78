#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/sampling.h>

namespace prehend::geometry {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

TEST(Sampling, SurfaceSamplesAreUniformOnABox) {
  const Vector3d size(1, 2, 3);
  const TriangleMesh box = make_box(size);
  math::RandomStream random(1);
  const int n = 60000;
  const auto samples = sample_surface(box, n, random);
  ASSERT_EQ(samples.size(), static_cast<std::size_t>(n));
  // Each face gets its share; five standard deviations.
  std::vector<int> per_face(6);
  Vector3d sum = Vector3d::Zero();
  for (const SurfaceSample& s : samples) {
    int axis;
    EXPECT_NEAR(s.normal.cwiseAbs().maxCoeff(&axis), 1.0, 1e-15);
    EXPECT_NEAR(s.point.dot(s.normal), 0.5 * size[axis], 1e-15);  // on the face, normal outwards
    EXPECT_TRUE((s.point.array().abs() <= 0.5 * size.array() + 1e-15).all());
    ++per_face[2 * axis + (s.normal[axis] > 0)];
    sum += s.point;
  }
  for (int face = 0; face < 6; ++face) {
    const double share = size.prod() / size[face / 2] / 22.0;
    EXPECT_NEAR(per_face[face], n * share, 5 * std::sqrt(n * share * (1 - share)));
  }
  // Within a triangle, too: the barycentric weights average 1/3 each.
  EXPECT_LE((sum / n).cwiseAbs().maxCoeff(), 5 * 1.5 / std::sqrt(n));
}

TEST(Sampling, SurfaceSamplesWithinATriangleHaveTheRightMoments) {
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  math::RandomStream random(2);
  const int n = 40000;
  double x = 0, xx = 0, xy = 0;
  for (const SurfaceSample& s : sample_surface(triangle, n, random)) {
    x += s.point.x();
    xx += s.point.x() * s.point.x();
    xy += s.point.x() * s.point.y();
  }
  EXPECT_NEAR(x / n, 1.0 / 3, 5 * 0.24 / std::sqrt(n));
  EXPECT_NEAR(xx / n, 1.0 / 6, 5 * 0.2 / std::sqrt(n));
  EXPECT_NEAR(xy / n, 1.0 / 12, 5 * 0.08 / std::sqrt(n));
}

TEST(Sampling, FarthestPointsMatchTheDefinition) {
  math::RandomStream random(3);
  std::vector<Vector3d> points(300);
  for (Vector3d& p : points) p = random.normal3();
  const auto chosen = farthest_point_sampling(points, 40, 17);
  ASSERT_EQ(chosen.size(), 40u);
  EXPECT_EQ(chosen[0], 17);
  std::vector<int> expected{17};
  while (expected.size() < 40) {
    int best = -1;
    double best_distance = -1;
    for (int i = 0; i < 300; ++i) {
      double nearest = 1e300;
      for (int c : expected) nearest = std::min(nearest, (points[i] - points[c]).norm());
      if (nearest > best_distance && std::find(expected.begin(), expected.end(), i) == expected.end()) {
        best = i;
        best_distance = nearest;
      }
    }
    expected.push_back(best);
  }
  EXPECT_EQ(chosen, expected);
  // All of them, duplicates included, each once.
  points[5] = points[6] = points[7];
  auto all = farthest_point_sampling(points, 300, 0);
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 300; ++i) EXPECT_EQ(all[i], i);
}

TEST(Sampling, PoissonDiscsKeepTheirDistanceAndLeaveNoGap) {
  for (double scale : {1e-3, 1.0, 1e3}) {
    math::RandomStream random(4);
    TriangleMesh mesh = make_torus(1.0, 0.4, 40, 24);
    for (Vector3d& v : mesh.vertices) v = scale * (v + Vector3d(1e4, 0, 0));
    const double radius = 0.12 * scale;
    const auto samples = poisson_disc_surface(mesh, radius, random);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      for (std::size_t j = i + 1; j < samples.size(); ++j) {
        ASSERT_GE((samples[i].point - samples[j].point).norm(), radius);
      }
    }
    // Random sequential packing jams at a covered fraction of 0.547, which is 0.603 of the hexagonal packing
    // (0.907); the last gaps close slowly.
    const double packed = mass_properties(mesh).area / (radius * radius * std::sqrt(0.75));
    EXPECT_GT(samples.size() / packed, 0.5);
    EXPECT_LT(samples.size() / packed, 0.62);
    int uncovered = 0;
    for (const SurfaceSample& probe : sample_surface(mesh, 2000, random)) {
      uncovered += std::none_of(samples.begin(), samples.end(), [&](const SurfaceSample& s) {
        return (s.point - probe.point).norm() < radius;
      });
    }
    EXPECT_LE(uncovered, 20);  // one in a hundred
  }
}

TEST(Sampling, InteriorSamplesAreUniform) {
  const TriangleMesh ball = make_icosphere(1.0, 4);
  const TriangleTree tree(ball);
  math::RandomStream random(5);
  const int n = 20000;
  const InteriorSamples samples = sample_interior(tree, n, random);
  ASSERT_TRUE(samples.is_complete);
  EXPECT_EQ(samples.points.size(), static_cast<std::size_t>(n));
  const MassProperties exact = mass_properties(ball);
  const Aabb box = tree.box();
  const double box_volume = (box.upper - box.lower).prod();
  EXPECT_NEAR(double(n) / samples.attempts * box_volume, exact.volume,
              5 * box_volume * 0.5 / std::sqrt(samples.attempts));
  Vector3d mean = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const Vector3d& p : samples.points) {
    mean += p / n;
    second += p * p.transpose() / n;
  }
  EXPECT_LE(mean.norm(), 5 * std::sqrt(0.6 / n));
  EXPECT_LE((second - 0.2 * Matrix3d::Identity()).cwiseAbs().maxCoeff(), 5 * 0.2 / std::sqrt(n) + 0.002);
  // A sliver that fills hardly any of its box: given up, and said.
  const TriangleMesh needle{{{0, 0, 0}, {1, 1, 1}, {1, 1, 1.0001}, {1, 1.0001, 1}},
                            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const InteriorSamples few =
      sample_interior(TriangleTree(needle), 3, random, {.max_attempts_per_point = 100});
  EXPECT_FALSE(few.is_complete);
  EXPECT_EQ(few.attempts, 300);
}

TEST(Sampling, GridFillsTheVolume) {
  const auto points = grid_interior(TriangleTree(make_box({1, 2, 3})), 0.1);
  EXPECT_EQ(points.size(), 6000u);
  const auto coarse = grid_interior(TriangleTree(make_box({0.25, 0.25, 0.25})), 1.0);
  ASSERT_EQ(coarse.size(), 1u);
  EXPECT_EQ(coarse[0], Vector3d::Zero());
  const TriangleMesh torus = make_torus(1.0, 0.4, 40, 24);
  const double spacing = 0.05;
  EXPECT_NEAR(grid_interior(TriangleTree(torus), spacing).size() * std::pow(spacing, 3) /
                  mass_properties(torus).volume,
              1.0, 0.01);
}

TEST(Sampling, SameStreamSamePoints) {
  const TriangleMesh mesh = make_torus(1.0, 0.4, 20, 10);
  math::RandomStream a(9), b(9);
  const auto first = sample_surface(mesh, 50, a), second = sample_surface(mesh, 50, b);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(first[i].point, second[i].point);
}

TEST(Sampling, RefusesBadInput) {
  math::RandomStream random(1);
  const TriangleMesh flat{{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {{0, 1, 2}}};
  EXPECT_THROW(sample_surface(flat, 3, random), std::invalid_argument);
  EXPECT_THROW(sample_surface({}, 3, random), std::invalid_argument);
  EXPECT_THROW(sample_surface({{{0, 0, 0}}, {{0, 1, 2}}}, 3, random), std::invalid_argument);
  EXPECT_THROW(sample_surface(make_box({1, 1, 1}), -1, random), std::invalid_argument);
  EXPECT_THROW(farthest_point_sampling({{0, 0, 0}}, 2, 0), std::invalid_argument);
  EXPECT_THROW(farthest_point_sampling({{0, 0, 0}}, 1, 1), std::invalid_argument);
  EXPECT_THROW(poisson_disc_surface(make_box({1, 1, 1}), 1e-5, random), std::invalid_argument);
  EXPECT_THROW(poisson_disc_surface(make_box({1, 1, 1}), -1, random), std::invalid_argument);
  EXPECT_THROW(grid_interior(TriangleTree(make_box({1, 1, 1})), 1e-4), std::invalid_argument);
  EXPECT_THROW(grid_interior(TriangleTree(make_box({1, 1, 1})), std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::geometry
