#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/polyhedron.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

int count(const Polyhedron& shape, EdgeKind kind) {
  int n = 0;
  for (const PolyhedronEdge& edge : shape.edges()) n += edge.kind == kind;
  return n;
}

int corner_count(const Polyhedron& shape) {
  int n = 0;
  for (std::size_t v = 0; v < shape.vertices().size(); ++v) n += shape.is_corner(VertexIndex(v));
  return n;
}

// A grid of cells, each a unit cube or empty, as one triangle soup: three vertices of its own per triangle.
TriangleMesh soup_of_cells(const std::set<std::array<int, 3>>& cells) {
  TriangleMesh soup;
  for (const auto& cell : cells) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        auto neighbour = cell;
        neighbour[axis] += side == 1 ? 1 : -1;
        if (cells.contains(neighbour)) continue;
        Vector3d corner(cell[0], cell[1], cell[2]);
        corner[axis] += side;
        const Vector3d u = Vector3d::Unit((axis + 1) % 3), v = Vector3d::Unit((axis + 2) % 3);
        const std::array<Vector3d, 4> quad{corner, corner + u, corner + u + v, corner + v};
        for (auto triangle : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
          if (side == 0) std::swap(triangle[1], triangle[2]);
          const int n = static_cast<int>(soup.vertices.size());
          for (const int k : triangle) soup.vertices.push_back(quad[k]);
          soup.triangles.emplace_back(n, n + 1, n + 2);
        }
      }
    }
  }
  return soup;
}

// V - E + F - (holes in faces) = 2 (pieces - handles), counting corners and straight edges only.
int euler_characteristic(const Polyhedron& shape) {
  int holes = 0;
  for (const PolyhedronFace& face : shape.faces()) holes += face.loop_count - 1;
  return corner_count(shape) - static_cast<int>(shape.edges().size()) +
         static_cast<int>(shape.faces().size()) - holes;
}

TEST(Polyhedron, BoxHasSixFacesTwelveConvexEdges) {
  const Polyhedron box = Polyhedron::from_mesh(make_box(Vector3d(1.0, 2.0, 3.0)));
  EXPECT_EQ(box.vertices().size(), 8u);
  ASSERT_EQ(box.faces().size(), 6u);
  ASSERT_EQ(box.edges().size(), 12u);
  EXPECT_TRUE(box.is_closed());
  EXPECT_TRUE(box.is_manifold());
  EXPECT_TRUE(box.problems().empty());
  double area = 0.0;
  for (std::size_t f = 0; f < 6; ++f) {
    const PolyhedronFace& face = box.faces()[f];
    EXPECT_EQ(face.loop_count, 1);
    EXPECT_EQ(box.loop(FaceIndex(f), 0).size(), 4u);
    EXPECT_TRUE(face.is_convex);
    EXPECT_GT(face.offset, 0.0);
    area += face.area;
  }
  EXPECT_NEAR(area, 22.0, 1e-13);
  for (const PolyhedronEdge& edge : box.edges()) {
    EXPECT_EQ(edge.kind, EdgeKind::convex);
    EXPECT_NEAR(edge.interior_angle, pi / 2, 1e-14);
    // The left face lies to the left of the edge seen from outside.
    const Vector3d along = box.vertices()[edge.end] - box.vertices()[edge.start];
    const Vector3d into = box.faces()[edge.left].normal.cross(along);
    EXPECT_LT(into.dot(box.faces()[edge.right].normal), 0.0);
  }
  for (std::size_t v = 0; v < 8; ++v) {
    EXPECT_EQ(box.vertex_edges(VertexIndex(v)).size(), 3u);
    EXPECT_EQ(box.vertex_faces(VertexIndex(v)).size(), 3u);
    const Vector3d outwards = box.vertices()[v].cwiseSign() / std::sqrt(3.0);
    EXPECT_LT((box.vertex_normal(VertexIndex(v)) - outwards).norm(), 1e-14);
  }
}

