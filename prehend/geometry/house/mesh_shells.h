// The shells of a mesh: pieces of surface, and what each is good for.
//
// Triangles belong together where an edge has two of them, or more and they bound the same solid: solids that touch along an edge or a
// face stay apart (check_mesh() counts them as one component). Vertices within the weld tolerance are one; triangles with a bad index or a
// vertex that is not finite belong to no shell. A shell is closed when every edge has an even number of its triangles.
// Volumes are exact up to rounding; nesting is decided by winding numbers at nine points of the shell. Cost: linear but for the nesting.
#pragma once

#include <array>
#include <vector>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

struct MeshShell {
  std::vector<int> triangles;  // of the mesh as given, ascending
  bool is_closed{false};
  bool is_oriented{false};        // neighbours face the same way
  int turned{0};                  // triangles of a closed shell that were turned in `welded`, so that they do
  bool is_flat{false};            // closed, but encloses nothing
  double area{0.0};               // [m^2]
  double volume{0.0};             // [m^3] signed; 0 unless closed and oriented
  std::vector<int> inside_of;     // closed shells that contain this one
  bool is_inside_out{false};      // faces inwards where material is expected
  bool is_nested_outward{false};  // faces outwards inside another that does: the volume would count twice
  double closure{0.0};  // |sum of area vectors| / area: 0 when closed, small where there are cracks only
  std::vector<std::array<int, 2>>
      rim;  // edges with an odd number of its triangles, as vertices of the welded mesh
};

struct MeshShells {
  std::vector<MeshShell> shells;  // in the order of their first triangle
  std::vector<int> shell_of;      // per triangle; -1: part of no surface
  TriangleMesh welded;            // the same triangles over fewer vertices, turned where neighbours disagreed
  // Per triangle an earlier one with the same corners and the same side, or -1. Such a repeat is in no shell.
  std::vector<int> repeat_of;
};

MeshShells find_shells(const TriangleMesh& mesh);

// The shell's triangles as a mesh of their own, over the vertices they use.
TriangleMesh submesh(const TriangleMesh& mesh, const std::vector<int>& triangles);

}  // namespace prehend::geometry
