// A hypothesis of contact between two features of two bodies, and the equations that close it.
//
// Each equation is r + J_a x_a + J_b x_b = 0 for small motions x = (turn, shift) about the centres of mass, in the world's axes: first the
// tilts [rad] that make the features parallel, the gap [m] along n last. Faces flush: two tilts and a gap; a line on a face, or two
// parallel cans: one tilt and a gap; everything else: a gap.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/se3.h>
#include <prehend/stability/mending/body_features.h>

namespace prehend::stability {

enum class ClosureKind { flats, flat_line, flat_point, lines, line_point, points };

struct Closure {
  ClosureKind kind{ClosureKind::flats};
  int a{-1}, b{-1};  // bodies, by number; the flat, or the line of line_point, is a's
  int feature_a{-1}, feature_b{-1};
  friend bool operator==(const Closure&, const Closure&) = default;
};

struct PosedBody {
  const BodyFeatures* features{nullptr};
  math::Pose X_WB;
  Eigen::Vector3d com() const { return X_WB * features->com; }
};

struct ClosureRows {
  int count{0};  // the gap is the last; 0: the features do not face each other
  Eigen::Vector3d r{Eigen::Vector3d::Zero()};
  math::Vector6d J_a[3], J_b[3];
  Eigen::Vector3d n{Eigen::Vector3d::Zero()};  // unit, from a to b
  Eigen::Vector3d c{Eigen::Vector3d::Zero()};  // [m] where they meet
  // [m] Smallest width of what they share across n: by so much may they shift before they miss each other. Negative: apart.
  double width{0.0};
  bool round{false};  // one of them has a radius: there is no more extended feature around it
  double gap() const { return r[count - 1]; }
};

// Which closures are worth a look: gaps and tilts beyond are none.
struct ClosureGate {
  double gap{0.0};    // [m]
  double angle{0.0};  // [rad]
};

ClosureRows closure_rows(const Closure& closure, std::span<const PosedBody> bodies);

// All hypotheses of two bodies within the gate, with their rows as posed.
struct PosedClosure {
  Closure closure;
  ClosureRows rows;
};
void find_closures(int a, int b, std::span<const PosedBody> bodies, const ClosureGate& gate,
                   std::vector<PosedClosure>& found);

}  // namespace prehend::stability
