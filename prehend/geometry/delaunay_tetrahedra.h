// Delaunay tetrahedra of a point set: no point lies strictly inside the sphere of any tetrahedron.
//
// Incremental insertion (Bowyer 1981, Watson 1981) with exact predicates; points go in along a Hilbert curve
// in random rounds of doubling size (Amenta, Choi, Rote 2003), so that the walk to each is short: expected
// O(n log n) for points spread over a volume, about 4 us a point; O(n^2) in the worst case. Cospherical
// points (grids) get one of their valid triangulations. The same points in the same order give the same
// tetrahedra.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

enum class DelaunayStatus {
  failed,
  ok,
  not_finite,  // a coordinate is NaN, infinite or beyond 1e50
  degenerate,  // fewer than four points that span a volume
};
const char* to_string(DelaunayStatus status);

struct DelaunayTetrahedra {
  DelaunayStatus status{DelaunayStatus::failed};
  std::string message;  // the reason when the status is not ok
  // Positively oriented: orient3d(v0, v1, v2, v3) > 0.
  std::vector<Eigen::Vector4i> tetrahedra;
  // Across the face opposite vertex i; -1 on the hull.
  std::vector<Eigen::Vector4i> neighbours;
  // For each point the first point at the same place; itself unless it is a duplicate, which no tetrahedron
  // uses.
  std::vector<int> representative;
};

DelaunayTetrahedra delaunay_tetrahedra(std::span<const Eigen::Vector3d> points);

}  // namespace prehend::geometry
