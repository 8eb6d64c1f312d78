// Checks the proofs of this room from the contact system's own numbers: points, normals, masses, and what the proof
// says. No solver's code or matrices are used; forces are balanced about each body's own centre of mass, not about the
// system's origin that the solvers use.
//
// A lower bound is proven by forces inside the friction cones that balance the weights and that multiple of the load.
// An upper bound is proven by a motion that no admissible contact force can oppose (v_n >= mu |v_t| at every contact)
// and on which the weights and that multiple of the load do no work together. An unstable scene is proven by such a
// motion on which the weights alone do positive work. Friction and motors of joints count with the weights.
//
// Every number is relative and free of units (CertificateOptions). Cost: linear in contacts and bodies.
#pragma once

#include <limits>
#include <span>
#include <string>

#include <prehend/stability/push.h>

namespace prehend::stability {

// Forces are relative to the weight of all movable bodies plus the load, moments to that times the system's length,
// velocities to the motion's largest speed. A second, coarser yardstick asks the same of each body by itself, so that a
// light body beside a heavy one is not lost in the heavy one's rounding.
struct CertificateOptions {
  // Largest residual of a valid proof. Interior-point answers hold to 1e-8 or better; what is wrong by a sign, a lever
  // arm or a missing force is wrong by 1e-2 or more.
  double tolerance{1e-6};
  // The same, measured against the smallest thing concerned: each body's own forces, or the power of the weights.
  double own_tolerance{1e-3};
  // An unbounded answer must be proven up to a load of this many times all weights.
  double unbounded_weights{1e3};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

// Numbers that were not checked, because the proof did not get that far or the question does not arise, are NaN.
struct Certificate {
  static constexpr double kUnchecked = std::numeric_limits<double>::quiet_NaN();
  bool valid{false};
  double equilibrium_residual{kUnchecked};  // of the worst body, relative to all weights plus the load
  double own_residual{kUnchecked};          // of the worst body, relative to the forces on that body
  double cone_violation{kUnchecked};  // how far a force lies outside its cone, relative to weights plus load
  double motion_violation{kUnchecked};  // largest mu |v_t| - v_n, relative to the motion's speed
  // The same, relative to the power of the weights per total weight: how wrong the bound could be for its sake.
  double own_motion_violation{kUnchecked};
  double weight_power{
      kUnchecked};  // of the weights, relative to total weight times speed; negative: they resist
  double power_residual{kUnchecked};  // of weights plus upper times load, relative to the larger of the two
  double gap{kUnchecked};             // (upper - lower) / upper
  std::string problem;                // one sentence; empty when valid

  std::string brief_report() const;
};

// Both bounds of an answer (an unbounded one: forces that balance a load far above all weights), or the falling motion of an unstable
// one. An answer without proof, or that claims nothing, is never valid.
Certificate check_answer(const ContactSystem& system, const Load& load, const PushAnswer& answer,
                         const CertificateOptions& options = {});

// Forces, one per contact, on body b, that hold the scene at rest.
Certificate check_resting_forces(const ContactSystem& system, std::span<const Eigen::Vector3d> forces_W,
                                 const CertificateOptions& options = {});
// With the forces of joints, one per joint row of the system.
Certificate check_resting_forces(const ContactSystem& system, std::span<const Eigen::Vector3d> forces_W,
                                 std::span<const double> joint_forces, const CertificateOptions& options);

// An admissible motion, one twist per body about the system's origin, on which the weights do positive work.
Certificate check_falling(const ContactSystem& system, std::span<const math::Vector6d> motion,
                          const CertificateOptions& options = {});

}  // namespace prehend::stability
