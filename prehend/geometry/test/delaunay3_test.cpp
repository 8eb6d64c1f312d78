#include <map>

#include <gtest/gtest.h>

#include <prehend/geometry/delaunay_tetrahedra.h>
#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4i;

// Brute force, with the exact predicates: orientation, empty spheres, symmetric adjacency, and every
// unmatched face a face of the convex hull (no point beyond it). Together they characterise a Delaunay
// triangulation of the hull.
void check_delaunay(const std::vector<Vector3d>& p, const DelaunayTetrahedra& result) {
  ASSERT_EQ(result.status, DelaunayStatus::ok) << result.message;
  std::vector<bool> used(p.size(), false);
  for (std::size_t t = 0; t < result.tetrahedra.size(); ++t) {
    const Vector4i& v = result.tetrahedra[t];
    ASSERT_GT(orient3d(p[v[0]], p[v[1]], p[v[2]], p[v[3]]), 0);
    for (int k = 0; k < 4; ++k) used[v[k]] = true;
    for (const Vector3d& q : p) ASSERT_LE(insphere(p[v[0]], p[v[1]], p[v[2]], p[v[3]], q), 0);
    for (int i = 0; i < 4; ++i) {
      const int a = v[kTetFace[i][0]], b = v[kTetFace[i][1]], c = v[kTetFace[i][2]];
      const int other = result.neighbours[t][i];
      if (other < 0) {
        for (const Vector3d& q : p) ASSERT_GE(orient3d(p[a], p[b], p[c], q), 0);
        continue;
      }
      int shared = 0, back = 0;
      for (int k = 0; k < 4; ++k) {
        const int w = result.tetrahedra[other][k];
        shared += w == a || w == b || w == c;
        back += result.neighbours[other][k] == static_cast<int>(t);
      }
      ASSERT_EQ(shared, 3);
      ASSERT_EQ(back, 1);
    }
  }
  for (std::size_t i = 0; i < p.size(); ++i)
    EXPECT_EQ(used[i], result.representative[i] == static_cast<int>(i));
}

TEST(Delaunay3, RandomClouds) {
  for (int trial = 0; trial < 12; ++trial) {
    math::RandomStream random(3, trial);
    std::vector<Vector3d> p(4 + 12 * trial);
    for (Vector3d& q : p) q = random.normal3();
    check_delaunay(p, delaunay_tetrahedra(p));
  }
}

TEST(Delaunay3, GridsAreCosphericalAndCoplanarEverywhere) {
  std::vector<Vector3d> p;
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 4; ++z) p.emplace_back(x, y, z);
  check_delaunay(p, delaunay_tetrahedra(p));
  for (Vector3d& q : p) q = 0.001 * q + Vector3d(1000, -3000, 77);  // coordinates round: nearly degenerate
  check_delaunay(p, delaunay_tetrahedra(p));
}

TEST(Delaunay3, PointsOnASphereWithDuplicates) {
  math::RandomStream random(5);
  std::vector<Vector3d> p;
  for (int i = 0; i < 80; ++i) p.push_back(random.unit_vector());
  p.push_back(p[3]);
  p.push_back(p[3]);
  const auto result = delaunay_tetrahedra(p);
  check_delaunay(p, result);
  EXPECT_EQ(result.representative[81], 3);
}

TEST(Delaunay3, SaysWhyItCannot) {
  std::vector<Vector3d> plane;
  for (int i = 0; i < 20; ++i) plane.emplace_back(i % 5, i / 5, 1.0);
  EXPECT_EQ(delaunay_tetrahedra(plane).status, DelaunayStatus::degenerate);
  EXPECT_EQ(delaunay_tetrahedra({}).status, DelaunayStatus::degenerate);
  EXPECT_EQ(delaunay_tetrahedra(std::vector<Vector3d>(9, Vector3d(1, 2, 3))).status,
            DelaunayStatus::degenerate);
  plane[7].z() = std::numeric_limits<double>::quiet_NaN();
  const auto result = delaunay_tetrahedra(plane);
  EXPECT_EQ(result.status, DelaunayStatus::not_finite);
  EXPECT_NE(result.message.find("point 7"), std::string::npos);
}

}  // namespace
}  // namespace prehend::geometry
