// A solid that is not convex, as convex solids that fill it exactly.
//
// Engines of physics collide convex shapes. The planes of all faces at concave edges divide space into convex cells; what the solid has of a
// cell is convex, since no concave edge is left inside it. Those pieces are found by clipping the solid's tetrahedra, and neighbours whose
// union is convex are then joined, the largest union first. A convex solid is one piece: itself.
// Cost: a hull per cut tetrahedron and per pair of neighbours that is tried; a groove of nine cells takes some milliseconds, a
// hole of twelve sides about a tenth of a second.
#pragma once

#include <string>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/polyhedron.h>

namespace prehend::geometry {

struct ConvexPiecesOptions {
  // Distinct planes of faces at concave edges. Pieces grow with their product where they cross: finely divided round hollows are not for this.
  int most_planes{64};
  // Parts of tetrahedra between the planes; more are refused before memory fills.
  int most_cells{20'000};

  // Throws std::invalid_argument naming the value and the bound it breaks.
  void validate() const;
};

enum class ConvexPiecesStatus {
  failed,  // the solid has no tetrahedra (not closed, crossing itself), or pieces do not add up to it
  ok,
  too_many,  // more planes or cells than the options allow
};
const char* to_string(ConvexPiecesStatus status);

struct ConvexPieces {
  ConvexPiecesStatus status{ConvexPiecesStatus::failed};
  std::string message;  // the reason when the status is not ok
  // Closed convex meshes, largest first; their volumes add up to the solid's to 1e-6 of it.
  std::vector<TriangleMesh> pieces;
};

ConvexPieces convex_pieces(const Polyhedron& solid, const ConvexPiecesOptions& options = {});

}  // namespace prehend::geometry
