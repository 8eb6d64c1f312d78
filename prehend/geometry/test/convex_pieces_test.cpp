// Convex pieces against what they must be: convex, without overlap, and together the solid.
#include <set>

#include <gtest/gtest.h>

#include "tetrahedra_shapes.h"
#include <prehend/geometry/house/convex_pieces.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/sampling.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/random.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

bool is_convex(const TriangleMesh& mesh) {
  const Polyhedron solid = Polyhedron::from_mesh(mesh);
  for (const PolyhedronEdge& edge : solid.edges())
    if (edge.kind == EdgeKind::concave || edge.kind == EdgeKind::boundary) return false;
  return true;
}

// Random points are in exactly one piece inside the solid, in none outside; points nearer to a surface than rounding do not occur.
void check_pieces(const TriangleMesh& solid, const std::vector<TriangleMesh>& pieces, std::uint64_t seed) {
  double volume = 0.0;
  std::vector<TriangleTree> trees;
  for (const TriangleMesh& piece : pieces) {
    EXPECT_TRUE(is_convex(piece));
    volume += mass_properties(piece).volume;
    trees.emplace_back(piece);
  }
  EXPECT_NEAR(volume, mass_properties(solid).volume, 1e-6 * volume);
  const TriangleTree whole(solid);
  const Aabb box = bounding_box(solid.vertices);
  math::RandomStream random(seed);
  for (int i = 0; i < 300; ++i) {
    Vector3d p;
    for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.lower[k], box.upper[k]);
    int inside = 0;
    for (const TriangleTree& tree : trees) inside += tree.contains(p);
    EXPECT_EQ(inside, whole.contains(p) ? 1 : 0) << p.transpose();
  }
}

ConvexPieces pieces_of(const TriangleMesh& mesh) { return convex_pieces(Polyhedron::from_mesh(mesh)); }

TEST(ConvexPieces, AConvexSolidIsOnePiece) {
  const TriangleMesh box = shapes::box_of_cells(2, 3, 1);
  const ConvexPieces found = pieces_of(box);
  ASSERT_EQ(found.status, ConvexPiecesStatus::ok) << found.message;
  ASSERT_EQ(found.pieces.size(), 1u);
  EXPECT_EQ(found.pieces[0].vertices.size(), 8u);
}

TEST(ConvexPieces, AnLIsTwoAndARingFour) {
  const TriangleMesh l = shapes::voxels({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(pieces_of(l).pieces.size(), 2u);
  std::vector<Vector3i> cells;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      if (x != 1 || y != 1) cells.emplace_back(x, y, 0);
  const TriangleMesh ring = shapes::voxels(cells);
  const ConvexPieces found = pieces_of(ring);
  EXPECT_EQ(found.pieces.size(), 4u);
  check_pieces(ring, found.pieces, 3);
}

TEST(ConvexPieces, RandomSolidsOfCells) {
  int judged = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    math::RandomStream random(seed, 7);
    std::vector<Vector3i> cells{{0, 0, 0}};
    while (cells.size() < 7) {
      Vector3i next = cells[random.below(static_cast<std::uint32_t>(cells.size()))];
      const std::uint32_t axis = random.below(3);
      next[axis] += random.below(2) == 0 ? 1 : -1;
      if (std::find(cells.begin(), cells.end(), next) == cells.end()) cells.push_back(next);
    }
    const TriangleMesh mesh = shapes::moved(shapes::voxels(cells), 0.013, Vector3d(3.0, -1.0, 0.2));
    if (!Polyhedron::from_mesh(mesh).is_manifold()) continue;  // cells that share an edge alone
    const ConvexPieces found = pieces_of(mesh);
    ASSERT_EQ(found.status, ConvexPiecesStatus::ok) << "seed " << seed << ": " << found.message;
    EXPECT_LE(found.pieces.size(), 7u) << "seed " << seed;
    check_pieces(mesh, found.pieces, seed);
    ++judged;
  }
  EXPECT_GE(judged, 20);
}

TEST(ConvexPieces, StarsWhosePlanesAreOblique) {
  const TriangleMesh star = shapes::twisted_prism({1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5}, 1.0, 0.0);
  const ConvexPieces found = pieces_of(star);
  ASSERT_EQ(found.status, ConvexPiecesStatus::ok) << found.message;
  EXPECT_LE(found.pieces.size(), 8u);
  check_pieces(star, found.pieces, 11);
}

TEST(ConvexPieces, RefusesWhatItCannotDivide) {
  ConvexPiecesOptions few;
  few.most_planes = 2;
  const TriangleMesh star = shapes::twisted_prism({1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5}, 1.0, 0.0);
  const ConvexPieces found = convex_pieces(Polyhedron::from_mesh(star), few);
  EXPECT_EQ(found.status, ConvexPiecesStatus::too_many);
  EXPECT_NE(found.message.find("planes at concave edges; at most 2"), std::string::npos) << found.message;
  few.most_planes = 0;
  EXPECT_THROW(convex_pieces(Polyhedron::from_mesh(star), few), std::invalid_argument);
  TriangleMesh open = shapes::box_of_cells(1, 1, 1);
  open.triangles.pop_back();
  const ConvexPieces none = pieces_of(open);
  EXPECT_EQ(none.status, ConvexPiecesStatus::failed);
  EXPECT_NE(none.message.find("no tetrahedra"), std::string::npos) << none.message;
}

}  // namespace
}  // namespace prehend::geometry
