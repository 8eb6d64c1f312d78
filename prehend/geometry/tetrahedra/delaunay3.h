// Delaunay tetrahedra inside a complex: the incremental insertion behind delaunay_tetrahedra.h and tetrahedra.h.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

// Tetrahedra of the complex's `points`; fills `representative` as in DelaunayTetrahedra. False when they span no volume.
bool build_delaunay(TetComplex& complex, std::vector<int>& representative);

// A visiting order along a Hilbert curve in random rounds of doubling size.
std::vector<int> insertion_order(std::span<const Eigen::Vector3d> points);

}  // namespace prehend::geometry
