// What crosses a joint: the wrench that the parent exerts on the child, by Newton and Euler over the links of one side.
//
// Below the joint nothing unknown acts, so its subtree always suffices; above it as well where the base floats. The side with
// less noise is taken. Expressed in the parent's axes about its origin, where the axis of a joint stands still: a freedom s (a
// twist fixed in the parent) transmits s . F = 0 up to friction and stops.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/joint_fit.h>
#include <prehend/topology/evidence/link_balance.h>

namespace prehend::topology {

struct TransmittedWrench {
  // Per window: on the child, in the parent's axes about its origin, moment first [N m, N].
  std::vector<math::Vector6d> F_P;
  std::vector<math::Matrix6d> covariance;  // of each
  // The child's mean twist against the parent, in the parent's axes at its origin, angular first [rad/s, m/s].
  std::vector<math::Vector6d> V_P;
  std::vector<std::array<math::Pose, 5>> X_PC;  // the child in its parent, at five times of the window
  bool from_below{true};                        // which side was taken

  std::size_t size() const { return F_P.size(); }
};

// `inflation` scales the covariance: above one where the balance of the whole object is worse than the noise says.
TransmittedWrench transmitted_wrench(const ArticulatedObject& object, const Recording& recording,
                                     const MotionBlocks& blocks, const LinkBalance& balance, int joint,
                                     const RecordingNoise& noise, double inflation = 1.0);

struct FrictionBounds {
  double torque{0.1};  // [N m]
  double force{1.0};   // [N]
};

struct FrictionEstimate {
  bool is_significant{false};
  double dry{0.0};        // [N m], prismatic [N]: opposes the motion
  double viscous{0.0};    // [N m s], prismatic [N s/m]
  double deviation{0.0};  // of the dry part
};

struct FreedomEvidence {
  double evidence{0.0};  // [nats] at most zero
  double largest{
      0.0};  // [N m], prismatic [N]: what crossed along the freedoms (across the axis, of a ball), rms
  FrictionEstimate friction;  // of types with one freedom
};

// Whether more than friction crossed along the freedom of a joint (revolute, prismatic or screw) in both senses: a stop carries one.
bool is_loaded_both_ways(const TransmittedWrench& wrench, const articulation::Joint& joint,
                         const FrictionBounds& friction);

// Evidence: per window, what crosses along a type's freedoms beyond what friction may hold, in standard deviations, each
// window counting at most -log(0.1) (a hand in the way). At the ends of its travel a joint with one freedom may rest on a
// stop, which pushes back: there only what crosses in the other sense counts. Nothing is concluded from wrenches that are
// small. For a ball that turned about one axis the moments across that axis count; its centre may lie anywhere along it.
// Of a joint that moved as `fit` says.
FreedomEvidence freedom_evidence(const TransmittedWrench& wrench, const articulation::JointFit& fit,
                                 const FrictionBounds& friction);

}  // namespace prehend::topology
