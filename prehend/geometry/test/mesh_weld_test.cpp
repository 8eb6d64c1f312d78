#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/test/dirty_meshes.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using dirty::exploded;
using Eigen::Vector3d;

TEST(MeshWeld, ExactModeUndoesAnStlSoup) {
  const TriangleMesh sphere = make_icosphere(1.0, 3);
  const WeldResult welded = weld_vertices(exploded(sphere), {.relative_tolerance = 0.0});
  EXPECT_EQ(welded.mesh.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(welded.mesh.triangles.size(), sphere.triangles.size());
  EXPECT_EQ(welded.merged_vertices, 3 * 1280 - 642);
  EXPECT_EQ(welded.merged_within_tolerance, 0);
  const TriangleMesh soup = exploded(sphere);
  for (std::size_t i = 0; i < soup.vertices.size(); ++i) {
    EXPECT_EQ(welded.mesh.vertices[welded.vertex_of[i]], soup.vertices[i]);
  }
}

TEST(MeshWeld, NegativeZeroIsZero) {
  const TriangleMesh mesh{{{0.0, 1, 2}, {-0.0, 1, 2}, {5, 5, 5}}, {{0, 1, 2}}};
  const WeldResult welded = weld_vertices(mesh, {.relative_tolerance = 0.0});
  EXPECT_EQ(welded.mesh.vertices.size(), 2u);
  EXPECT_EQ(welded.mesh.triangles[0], Eigen::Vector3i(0, 0, 1));
}

TEST(MeshWeld, ToleranceJoinsWhatRoundingSeparatedAtAnyScaleAndPlace) {
  math::RandomStream random(3);
  const TriangleMesh sphere = make_icosphere(1.0, 3);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (double distance : {0.0, 1e4}) {
      TriangleMesh soup = exploded(sphere);
      const Vector3d offset = distance * scale * Vector3d(1, -2, 3);
      for (Vector3d& v : soup.vertices) v = scale * (v + 3e-8 * random.unit_vector()) + offset;
      EXPECT_EQ(weld_vertices(soup).mesh.vertices.size(), sphere.vertices.size());
      EXPECT_EQ(weld_vertices(soup, {.relative_tolerance = 0.0}).mesh.vertices.size(), soup.vertices.size());
    }
  }
}

TEST(MeshWeld, MatchesTheQuadraticDefinition) {
  // Dense random points, with a tolerance that joins many: the first earlier kept vertex within reach.
  math::RandomStream random(8);
  TriangleMesh cloud;
  for (int i = 0; i < 1500; ++i)
    cloud.vertices.emplace_back(random.uniform(), random.uniform(), random.uniform());
  const WeldResult welded = weld_vertices(cloud, {.relative_tolerance = 0.04});
  std::vector<Vector3d> kept;
  std::vector<int> vertex_of;
  for (const Vector3d& p : cloud.vertices) {
    int item = -1;
    for (std::size_t k = 0; k < kept.size() && item < 0; ++k) {
      if ((kept[k] - p).squaredNorm() <= welded.tolerance * welded.tolerance) item = static_cast<int>(k);
    }
    if (item < 0) {
      item = static_cast<int>(kept.size());
      kept.push_back(p);
    }
    vertex_of.push_back(item);
  }
  EXPECT_EQ(welded.vertex_of, vertex_of);
  EXPECT_LT(kept.size(), 1400u);
  EXPECT_EQ(welded.merged_within_tolerance, 1500 - static_cast<int>(kept.size()));
}

TEST(MeshWeld, KeepsBadVerticesApartAndBadIndicesAsTheyAre) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  TriangleMesh mesh{{{nan, 0, 0}, {nan, 0, 0}, {inf, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {{0, 1, 9}, {3, 4, -7}}};
  const WeldResult welded = weld_vertices(mesh);
  EXPECT_EQ(welded.mesh.vertices.size(), 4u);
  EXPECT_EQ(welded.mesh.triangles[0], Eigen::Vector3i(0, 1, 9));
  EXPECT_EQ(welded.mesh.triangles[1], Eigen::Vector3i(3, 3, -7));
  // Many equal bad vertices cost no more than good ones.
  TriangleMesh many;
  many.vertices.assign(300000, Vector3d::Constant(nan));
  EXPECT_EQ(weld_vertices(many).mesh.vertices.size(), 300000u);
}

TEST(MeshWeld, RefusesAToleranceOutOfRange) {
  try {
    weld_vertices({}, {.relative_tolerance = 0.5});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "WeldOptions::relative_tolerance is 0.5; it must be between 0 and 0.1");
  }
  EXPECT_THROW(weld_vertices({}, {.relative_tolerance = std::nan("")}), std::invalid_argument);
  EXPECT_TRUE(weld_vertices({}).mesh.vertices.empty());
}

}  // namespace
}  // namespace prehend::geometry