TEST(Polyhedron, LShapedSoupHasOneConcaveEdge) {
  const Polyhedron shape =
      Polyhedron::from_mesh(soup_of_cells({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {0, 0, 2}}));
  EXPECT_TRUE(shape.is_closed());
  EXPECT_EQ(shape.faces().size(), 8u);
  EXPECT_EQ(shape.edges().size(), 18u);
  EXPECT_EQ(corner_count(shape), 12);
  EXPECT_EQ(count(shape, EdgeKind::concave), 1);
  EXPECT_EQ(count(shape, EdgeKind::convex), 17);
  EXPECT_EQ(euler_characteristic(shape), 2);
  for (const PolyhedronEdge& edge : shape.edges()) {
    if (edge.kind != EdgeKind::concave) continue;
    EXPECT_NEAR(edge.interior_angle, 1.5 * pi, 1e-14);
  }
  int concave_faces = 0;
  for (std::size_t f = 0; f < shape.faces().size(); ++f) {
    if (shape.faces()[f].is_convex) {
      EXPECT_EQ(shape.corners(FaceIndex(f), 0).size(), 4u);
    } else {
      ++concave_faces;
      EXPECT_EQ(shape.corners(FaceIndex(f), 0).size(), 6u);
      EXPECT_GT(shape.loop(FaceIndex(f), 0).size(),
                6u);  // vertices in the middle of straight sides stay in the loop
    }
  }
  EXPECT_EQ(concave_faces, 2);
}

TEST(Polyhedron, RingHasFacesWithHoles) {
  std::set<std::array<int, 3>> cells;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      if (x != 1 || y != 1) cells.insert({x, y, 0});
    }
  }
  const Polyhedron ring = Polyhedron::from_mesh(soup_of_cells(cells));
  EXPECT_EQ(ring.faces().size(), 10u);
  EXPECT_EQ(ring.edges().size(), 24u);
  EXPECT_EQ(count(ring, EdgeKind::concave), 4);
  EXPECT_EQ(euler_characteristic(ring), 0);  // one handle
  int with_hole = 0;
  for (std::size_t f = 0; f < ring.faces().size(); ++f) {
    const PolyhedronFace& face = ring.faces()[f];
    if (face.loop_count != 2) continue;
    ++with_hole;
    EXPECT_NEAR(face.area, 8.0, 1e-14);
    EXPECT_NEAR(face.perimeter, 16.0, 1e-14);
    EXPECT_EQ(ring.corners(FaceIndex(f), 0).size(), 4u);
    EXPECT_EQ(ring.corners(FaceIndex(f), 1).size(), 4u);
    EXPECT_EQ(ring.loop(FaceIndex(f), 0).size(), 12u);
  }
  EXPECT_EQ(with_hole, 2);
}

TEST(Polyhedron, RandomCellsKeepTheirFormInAnyPoseAndSize) {
  for (int trial = 0; trial < 30; ++trial) {
    math::RandomStream random(11, trial);
    std::set<std::array<int, 3>> cells{{0, 0, 0}};
    while (cells.size() < 12) {  // grows by neighbours, so edges shared by four cubes may occur
      auto cell = *std::next(cells.begin(), random.below(static_cast<std::uint32_t>(cells.size())));
      cell[random.below(3)] += random.below(2) ? 1 : -1;
      cells.insert(cell);
    }
    const TriangleMesh soup = soup_of_cells(cells);
    const Polyhedron reference = Polyhedron::from_mesh(soup);
    const double scale = std::array{1.0, 0.001, 1000.0}[trial % 3];
    const math::Pose pose(random.rotation(), 1e4 * scale * random.unit_vector());
    const Polyhedron moved =
        Polyhedron::from_mesh(transformed(scaled(soup, Vector3d::Constant(scale)), pose));
    EXPECT_EQ(moved.is_closed(), reference.is_closed());
    ASSERT_EQ(moved.faces().size(), reference.faces().size());
    ASSERT_EQ(moved.edges().size(), reference.edges().size());
    EXPECT_EQ(corner_count(moved), corner_count(reference));
    for (const EdgeKind kind :
         {EdgeKind::convex, EdgeKind::concave, EdgeKind::flat, EdgeKind::non_manifold}) {
      EXPECT_EQ(count(moved, kind), count(reference, kind));
    }
    for (std::size_t f = 0; f < moved.faces().size(); ++f) {
      EXPECT_NEAR(moved.faces()[f].area, scale * scale * reference.faces()[f].area, 1e-10 * scale * scale);
      EXPECT_LT((moved.faces()[f].normal - pose.R() * reference.faces()[f].normal).norm(), 1e-10);
      EXPECT_EQ(moved.faces()[f].loop_count, reference.faces()[f].loop_count);
    }
  }
}

