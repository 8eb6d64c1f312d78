#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/geometry/test/dirty_meshes.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

TEST(TriangleTree, RaysThroughABox) {
  const TriangleTree tree(make_box({2, 4, 6}));
  const Ray ray{{-5, 0.3, 0.4}, {2, 0, 0}};
  const auto hit = tree.closest_hit(ray);
  ASSERT_TRUE(hit);
  EXPECT_DOUBLE_EQ(hit->t, 2.0);
  EXPECT_LE((hit->point - Vector3d(-1, 0.3, 0.4)).norm(), 1e-15);
  EXPECT_TRUE(hit->from_outside);
  const auto all = tree.all_hits(ray);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_DOUBLE_EQ(all[1].t, 3.0);
  EXPECT_FALSE(all[1].from_outside);
  EXPECT_TRUE(tree.any_hit(ray));
  EXPECT_FALSE(tree.any_hit({{-5, 0.3, 0.4}, {-1, 0, 0}}));
  EXPECT_FALSE(tree.any_hit({{-5, 0.3, 0.4}, {1, 0, 0}, 0.0, 3.9}));
  EXPECT_NEAR(tree.closest_hit({{-5, 0.3, 0.4}, {1, 0, 0}, 4.5})->t, 6.0, 1e-14);
  // From inside, both ways along an axis.
  EXPECT_NEAR(tree.closest_hit({{0.1, 0.2, 0.3}, {0, 0, -1}})->t, 3.3, 1e-14);
}

TEST(TriangleTree, NoRayFromInsideSlipsThroughEdgesAndVertices) {
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (double distance : {0.0, 1e4}) {
      math::RandomStream random(5);
      const Vector3d offset = distance * scale * Vector3d(1, 2, -3);
      TriangleMesh mesh = make_icosphere(scale, 3);
      for (Vector3d& v : mesh.vertices) v += offset;
      const TriangleTree tree(mesh);
      for (int i = 0; i < 4000; ++i) {
        const Vector3d p = offset + 0.5 * scale * random.uniform() * random.unit_vector();
        const auto& t = mesh.triangles[random.below(static_cast<std::uint32_t>(mesh.triangles.size()))];
        // At a vertex, or at a point of an edge.
        const double s = i % 2 ? 1.0 : random.uniform();
        const Vector3d target = s * mesh.vertices[t[0]] + (1 - s) * mesh.vertices[t[1]];
        EXPECT_TRUE(tree.any_hit({p, target - p}));
      }
    }
  }
}

TEST(TriangleTree, RaysOnASphereApproachTheClosedForm) {
  const double radius = 0.7;
  const TriangleMesh mesh = make_icosphere(radius, 5);
  const TriangleTree tree(mesh);
  math::RandomStream random(9);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3d origin = 2.0 * random.unit_vector(),
                   direction = (random.unit_vector() * 0.6 - origin).normalized();
    const double b = origin.dot(direction), c = origin.squaredNorm() - radius * radius, d = b * b - c;
    const auto hit = tree.closest_hit({origin, direction});
    if (d < 0.0) {
      EXPECT_FALSE(hit);  // the mesh is inscribed
    } else if (d > 0.05) {
      ASSERT_TRUE(hit);
      ++hits;
      // The inscribed sphere bounds the hit from the other side.
      const double inner = radius - sphere_deviation(radius, 5);
      EXPECT_GE(hit->t, -b - std::sqrt(d) - 1e-12);
      EXPECT_LE(hit->t, -b - std::sqrt(b * b - origin.squaredNorm() + inner * inner) + 1e-12);
      Vector3d sum = Vector3d::Zero();
      for (int k = 0; k < 3; ++k)
        sum += hit->barycentric[k] * mesh.vertices[mesh.triangles[hit->triangle][k]];
      EXPECT_LE((sum - hit->point).norm(), 1e-13);
    }
  }
  EXPECT_GT(hits, 500);
}

