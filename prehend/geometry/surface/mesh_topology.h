// What each triangle of a welded mesh is good for, and the shells (pieces connected through edges) that the
// good ones form. The common ground of check_mesh(), which reports, and repair_mesh(), which mends.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/surface/edge_table.h>
#include <prehend/geometry/surface/triangle_bvh.h>

namespace prehend::geometry {

enum class TriangleKind : char {
  good,
  flat,            // different corners on one line (within the tolerance): closes the mesh, but has no area
  bad_index,        // a corner that is not a vertex
  not_finite,       // a corner at infinity or not a number
  repeated_corner,  // two corners are one vertex
  duplicate,       // an earlier triangle has the same corners and the same side
  cancelled,  // one of two triangles with the same corners and opposite sides: a sheet without thickness
};

struct MeshTopology {
  std::vector<TriangleKind> kind;  // per triangle
  std::vector<char> in_surface;    // per triangle: good or flat
  EdgeTable edges;                 // of the triangles in the surface
};

// `tolerance` [m]: a triangle whose height over its longest side is at most this is flat (exactly collinear
// at 0).
MeshTopology analyse_topology(const TriangleMesh& welded_mesh, double tolerance);

struct Shell {
  int first_triangle{-1};
  int triangles{0};
  bool is_closed{true};    // an even number of triangles along every edge
  bool is_oriented{true};  // as many half-edges forward as backward along every edge where triangles pair up
  bool is_flat{false};     // closed and oriented, but encloses nothing
  double volume{0.0};      // [m^3] signed; 0 unless closed and oriented
  Aabb box;
  std::vector<int> inside_of;  // closed, oriented shells that contain this one
  // Negative volume where material is expected: not inside any shell, or inside a pair of them; or a cavity
  // of a shell that is itself inside out.
  bool is_inside_out{false};
  // Positive volume inside a shell that faces outwards: the volume would count twice.
  bool is_nested_outward{false};
};

struct Shells {
  std::vector<Shell> shells;
  std::vector<int> shell_of;  // per triangle; -1 outside the surface
};

// Shells with their volumes, nesting and orientation. Containment is decided by exact crossings of a ray with
// the hierarchy of the same mesh.
Shells analyse_shells(const TriangleMesh& welded_mesh, const MeshTopology& topology, const TriangleBvh& bvh);

}  // namespace prehend::geometry
