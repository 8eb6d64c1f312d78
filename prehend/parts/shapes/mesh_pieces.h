// The solids that the shells of a mesh bound: one per closed shell, with its cavities; scraps joined, faults said.
#pragma once

#include <string>
#include <vector>

#include <prehend/geometry/house/mesh_shells.h>
#include <prehend/geometry/mesh.h>
#include <prehend/parts/shapes/volume_samples.h>

namespace prehend::parts {

struct MeshPiece {
  std::vector<int> triangles;   // of the mesh as given
  geometry::TriangleMesh mesh;  // these triangles, turned outwards
  double area{0.0};             // [m^2]
  SolidMoments moments;
  bool is_exact{false};  // closed: the moments are those of the polyhedron
  std::vector<VolumeSample> samples;
};

struct MeshPieces {
  std::vector<MeshPiece> pieces;
  std::vector<int> piece_of;   // per triangle; -1: part of no surface
  std::vector<int> repeat_of;  // per triangle an earlier one with the same corners and side, or -1
  std::vector<std::string> problems;
};

MeshPieces mesh_pieces(const geometry::TriangleMesh& mesh);

}  // namespace prehend::parts
