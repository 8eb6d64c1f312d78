#include <algorithm>
#include <map>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tetrahedra_shapes.h"
#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;
using Eigen::Vector4i;

double signed_volume(const TriangleMesh& mesh) {
  double volume = 0.0;
  const Vector3d o = mesh.vertices[0];
  for (const Vector3i& t : mesh.triangles) {
    volume += (mesh.vertices[t[0]] - o).cross(mesh.vertices[t[1]] - o).dot(mesh.vertices[t[2]] - o) / 6.0;
  }
  return volume;
}

double area(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return 0.5 * (b - a).cross(c - a).norm();
}

// Everything the header promises, by independent means. `euler`: V - E + F - T of the solid (1 for a ball, 0
// for a solid torus, 2 for a ball with a cavity).
void check_fills(const TriangleMesh& mesh, const Tetrahedra& result, int euler) {
  ASSERT_EQ(result.status, TetrahedraStatus::ok) << result.brief_report();
  const auto& x = result.vertices;
  ASSERT_GE(x.size(), mesh.vertices.size());
  ASSERT_EQ(result.origin.size(), x.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) ASSERT_EQ(x[i], mesh.vertices[i]);

  double volume = 0.0;
  std::map<std::array<int, 3>, int> faces;
  std::set<std::array<int, 2>> edges;
  std::set<int> used;
  for (std::size_t t = 0; t < result.tetrahedra.size(); ++t) {
    const Vector4i& v = result.tetrahedra[t];
    ASSERT_GT(orient3d(x[v[0]], x[v[1]], x[v[2]], x[v[3]]), 0);
    volume += (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]).dot(x[v[3]] - x[v[0]]) / 6.0;
    for (int i = 0; i < 4; ++i) {
      used.insert(v[i]);
      for (int j = i + 1; j < 4; ++j) edges.insert({std::min(v[i], v[j]), std::max(v[i], v[j])});
      std::array<int, 3> key{v[kTetFace[i][0]], v[kTetFace[i][1]], v[kTetFace[i][2]]};
      std::sort(key.begin(), key.end());
      ++faces[key];
      const int other = result.neighbours[t][i];
      if (other < 0) continue;
      int back = 0;
      for (int k = 0; k < 4; ++k) back += result.neighbours[other][k] == static_cast<int>(t);
      ASSERT_EQ(back, 1);
    }
  }
  EXPECT_NEAR(volume, signed_volume(mesh), 1e-9 * std::abs(signed_volume(mesh)));
  EXPECT_NEAR(volume, result.quality.total_volume, 1e-12 * volume);
  std::size_t outer = 0;
  for (const auto& [key, count] : faces) {
    ASSERT_LE(count, 2);
    outer += count == 1;
  }
  EXPECT_EQ(static_cast<int>(used.size() + faces.size()) -
                static_cast<int>(edges.size() + result.tetrahedra.size()),
            euler);

  // The boundary: as many triangles as unmatched faces, each within its input triangle's planar face, same
  // total area.
  ASSERT_EQ(result.surface.size(), outer);
  const double size = bounding_box(mesh.vertices).diagonal();
  const double reach = bounding_box(mesh.vertices)
                           .upper.cwiseAbs()
                           .cwiseMax(bounding_box(mesh.vertices).lower.cwiseAbs())
                           .maxCoeff();
  const double rounding = 1e-15 * (size + reach) * 10;
  double input_area = 0.0, output_area = 0.0;
  for (const Vector3i& t : mesh.triangles)
    input_area += area(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  for (const TetSurfaceTriangle& s : result.surface) {
    output_area += area(x[s.vertices[0]], x[s.vertices[1]], x[s.vertices[2]]);
    ASSERT_GE(s.input_triangle, 0);
    const Vector3i& t = mesh.triangles[s.input_triangle];
    const Vector3d normal = (mesh.vertices[t[1]] - mesh.vertices[t[0]])
                                .cross(mesh.vertices[t[2]] - mesh.vertices[t[0]])
                                .normalized();
    for (int v : {s.vertices[0], s.vertices[1], s.vertices[2]}) {
      EXPECT_LE(std::abs(normal.dot(x[v] - mesh.vertices[t[0]])), rounding);
    }
    const Vector3d outward = (x[s.vertices[1]] - x[s.vertices[0]]).cross(x[s.vertices[2]] - x[s.vertices[0]]);
    EXPECT_GT(normal.dot(outward), 0.0);
  }
  EXPECT_NEAR(output_area, input_area, 1e-9 * input_area);
}

TEST(Tetrahedra, Cube) {
  const auto result = tetrahedralize(shapes::box_of_cells(1, 1, 1));
  check_fills(shapes::box_of_cells(1, 1, 1), result, 1);
  EXPECT_NEAR(result.quality.total_volume, 1.0, 1e-15);
  EXPECT_EQ(result.surface_steiner + result.interior_steiner, 0);
}