TEST(TriangleTree, ClosestPointMatchesBruteForceAndTheBox) {
  const Vector3d size(1, 2, 3);
  const TriangleTree tree(make_box(size));
  math::RandomStream random(12);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = 3.0 * random.uniform() * random.unit_vector();
    const Vector3d clamped = p.cwiseMax(-0.5 * size).cwiseMin(0.5 * size);
    const ClosestPoint found = tree.signed_distance(p);
    const Vector3d depth = 0.5 * size - p.cwiseAbs();
    const double expected = clamped == p ? -depth.minCoeff() : (clamped - p).norm();
    EXPECT_NEAR(found.distance, expected, 1e-14);
    if (clamped != p) {
      EXPECT_LE((found.point - clamped).norm(), 1e-14);
    }
  }
  EXPECT_FALSE(tree.closest_point_within({5, 0, 0}, 4.4));
  EXPECT_TRUE(tree.closest_point_within({5, 0, 0}, 4.6));
}

TEST(TriangleTree, WindingNumberOfATorusAndItsScaledAndMovedCopies) {
  math::RandomStream random(3);
  for (double scale : {1e-3, 1.0, 1e3}) {
    const Vector3d offset = 1e4 * scale * Vector3d(1, -1, 2);
    TriangleMesh mesh = make_torus(1.0, 0.4, 60, 40);
    for (Vector3d& v : mesh.vertices) v = scale * v + offset;
    const TriangleTree tree(mesh);
    for (int i = 0; i < 500; ++i) {
      const Vector3d p(random.uniform(-1.6, 1.6), random.uniform(-1.6, 1.6), random.uniform(-0.6, 0.6));
      const double tube = std::hypot(std::hypot(p.x(), p.y()) - 1.0, p.z());
      if (std::abs(tube - 0.4) < 0.01) continue;
      const Vector3d q = scale * p + offset;
      EXPECT_EQ(tree.contains(q), tube < 0.4);
      EXPECT_NEAR(tree.winding_number_exact(q), tube < 0.4 ? 1.0 : 0.0, 1e-8);
      EXPECT_NEAR(tree.winding_number(q), tube < 0.4 ? 1.0 : 0.0, 0.01);
    }
  }
}

TEST(TriangleTree, InteriorOfAnOpenAnInvertedAndANestedMesh) {
  TriangleMesh open = make_icosphere(1.0, 3);
  open.triangles.resize(open.triangles.size() - 20);  // a hole
  const TriangleTree tree(open);
  EXPECT_TRUE(tree.contains({0, 0, 0}));
  EXPECT_FALSE(tree.contains({2, 0, 0}));
  EXPECT_GT(tree.winding_number_exact({0, 0, 0}), 0.9);
  EXPECT_NEAR(TriangleTree(dirty::inverted(make_icosphere(1.0, 3))).winding_number_exact({0, 0, 0}), -1.0,
              1e-12);
  const TriangleTree hollow(merged(make_box({2, 2, 2}), dirty::inverted(make_box({1, 1, 1}))));
  EXPECT_FALSE(hollow.contains({0, 0, 0}));
  EXPECT_TRUE(hollow.contains({0.75, 0, 0}));
}

TEST(TriangleTree, SameAnswersFromManyThreads) {
  const TriangleTree tree(make_torus(1.0, 0.4, 60, 40));
  std::vector<double> alone(400), together(400);
  const auto ask = [&](std::vector<double>& out, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      math::RandomStream random(1, i);
      out[i] = tree.signed_distance(1.5 * random.unit_vector() * random.uniform()).distance;
    }
  };
  ask(alone, 0, 400);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) threads.emplace_back(ask, std::ref(together), 100 * k, 100 * (k + 1));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

TEST(TriangleTree, RefusesWhatItCannotAnswer) {
  EXPECT_THROW(TriangleTree(TriangleMesh{}), std::invalid_argument);
  TriangleMesh bad = make_box({1, 1, 1});
  bad.triangles[3][0] = 99;
  EXPECT_THROW(TriangleTree{bad}, std::invalid_argument);
  bad = make_box({1, 1, 1});
  bad.vertices[0].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(TriangleTree{bad}, std::invalid_argument);
  const TriangleTree tree(make_box({1, 1, 1}));
  EXPECT_THROW(tree.any_hit({{0, 0, 0}, {0, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(tree.closest_point({std::nan(""), 0, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::geometry
