// What is wrong with a mesh? A report that looks at everything and changes nothing.
//
// The mesh is welded first (STL has no shared vertices); vertex counts are those of the welded mesh, triangle
// indices those of the mesh as given. Triangles that cannot be part of a surface (bad index, not finite,
// repeated corner, duplicate) are counted and then left out, so that one defect is not reported four times
// over. A mesh without problems bounds a solid: closed, oriented outwards, manifold, free of
// self-intersections. Several shells are fine, and so are cavities (inward shells inside outward ones). Cost:
// about 100 ms for 100 000 triangles, two thirds of it for the self-intersections; bounded for hostile
// meshes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

struct MeshCheckOptions {
  // As WeldOptions.relative_tolerance; a triangle whose height is below it counts as flat, too. In [0, 0.1].
  double weld_tolerance{1e-7};
  // The costly part; off where only closedness and orientation matter.
  bool find_self_intersections{true};
  // How many intersecting pairs are counted before the search stops; see SelfIntersectionOptions. At least 1.
  int max_self_intersections{10000};
};

enum class MeshStatus {
  unusable,   // no triangle is part of a surface
  defective,  // `problems` is not empty
  solid,      // closed, oriented, free of defects
};
const char* to_string(MeshStatus status);

struct MeshReport {
  MeshStatus status{MeshStatus::unusable};
  int vertices{0};   // after welding
  int triangles{0};  // as given
  int merged_vertices{0};
  int unused_vertices{0};
  int nonfinite_vertices{0};
  int bad_index_triangles{0};
  int nonfinite_triangles{0};
  int degenerate_triangles{0};  // repeated corner, or all corners on one line
  int duplicate_triangles{0};   // the same three corners as another, on either side
  int boundary_edges{0};        // one triangle
  int nonmanifold_edges{0};     // more than two triangles
  int nonmanifold_vertices{0};  // several separate fans of triangles
  int inconsistent_edges{0};    // two triangles that run along it the same way: one of them is flipped
  int components{0};            // connected through edges
  int inside_out_shells{0};
  int nested_outward_shells{0};  // outward shells inside outward ones: the volume counts twice
  int flat_shells{0};            // closed, but without volume
  // An even number of triangles along every edge: no boundary, so a volume is enclosed. Two solids that touch
  // along an edge are closed, with a non-manifold edge (trimesh's is_watertight wants exactly two triangles
  // per edge).
  bool is_closed{false};
  bool is_oriented{false};  // every edge is run along equally often both ways

  bool self_intersections_searched{false};
  bool self_intersections_complete{false};                   // false: there may be more than counted
  std::int64_t self_intersections{0};                        // pairs of triangles
  std::vector<std::array<int, 2>> first_self_intersections;  // the first ten, triangle indices as given

  std::vector<std::string> problems;  // one sentence each
  std::string brief_report() const;
};

MeshReport check_mesh(const TriangleMesh& mesh, const MeshCheckOptions& options = {});

}  // namespace prehend::geometry
