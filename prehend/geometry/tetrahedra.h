// Tetrahedra that fill exactly the solid inside a closed triangle surface.
//
// The surface may be non-convex, have cavities and several components; it must be closed, oriented outwards
// and free of self-intersections. Method: Delaunay tetrahedra of the vertices, recovery of the surface's
// edges and triangles by flips and, where necessary, Steiner points on the surface, removal of the outside,
// optional refinement and improvement.
//
// Guarantees when the status is ok: every tetrahedron has exactly positive orientation, neighbours match, the
// boundary consists of the input triangles or of parts of them (Steiner points lie on their edge or triangle
// up to rounding), and the volume equals the surface's to 1e-9. Any other status gives the reason;
// max_steiner and max_points bound the work. Cost: 30 to 110 us per surface triangle on smooth surfaces, up
// to ten times that on CAD exports with many slivers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

// How well shaped tetrahedra are.
struct TetQualityReport {
  int count{0};
  double min_dihedral{0.0};     // [rad] smallest angle between two faces of a tetrahedron
  double max_dihedral{0.0};     // [rad] largest
  double smallest_volume{0.0};  // [m^3]
  double total_volume{0.0};     // [m^3]
  double longest_edge{0.0};     // [m]
  // Circumradius over shortest edge (0.612 for the regular tetrahedron): at the percentiles 50, 90, 99 and
  // 100.
  std::array<double, 4> radius_edge{};
  double min_mean_ratio{0.0};  // see mean_ratio() below; 1 at best
  // Tetrahedra with a dihedral angle below 5 or above 175 degrees.
  int slivers{0};

  std::string brief_report() const;
};

TetQualityReport tet_quality(std::span<const Eigen::Vector3d> vertices,
                             std::span<const Eigen::Vector4i> tetrahedra);

// Six dihedral angles [rad] at the edges 01, 02, 03, 12, 13, 23.
std::array<double, 6> dihedral_angles(const std::array<Eigen::Vector3d, 4>& p);

// Volume over the cube of the root-mean-square edge, scaled to 1 for the regular tetrahedron; 0 when flat,
// negative when inverted. Cheap and smooth, for comparing alternatives.
double mean_ratio(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                  const Eigen::Vector3d& d);

struct TetrahedraOptions {
  // [m] Edges longer than this are split, on the surface too; 0 leaves the tetrahedra as coarse as the
  // surface allows.
  double max_edge{0.0};
  // Passes of quality improvement (flips, smoothing of interior points); 0 for none, each costs about as much
  // as the Delaunay step. Three is where the gain flattens out.
  int improvement_passes{3};
  // Neighbouring triangles count as one planar face, which may be divided differently, while that moves the
  // surface by at most this, relative to the diagonal of its bounding box. The default is the rounding of
  // single-precision files (STL, most PLY); 0 keeps every triangle that is not exactly coplanar with its
  // neighbour.
  double flatness{1e-7};
  // Steiner points allowed for recovering the surface; never more than 2000 plus its vertices. Ordinary
  // surfaces need a few percent of their vertices; one that needs more than this is most likely damaged.
  int max_steiner{100'000};
  // Vertices in all, refinement included: max_edge far below the object's size must not fill the memory.
  int max_points{1'000'000};

  // Throws std::invalid_argument naming the value and the bound it breaks.
  void validate() const;
};

enum class TetrahedraStatus {
  failed,  // recovery could not go on; the message says where
  ok,
  empty,              // no triangle
  bad_index,          // a triangle refers to a vertex that is not there
  not_finite,         // a coordinate is NaN, infinite or beyond 1e50
  not_closed,         // an edge is not matched by an opposite one
  degenerate,         // the vertices span no volume
  self_intersecting,  // two triangles cross
  inside_out,         // the surface is oriented inwards
  not_solid,  // components overlap or contradict each other in orientation: winding numbers other than 0 and
              // 1
  steiner_limit,  // max_steiner reached
  point_limit,    // max_points reached
};

const char* to_string(TetrahedraStatus status);

enum class TetVertexOrigin : std::uint8_t { input, surface_steiner, interior_steiner };

struct TetSurfaceTriangle {
  Eigen::Vector3i vertices;  // counter-clockwise seen from outside
  int tetrahedron;           // the one behind it
  int input_triangle;        // the input triangle it lies on; one of them where several coplanar ones were
                             // retriangulated
};

struct Tetrahedra {
  TetrahedraStatus status{TetrahedraStatus::failed};
  std::string message;  // the reason when the status is not ok

  std::vector<Eigen::Vector3d>
      vertices;  // [m] the input's vertices first, with their indices; then Steiner points
  std::vector<TetVertexOrigin> origin;  // per vertex
  std::vector<Eigen::Vector4i>
      tetrahedra;  // positively oriented; input vertices at the same place are used once
  std::vector<Eigen::Vector4i> neighbours;  // across the face opposite vertex i; -1 on the surface
  std::vector<TetSurfaceTriangle> surface;

  TetQualityReport quality;
  double surface_volume{0.0};  // [m^3] enclosed by the input
  double volume_error{0.0};    // |total volume - surface_volume| / surface_volume
  int missing_edges{0};        // surface edges and triangles that the Delaunay tetrahedra did not contain
  int missing_triangles{0};
  int flips{0};
  double flatness{
      0.0};  // [m] by how much planar faces were allowed to move; 0 when exactly coplanar ones sufficed
  int surface_steiner{0};
  int interior_steiner{0};

  std::string brief_report() const;
};

Tetrahedra tetrahedralize(const TriangleMesh& surface, const TetrahedraOptions& options = {});

}  // namespace prehend::geometry
