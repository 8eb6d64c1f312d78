// What a type of joint brings along: its motion E(q), its closed form, its pass over the frames. One file per type, listed in
// joint_kind.cpp.
#pragma once

#include <span>
#include <vector>

#include <prehend/articulation/fit/frames.h>
#include <prehend/articulation/joint_model.h>

namespace prehend::articulation {

namespace engine {
struct PassState;
}

class JointKind {
 public:
  virtual ~JointKind() = default;
  virtual model::JointType type() const = 0;
  virtual int freedoms() const = 0;
  virtual int parameters() const = 0;
  virtual int parameters_with_zero() const = 0;
  // Of the joint frame on the moving part in that on the fixed part.
  virtual Motion motion(const State& q, double pitch) const = 0;
  virtual State state(const Motion& E, double pitch) const = 0;
  // Twist of the moving joint frame in its own axes.
  virtual StateJacobian jacobian(const State& q, double pitch) const = 0;
  // Starts for the likelihood, most plausible first; more than one where the closed form is not unique.
  virtual std::vector<Joint> closed_form(const Frames& frames) const = 0;
  // One pass over the frames for the likelihood (frame_pass.h): reads the joint, its noise and states, leaves sums, weights, states.
  virtual void pass(engine::PassState& state) const = 0;
  // Brings the joint's frames to where its conventions have them; the motion stays.
  virtual void settle(Joint& joint) const = 0;
  // How many of the freedoms turn, and shift.
  virtual int turns() const = 0;
  virtual int shifts() const = 0;
  // Whether a state counts whole turns, told apart by the shift (a screw).
  virtual bool winds() const = 0;
  // Whether the state's zero may be moved along the one axis.
  virtual bool starts_at_first() const = 0;
  // 0, or how many coordinates of the distance to axis or centre have a prior.
  virtual int radius_directions() const = 0;
  // The free ones of local_directions.h, in the order of the covariance.
  virtual std::span<const int> directions() const = 0;
  // Position of the local parameter in the covariance, for a direction of local_directions.h; -1 where there is none.
  virtual int parameter_of(int direction) const = 0;
};

// For tracks with orientation.
const JointKind& joint_kind(model::JointType type);

const JointKind& rigid_kind();
const JointKind& prismatic_kind();
const JointKind& revolute_kind();
const JointKind& screw_kind();
const JointKind& cylindrical_kind();
const JointKind& universal_kind();
const JointKind& spherical_kind();
const JointKind& planar_kind();
const JointKind& free_kind();

}  // namespace prehend::articulation