TEST(Polyhedron, CurvedMeshKeepsItsTriangles) {
  const Polyhedron ball = Polyhedron::from_mesh(make_icosphere(0.3, 6));  // 81 920 triangles
  EXPECT_EQ(ball.faces().size(), 81920u);
  EXPECT_EQ(ball.edges().size(), 122880u);
  EXPECT_EQ(count(ball, EdgeKind::convex), 122880);
  EXPECT_EQ(euler_characteristic(ball), 2);
  const Polyhedron cylinder = Polyhedron::from_mesh(make_cylinder(0.1, 0.5, 1000));
  EXPECT_EQ(cylinder.faces().size(), 1002u);
  EXPECT_EQ(cylinder.edges().size(), 3000u);
}

TEST(Polyhedron, GentleCurvatureIsNotFlattenedStepByStep) {
  // A strip that turns by 1e-4 rad, less than the flatness angle, at each of 20 000 steps: a circle again in
  // the end.
  const Polyhedron wheel = Polyhedron::from_mesh(make_cylinder(1.0, 0.5, 60000));
  for (std::size_t f = 0; f < wheel.faces().size(); ++f) {
    EXPECT_LE(wheel.faces()[f].flatness_deviation, 2e-6 * wheel.size());
  }
  EXPECT_GT(wheel.faces().size(), 500u);
}

TEST(Polyhedron, DirtyMeshIsMendedAndNamed) {
  TriangleMesh dirty = make_box(Vector3d(1.0, 1.0, 1.0));
  dirty.triangles.push_back(dirty.triangles[3]);                             // a duplicate
  dirty.triangles.emplace_back(0, 0, 1);                                     // two corners in one place
  dirty.vertices.push_back(dirty.vertices[0] + Vector3d(1e-8, -1e-8, 0.0));  // a double vertex
  dirty.triangles[0] = dirty.triangles[0].unaryExpr([](int v) { return v == 0 ? 8 : v; });
  dirty.vertices.emplace_back(77.0, 0.0, 0.0);  // belongs to no triangle
  TriangleMesh clean_size = dirty;
  clean_size.vertices.pop_back();
  const Polyhedron box = Polyhedron::from_mesh(clean_size);
  EXPECT_TRUE(box.is_closed());
  EXPECT_EQ(box.faces().size(), 6u);
  EXPECT_EQ(box.edges().size(), 12u);
  ASSERT_EQ(box.problems().size(), 2u);
  EXPECT_NE(box.problems()[0].find("two corners in one place"), std::string::npos);
  EXPECT_NE(box.problems()[1].find("there more than once"), std::string::npos);
  EXPECT_EQ(Polyhedron::from_mesh(dirty).faces().size(), 6u);
}

TEST(Polyhedron, TriangleWithoutHeightKeepsTheMeshClosed) {
  // The top edge of one face has a vertex in its middle, closed by a triangle of zero height: vertex 8 lies
  // between 0 and 1.
  TriangleMesh mesh = make_box(Vector3d(2.0, 2.0, 2.0));
  const Eigen::Vector3i split = mesh.triangles[0];
  const int a = split[0], b = split[1], c = split[2], m = 8;
  mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
  mesh.triangles[0] = {a, m, c};
  mesh.triangles.emplace_back(m, b, c);
  mesh.triangles.emplace_back(a, b, m);
  const Polyhedron box = Polyhedron::from_mesh(mesh);
  EXPECT_TRUE(box.is_closed());
  EXPECT_EQ(box.faces().size(), 6u);
  EXPECT_EQ(box.edges().size(), 12u);
  EXPECT_EQ(box.vertices().size(), 9u);
  EXPECT_EQ(corner_count(box), 8);
}