TEST(Tetrahedra, OneTetrahedron) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const auto result = tetrahedralize(mesh);
  check_fills(mesh, result, 1);
  EXPECT_EQ(result.tetrahedra.size(), 1u);
}

TEST(Tetrahedra, LBlockAndManyCoplanarVertices) {
  std::vector<Vector3i> cells;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 3; ++k)
        if (i < 3 || j < 3) cells.emplace_back(i, j, k);
  const auto mesh = shapes::voxels(cells);
  check_fills(mesh, tetrahedralize(mesh), 1);
}

TEST(Tetrahedra, Cavity) {
  const auto mesh =
      merged(shapes::moved(shapes::box_of_cells(1, 1, 1), 3.0, Vector3d::Zero()),
             shapes::moved(shapes::inverted(shapes::box_of_cells(1, 1, 1)), 1.0, Vector3d(1.1, 0.9, 1.2)));
  const auto result = tetrahedralize(mesh);
  check_fills(mesh, result, 2);
  EXPECT_NEAR(result.quality.total_volume, 26.0, 1e-12);
}

TEST(Tetrahedra, TorusAndTwoComponents) {
  const auto torus = shapes::torus(1.0, 0.4, 24, 12);
  check_fills(torus, tetrahedralize(torus), 0);
  // Linked rings: two components, each through the other's hole.
  TriangleMesh other = torus;
  for (auto& v : other.vertices) v = Vector3d(v.x() + 1.0, v.z(), v.y());
  const auto both = merged(torus, shapes::inverted(other));
  check_fills(both, tetrahedralize(both), 0);
}

TEST(Tetrahedra, ThinPlate) {
  TriangleMesh mesh = shapes::box_of_cells(12, 9, 1);
  for (auto& v : mesh.vertices) v.z() *= 1e-3;
  check_fills(mesh, tetrahedralize(mesh), 1);
}

TEST(Tetrahedra, SchoenhardtNeedsSteinerPoints) {
  const auto mesh = shapes::twisted_prism({1, 1, 1}, 1.0, -std::numbers::pi / 6);
  const auto result = tetrahedralize(mesh);
  check_fills(mesh, result, 1);
  EXPECT_GE(result.surface_steiner + result.interior_steiner, 1);
}

TEST(Tetrahedra, TwistedStar) {
  const auto mesh = shapes::twisted_prism({1, 0.3, 1, 0.3, 1, 0.3, 1, 0.3, 1, 0.3}, 0.8, -0.25);
  check_fills(mesh, tetrahedralize(mesh), 1);
}

TEST(Tetrahedra, ScaledAndFarFromTheOrigin) {
  const auto shape = shapes::dented_sphere(16, 0.3);
  const auto prism = shapes::twisted_prism({1, 0.4, 1, 0.4, 1, 0.4}, 0.8, -0.3);
  const auto reference = tetrahedralize(shape);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    for (const double far : {0.0, 1e3}) {
      const Vector3d shift = scale * far * Vector3d(1.0, -0.7, 0.3);
      const auto moved = shapes::moved(shape, scale, shift);
      const auto result = tetrahedralize(moved);
      check_fills(moved, result, 1);
      const auto moved_prism = shapes::moved(prism, scale, shift);
      check_fills(moved_prism, tetrahedralize(moved_prism), 1);
    }
  }
  // A power of two changes nothing but exponents.
  const auto doubled = tetrahedralize(shapes::moved(shape, 1024.0, Vector3d::Zero()));
  EXPECT_EQ(doubled.tetrahedra, reference.tetrahedra);
}

TEST(Tetrahedra, RefinementBoundsEdges) {
  std::vector<Vector3i> cells;
  for (const auto& c :
       {Vector3i(0, 0, 0), Vector3i(1, 0, 0), Vector3i(2, 0, 0), Vector3i(0, 1, 0), Vector3i(0, 1, 1)})
    cells.push_back(c);
  for (const auto& mesh : {shapes::voxels(cells), shapes::dented_sphere(12, 0.3)}) {
    TetrahedraOptions options;
    options.max_edge = 0.3;
    const auto fine = tetrahedralize(mesh, options);
    check_fills(mesh, fine, 1);
    EXPECT_LE(fine.quality.longest_edge, 0.3);
    EXPECT_GT(fine.interior_steiner, 10);
    options.improvement_passes = 0;
    const auto raw = tetrahedralize(mesh, options);
    check_fills(mesh, raw, 1);
    EXPECT_LE(raw.quality.longest_edge, 0.3);
    options.max_points = static_cast<int>(mesh.vertices.size()) + 20;
    const auto limited = tetrahedralize(mesh, options);
    EXPECT_EQ(limited.status, TetrahedraStatus::point_limit);
    EXPECT_NE(limited.message.find("max_points"), std::string::npos);
  }
}

