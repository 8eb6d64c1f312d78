// Mends a mesh where that can be done without guessing, and says in sentences what it did.
//
// In this order: weld; drop triangles that cannot be part of a surface (bad index, not finite, repeated
// corner, duplicate, two opposite ones on the same corners); turn triangles so that neighbours face the same
// way; resolve triangles without area by swapping their longest edge; turn inside-out shells; fill holes, if
// asked; drop unused vertices. Not mended: self-intersections, edges with more than two triangles, outward
// shells inside outward ones, holes (unless asked), surfaces with one side only. `report` says what is left.
// The volume is compared before and after, and a change is one of the sentences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/mesh_check.h>

namespace prehend::geometry {

struct MeshRepairOptions {
  // As WeldOptions.relative_tolerance. In [0, 0.1].
  double weld_tolerance{1e-7};
  // Holes with at most this many edges are closed by the triangulation of least area. Filling invents a
  // surface, so it is off by default. In [0, 100] (the search is cubic in the number of edges).
  int max_hole_edges{0};
  // Look for self-intersections in the final report; the costly part of it.
  bool find_self_intersections{true};
};

struct MeshRepair {
  // Status of the mended mesh; problems that are left stand in the report.
  MeshStatus status{MeshStatus::unusable};
  TriangleMesh mesh;
  std::vector<std::string> actions;  // what was done, one sentence each; empty when nothing was
  std::optional<double>
      volume_before;  // [m^3] signed sum of the mesh as given; none when it was open or unusable
  std::optional<double> volume_after;  // [m^3] of the mended mesh; none when it is open
  MeshReport report;                   // of the mended mesh
  std::string brief_report() const;
};

MeshRepair repair_mesh(const TriangleMesh& mesh, const MeshRepairOptions& options = {});

}  // namespace prehend::geometry