TEST(Polyhedron, SeamsWithUnequalEdgesAreClosed) {
  // Walls of one piece meet a floor of 3 x 2 tiles and a lid of 1 x 2: vertices in the middle of edges, four
  // of them in one.
  TriangleMesh soup;
  const auto quad = [&](const Vector3d& corner, const Vector3d& u, const Vector3d& v) {
    const int n = static_cast<int>(soup.vertices.size());
    for (const Vector3d& p : {corner, Vector3d(corner + u), Vector3d(corner + u + v), Vector3d(corner + v)})
      soup.vertices.push_back(p);
    soup.triangles.emplace_back(n, n + 1, n + 2);
    soup.triangles.emplace_back(n, n + 2, n + 3);
  };
  const Vector3d x = 3.0 * Vector3d::UnitX(), y = 2.0 * Vector3d::UnitY(), z = Vector3d::UnitZ();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) quad({1.0 * i, 1.0 * j, 0.0}, Vector3d::UnitY(), Vector3d::UnitX());
  }
  for (int j = 0; j < 2; ++j) quad(z + 0.5 * j * y, x, 0.5 * y);
  quad(Vector3d::Zero(), x, z);
  quad(y, z, x);
  quad(Vector3d::Zero(), z, y);
  quad(x, y, z);
  const Polyhedron box = Polyhedron::from_mesh(soup);
  EXPECT_TRUE(box.is_closed()) << box.brief_report();
  EXPECT_EQ(box.faces().size(), 6u);
  EXPECT_EQ(box.edges().size(), 12u);
  EXPECT_EQ(corner_count(box), 8);
  ASSERT_EQ(box.problems().size(), 1u);
  EXPECT_NE(box.problems()[0].find("in the middle of an open edge"), std::string::npos);
}

TEST(Polyhedron, OpenInsideOutAndNonManifoldAreNamed) {
  TriangleMesh open = make_box(Vector3d(1.0, 1.0, 1.0));
  open.triangles.pop_back();
  const Polyhedron lidless = Polyhedron::from_mesh(open);
  EXPECT_FALSE(lidless.is_closed());
  EXPECT_TRUE(lidless.is_manifold());
  EXPECT_EQ(count(lidless, EdgeKind::boundary), 3);
  EXPECT_EQ(lidless.problems().at(0), "open: 3 edges have one triangle only");

  TriangleMesh inside_out = make_box(Vector3d(1.0, 1.0, 1.0));
  for (Eigen::Vector3i& t : inside_out.triangles) std::swap(t[0], t[1]);
  const Polyhedron turned = Polyhedron::from_mesh(inside_out);
  EXPECT_GT(turned.faces()[0].offset, 0.0);
  EXPECT_NE(turned.problems().at(0).find("inside out"), std::string::npos);

  const Polyhedron touching = Polyhedron::from_mesh(soup_of_cells({{0, 0, 0}, {1, 1, 0}}));
  EXPECT_FALSE(touching.is_manifold());
  EXPECT_EQ(count(touching, EdgeKind::non_manifold), 4);
  EXPECT_NE(touching.problems().at(0).find("more than two triangles"), std::string::npos);
  EXPECT_EQ(Polyhedron::from_mesh(TriangleMesh{}).problems().at(0), "there is no triangle");
}

TEST(Polyhedron, BadInputIsRefused) {
  TriangleMesh mesh = make_box(Vector3d(1.0, 1.0, 1.0));
  mesh.triangles[4][1] = 99;
  EXPECT_THROW(Polyhedron::from_mesh(mesh), std::invalid_argument);
  mesh = make_box(Vector3d(1.0, 1.0, 1.0));
  mesh.vertices[2].x() = std::nan("");
  EXPECT_THROW(Polyhedron::from_mesh(mesh), std::invalid_argument);
  try {
    Polyhedron::from_mesh(make_box(Vector3d(1.0, 1.0, 1.0)), {.flatness_angle = -2.0});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "PolyhedronOptions::flatness_angle is -2; it must be finite and above 0");
  }
}

}  // namespace
}  // namespace prehend::geometry
