// Limit analysis by the general cone solver: slower than limit_kernel.h, for every system.
//
//   maximise R   subject to   S'f + R w + g = 0,   f in the friction cones,   R >= 0
//
// Bilateral rows of joints are eliminated: balance is asked of the motions that they leave. Friction, motors and limits
// of joints are further unknowns between bounds; a motion's resistance then has what they dissipate.
// A motion that stops the load is the multiplier of the equilibrium; an unbounded program gives forces that balance
// the load alone.
#pragma once

#include <Eigen/Core>

#include <prehend/math/cone_program.h>
#include <prehend/stability/limit/scaled_system.h>

namespace prehend::stability {

struct ScaledLimit {
  enum class Status { failed, bounded, unbounded, unstable };
  Status status{Status::failed};
  double lower{0.0}, upper{0.0};  // of R, in the unit of the load
  Eigen::VectorXd motion;         // bounded: S z in K, (g + upper w).z = 0; unstable: g.z > 0
  // Bounded: S'f + g + lower w = 0; unbounded: S'f + w = 0. Three per contact, then one per joint row.
  Eigen::VectorXd forces;
};

// Forces that balance the weights (status bounded), or how it falls (unstable).
ScaledLimit solve_resting(const ScaledSystem& system);
// The least contact forces of those; failed where there are none.
ScaledLimit solve_least_resting(const ScaledSystem& system);
ScaledLimit solve_limit(const ScaledSystem& system, const Eigen::VectorXd& w);

struct InnerMotion {
  // Largest t such that all contacts open at least that fast: S z - t e in K, -g.z = 1. Positive: the set of motions
  // has an interior. Zero: some contacts can never open together, because `self_stress` (S'f = 0) holds them.
  enum class Status { failed, interior, self_stressed, unstable };
  Status status{Status::failed};
  double margin{0.0};
  Eigen::VectorXd motion;
  Eigen::VectorXd forces;  // interior: S'f = -margin g, so forces / margin balance the weights
};
InnerMotion find_inner_motion(const ScaledSystem& system);
// A motion strictly inside without a cone program: every body is lifted, what rests on others faster. Empty where that does not open all
// contacts (walls, steep faces, bodies that hang in each other).
Eigen::VectorXd lifting_motion(const ScaledSystem& system);

}  // namespace prehend::stability
