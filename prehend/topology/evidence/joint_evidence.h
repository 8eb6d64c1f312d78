// What the poses say of each joint: every type fitted to the relative motion of its two links, and how likely it makes the
// poses.
//
// Relative poses of blocks, averaged further to some hundred frames, go to articulation's maximum likelihood with known noise
// (larger than stated where even the best type leaves more). The evidence is the log density of the poses with the states
// integrated out, plus log priors of radius and pitch on the scale of the object: pitches far below `usual_pitch` are rare a
// priori. A type with further freedoms that stood still has the same evidence as without them: poses alone cannot decide, the
// transmitted wrench may. States of a hinge lie on a circle: one that went round is no less likely than a ball, whose poses do
// not count turns either.
#pragma once

#include <vector>

#include <prehend/articulation/joint_fit.h>
#include <prehend/model/joint.h>
#include <prehend/topology/evidence/motion_blocks.h>

namespace prehend::topology {

struct KinematicOptions {
  int frames{
      200};  // at most; what is thinned is averaged: time of a fit against poses that are hardly independent
  // [m/rad] Screws of less are rare: 6 mm a turn; lids of jars have three to six.
  double usual_pitch{1e-3};
  // How much rarer screws are than hinges: what a hinge need not refute by its poses alone.
  double screw_share{0.05};
  // Slow deviations of trackers and play in joints, relative to the object's size, and [rad].
  double position_floor{1e-5}, angle_floor{1e-5};
};

struct TypeEvidence {
  model::JointType type{model::JointType::free};
  articulation::JointFit fit;
  double evidence{0.0};  // [nats]
};

struct JointEvidence {
  std::vector<TypeEvidence> types;  // in the order asked for
  articulation::PoseNoise noise;    // of one frame's relative pose, as used
  double misfit{0.0};               // rms residual of the best type in units of the stated noise
  articulation::PoseNoise
      spread;  // of the relative poses about their mean, per axis: how much there is to explain
  double motion{
      0.0};  // [nats] by which the best moving type is ahead of rigid, less what its parameters cost
  double independent{1.0};  // share of the frames that are independent
  int frames{0};
};

// [m] Size of the object: largest distance of a link's origin or centre of mass from their mean.
double size_of(const ArticulatedObject& object, const MotionBlocks& blocks);

JointEvidence kinematic_evidence(const ArticulatedObject& object, const MotionBlocks& blocks, int joint,
                                 const articulation::PoseNoise& row_noise,
                                 const std::vector<model::JointType>& types,
                                 const KinematicOptions& options = {});

// The same in pieces, for frames that come one by one. First all types are fitted with `out.noise`, then this fills in the evidence.
articulation::PoseNoise frame_noise(const articulation::PoseNoise& row_noise, double rows, double size,
                                    const KinematicOptions& options = {});
// Sets out.misfit; where even the type that leaves least leaves more than the stated noise explains, out.noise grows (true).
bool enlarge_noise(JointEvidence& out, const articulation::PoseNoise& stated,
                   const articulation::JointFit& least, const articulation::Observations& frames);
// `refined` false: the closed form alone.
TypeEvidence fit_type(model::JointType type, const articulation::Observations& frames,
                      const articulation::PoseNoise& noise, double size, bool refined = true);
// Whether maximum likelihood could still make something of a closed form: no, where another type explains all there is to
// explain and this one is hundreds of nats behind.
bool is_promising(const TypeEvidence& candidate, const std::vector<TypeEvidence>& all,
                  const articulation::PoseNoise& noise, const articulation::Observations& frames);
void weigh_types(JointEvidence& out, const articulation::Observations& frames, double size,
                 const KinematicOptions& options = {});

// States of a fitted joint at every block, by maximum likelihood of that block alone, angles continuous.
std::vector<articulation::State> block_states(const articulation::Joint& joint, const MotionBlocks& blocks,
                                              int number, const articulation::PoseNoise& row_noise);

}  // namespace prehend::topology
