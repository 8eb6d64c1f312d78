// The distance of two curved bodies that touch at a point, after a small motion, to second order.
//
// In the tangent plane of the normal N (out of the fixed body) the moving body touches with a feature of height 1/2 r'A r, the fixed one with one
// of height -1/2 q'B q. A motion moves the point of contact by u = s1 x xc + s2 and tilts by c = N x s1. Over the places q = u + r of both,
//   distance = N.u theta + (N.(s3 x xc + s4) + h) theta^2/2,   h = min over r of  c.u + 2 c.r + r'A r + q'B q:
// r = 0 for a moving vertex, q = 0 for a fixed one, r = l t and q = L T for edges. L (3.30), (3.40), (3.49), (3.67), less their misprints
// (docs/observation_second_order.md).
#pragma once

#include <limits>
#include <optional>

#include <Eigen/Core>

#include <prehend/math/spatial.h>
#include <prehend/observation/cones/polyhedral_cone.h>

namespace prehend::observation {

// Where a feature is in the tangent plane, about the point of contact, and how it bends. Lengths are scaled by the contacts' size.
struct TouchingFeature {
  Rows equal{0, 2}, at_least{0, 2};               // {r : equal r = 0, at_least r >= 0}
  Eigen::Matrix2d bend{Eigen::Matrix2d::Zero()};  // A or B
};

// One separating plane at one point of contact.
struct ContactPiece {
  Eigen::Vector3d p{Eigen::Vector3d::Zero()};  // scaled, from the contacts' centre
  Eigen::Vector3d n{Eigen::Vector3d::UnitZ()};
  Eigen::Matrix<double, 3, 2> plane{
      Eigen::Matrix<double, 3, 2>::Zero()};  // orthonormal columns orthogonal to n
  TouchingFeature moving, fixed;

  math::Vector6d row() const;  // [p x n, n]
};

// How the distance changes to second order, without the term of [s3, s4].
struct Gap {
  // Of theta^2/2, scaled. -infinity: the distance falls faster than theta^2; +infinity: the features no longer face each other.
  double h{0.0};
  double size{0.0};  // of the terms h is the sum of: what rounding in the data is compared with
};
Gap gap_of(const ContactPiece& piece, const math::Vector6d& screw);

// Eigenvalues, rising, and orthonormal eigenvectors (columns) of a symmetric matrix.
struct PlaneAxes {
  Eigen::Vector2d values;
  Eigen::Matrix2d axes;
};
PlaneAxes plane_axes(const Eigen::Matrix2d& symmetric);

// Whether the bodies overlap before any motion: r'(A + B)r < 0 for a direction in both features. The most negative value, or none.
std::optional<double> overlap_before_motion(const ContactPiece& piece);

// h as a quadratic form of the screw, for features without ends (vertex, edge, face): h = s'Q s where `bounded` s = 0, -infinity elsewhere.
struct GapForm {
  math::Matrix6d Q{math::Matrix6d::Zero()};
  Rows bounded{0, 6};
};
// Nothing where a feature ends at the point (half_edge, half_face, quarter_face).
std::optional<GapForm> gap_form(const ContactPiece& piece);

}  // namespace prehend::observation
