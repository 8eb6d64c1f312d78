// Exact signs of the four determinants that triangulations, hulls and intersections are decided by.
//
// Each returns -1, 0 or +1, and the sign is that of the exact determinant of the coordinates as given: 0
// means exactly degenerate, never "nearly". A double evaluation with a proven error bound decides almost all
// calls; the rest go to exact expansion arithmetic (expansion.h). Cost: 5 to 30 ns when the bound decides,
// some microseconds when it does not (coplanar, cospherical). Filter bounds: Shewchuk, Discrete &
// Computational Geometry 18 (1997), section 4.
//
// Exact while no intermediate overflows or underflows, which holds when every coordinate is 0 or of magnitude
// 1e-45 to 1e55. Results are undefined for NaN and infinity.
#pragma once

#include <Eigen/Core>

namespace prehend::geometry {

// +1 when a, b, c turn counter-clockwise, -1 clockwise, 0 when they lie on one line.
int orient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c);

// Sign of (b-a) x (c-a) . (d-a), six times the volume of the tetrahedron a, b, c, d: +1 when d lies on the
// side of the plane abc from which a, b, c are seen counter-clockwise, 0 when the four lie in one plane. (The
// side a mesh's outward normal points to is +1. Shewchuk's orient3d has the opposite sign.)
int orient3d(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
             const Eigen::Vector3d& d);

// For orient3d(a, b, c, d) > 0: +1 when e lies inside the sphere through a, b, c, d, -1 outside, 0 on it. The
// sign flips when orient3d(a, b, c, d) < 0.
int insphere(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
             const Eigen::Vector3d& d, const Eigen::Vector3d& e);

}  // namespace prehend::geometry
