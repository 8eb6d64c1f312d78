// Which parts does an object have, and which joints connect them? From tracked poses of many parts (source K).
//
// 1. Features that never move against each other are one part (rigid_groups.h); their poses are pooled.
// 2. Every pair of parts gets the joint that explains its relative motion best, with a log likelihood less its cost
//    (pair_fit.h): a cheap look at all pairs, maximum likelihood for the promising ones. The noise of a feature is one number for
//    position and one for orientation, common to all: estimated from the best tree so far, then everything is scored again with it.
// 3. The spanning tree of largest total score is the object. Each of its joints is selected again with all types and all
//    frames (selection.h), parent first; what the motion cannot tell is said.
// 4. Pairs beside the tree that a joint explains as well, although the tree would let them move otherwise, close loops
//    (loops.h); they take degrees of freedom away.
//
// Departures from the source: noise in each part's own frame with the lever between parts (observations.h), likelihoods with
// states integrated out instead of squared error plus parameter count, rigid groups before and not after the tree. Cost: 30 parts and
// 500 frames take less than a second.
//
// Parts seen without orientation are points: two of them have no relative pose. Each is a point on a line or circle, or at rest, about a part whose
// orientation is known; where there is none, about the file's world, which then is the root. Points that keep their place in each other's
// motion are one part. What hangs on a point's unseen part cannot be told, and is said so.
//
// Parts that did not move against each other cannot be told from one part: they are one group. With everything in one group
// there is no answer.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/selection.h>
#include <prehend/articulation/tree/loops.h>
#include <prehend/articulation/tree/pair_fit.h>
#include <prehend/articulation/tree/rigid_groups.h>
#include <prehend/model/pose_log.h>

namespace prehend::articulation {

struct DiscoveryOptions {
  // Types of joints to choose from; empty: all. `rigid` is always possible (groups), `free` where nothing else fits.
  std::vector<model::JointType> types;
  Criterion criterion{Criterion::bic};
  // [nats] As in SelectionOptions: explanations closer than this count as equal.
  double margin{3.0};
  // [s] Rows this close are one frame.
  double time_tolerance{1e-6};
  // Frames used to compare pairs; joints of the tree are fitted to all.
  int pair_frames{200};
  // Of each part, joints to this many others are fitted with care; the rest keep the score of the first look.
  int partners{6};
  // [m, rad] A pose is not known better than this per axis, whatever residuals say; what lies below is no motion. For trackers whose errors
  // change slowly or differ between axes. Zero: estimated alone.
  PoseNoise least_noise;
  bool merge_rigid{true};
  RigidOptions rigid;
  LoopOptions loops;

  void validate() const;
};

struct TypeScore {
  model::JointType type{model::JointType::free};
  double score{0.0};  // [nats]
};

struct DiscoveredJoint {
  int parent{0}, child{0};  // groups
  // Between the frames of the groups' first parts; spherical joints have their joint frame along the child's axes, so that
  // states are the coordinates of the written files.
  Joint joint;
  std::vector<std::optional<State>> states;  // one per frame
  State lower, upper;                        // limits seen
  double score{0.0};                         // [nats] of the best type
  double margin{0.0};                        // [nats] ahead of the next type; 0 where there is no other
  std::vector<TypeScore> types;              // best first
  std::vector<model::JointType> rivals;      // that explain the motion as well
  std::string reason;                        // where the type is not determined
  double rms_position{0.0}, rms_angle{0.0};  // [m], [rad] that remain, per axis
  int outliers{0};
};

enum class DiscoveryStatus { failed, undetermined, ok };
const char* to_string(DiscoveryStatus status);

struct Discovery {
  DiscoveryStatus status{DiscoveryStatus::failed};
  std::vector<double> times;            // [s]
  std::vector<std::string> parts;       // names, in the order of the file
  std::vector<RigidGroup> groups;       // group 0 is the root of the tree: the first part's
  std::vector<math::Pose> X_RP;         // each part in the frame of its group's first part R
  std::vector<DiscoveredJoint> joints;  // parents before children
  std::vector<Loop> loops;
  int degrees_of_freedom{0};   // of the parts against each other
  PoseNoise noise;             // of one feature, per axis
  bool noise_is_shared{true};  // false: parts are tracked so differently that each pair was taken by itself
  PartTracks tracks;           // pooled: one per group, of the frame of its first part
  std::vector<std::string> reasons;  // sentences, where the status is not ok
  std::vector<std::string> notes;

  const std::string& name(int group) const { return parts[groups[group].parts[0]]; }
  // Poses of the groups' first parts in the root's at a frame; absent where a state is.
  std::vector<std::optional<math::Pose>> placed(int frame) const;
  // The fields of `prehend discover`.
  std::string to_json(const std::string& urdf_file = "", const std::string& mjcf_file = "") const;
  std::string brief_report() const;
};

// Throws model::InputError with `name` on bad input (part_tracks.h), std::invalid_argument on bad options.
Discovery discover(const model::PoseLog& log, const std::string& name, const DiscoveryOptions& options = {});

}  // namespace prehend::articulation