TEST(Tetrahedra, ImprovementNeverLowersTheWorstShape) {
  for (const auto& mesh : {shapes::dented_sphere(20, 0.3), shapes::torus(1.0, 0.4, 24, 12)}) {
    TetrahedraOptions options;
    double worst = -1e-12;  // a cell that is flat up to rounding may come out as less than nothing
    int slivers = 1 << 30;
    for (const int passes : {0, 1, 3}) {
      options.improvement_passes = passes;
      const auto result = tetrahedralize(mesh, options);
      check_fills(mesh, result, mesh.vertices.size() == 24 * 12 ? 0 : 1);
      EXPECT_GE(result.quality.min_mean_ratio, worst);
      EXPECT_LE(result.quality.slivers, slivers);
      worst = result.quality.min_mean_ratio;
      slivers = result.quality.slivers;
    }
  }
}

TEST(TetQuality, RegularTetrahedronAndCubeCorner) {
  const std::vector<Vector3d> regular{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const std::vector<Vector4i> one{{0, 1, 2, 3}};
  EXPECT_NEAR(std::abs(mean_ratio(regular[0], regular[1], regular[2], regular[3])), 1.0, 1e-15);
  const auto report = tet_quality(regular, one);
  EXPECT_NEAR(report.min_dihedral, std::acos(1.0 / 3.0), 1e-15);
  EXPECT_NEAR(report.max_dihedral, std::acos(1.0 / 3.0), 1e-15);
  EXPECT_NEAR(report.radius_edge[3], std::sqrt(6.0) / 4.0, 1e-15);
  EXPECT_NEAR(std::abs(report.total_volume), 8.0 / 3.0, 1e-15);
  EXPECT_EQ(report.slivers, 0);
  const std::vector<Vector3d> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto right = tet_quality(corner, one);
  EXPECT_NEAR(right.max_dihedral, std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(right.min_dihedral, std::acos(1.0 / std::sqrt(3.0)), 1e-15);
  EXPECT_NEAR(right.radius_edge[0], std::sqrt(3.0) / 2.0, 1e-15);
  EXPECT_NEAR(right.longest_edge, std::sqrt(2.0), 1e-15);
  const std::vector<Vector3d> sliver{{0, 0, 0}, {1, 1, 0}, {1, 0, 0.01}, {0, 1, 0.01}};
  EXPECT_EQ(tet_quality(sliver, one).slivers, 1);
}

TEST(Tetrahedra, DuplicateVerticesAreWelded) {
  const auto cube = shapes::box_of_cells(2, 2, 2);
  TriangleMesh soup;
  for (const Vector3i& t : cube.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(cube.vertices[t[k]]);
    soup.triangles.emplace_back(n, n + 1, n + 2);
  }
  check_fills(soup, tetrahedralize(soup), 1);
}

void expect_refusal(const TriangleMesh& mesh, TetrahedraStatus status, const std::string& words) {
  const auto result = tetrahedralize(mesh);
  EXPECT_EQ(result.status, status) << result.brief_report();
  EXPECT_NE(result.message.find(words), std::string::npos) << result.message;
  EXPECT_TRUE(result.status != TetrahedraStatus::ok);
}

TEST(Tetrahedra, SaysWhyItCannot) {
  expect_refusal({}, TetrahedraStatus::empty, "no triangles");
  TriangleMesh mesh = shapes::box_of_cells(1, 1, 1);
  expect_refusal(shapes::inverted(mesh), TetrahedraStatus::inside_out, "inside out");
  mesh.triangles.pop_back();
  expect_refusal(mesh, TetrahedraStatus::not_closed, "not closed");
  mesh.triangles.emplace_back(0, 1, 99);
  expect_refusal(mesh, TetrahedraStatus::bad_index, "triangle 11");
  mesh.vertices[3].x() = std::numeric_limits<double>::infinity();
  expect_refusal(mesh, TetrahedraStatus::not_finite, "vertex 3");
  const auto cube = shapes::box_of_cells(1, 1, 1);
  expect_refusal(merged(cube, shapes::moved(cube, 1.0, Vector3d(0.5, 0.4, 0.3))),
                 TetrahedraStatus::self_intersecting, "intersects itself");
  expect_refusal(merged(shapes::moved(cube, 3.0, Vector3d(-1, -1, -1)), cube), TetrahedraStatus::not_solid,
                 "0 to 2");
  TriangleMesh flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  flat.triangles = {{0, 1, 2}, {0, 2, 1}};
  expect_refusal(flat, TetrahedraStatus::degenerate, "no volume");
}

TEST(Tetrahedra, OptionsAreChecked) {
  TetrahedraOptions options;
  options.max_edge = -1.0;
  try {
    tetrahedralize(shapes::box_of_cells(1, 1, 1), options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("max_edge is -1"), std::string::npos);
  }
  options = {};
  options.max_steiner = 0;
  const auto schoenhardt = shapes::twisted_prism({1, 1, 1}, 1.0, -std::numbers::pi / 6);
  EXPECT_EQ(tetrahedralize(schoenhardt, options).status, TetrahedraStatus::steiner_limit);
}

}  // namespace
}  // namespace prehend::geometry
