// An object as discover() finds it: rigid groups of parts, a tree of joints between them, loops, and what is in doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/observations.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/math/pose.h>
#include <prehend/model/joint.h>

namespace prehend::articulation {

// Parts that never move against each other.
struct RigidGroup {
  std::vector<int> parts;        // ascending; the first gives the group its name and frame
  std::vector<math::Pose> X_GP;  // each part in the fitted frame G at the centre of the features
};

// A joint beside the tree that closes a kinematic loop.
struct Loop {
  int a{0}, b{0};           // groups that the closing joint connects
  Joint joint;              // of b in a, between the frames of the tracks
  std::vector<int> groups;  // around the cycle, from a along the tree to b
  int constraints{0};       // freedoms that this loop takes away beyond the loops before it
  double misfit{0.0};       // of the closing joint, in units of the noise
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
  // [nats] Ahead of the next type, a simpler or richer one of the same kind where `free` alone came near; 0 where there is no other.
  double margin{0.0};
  std::vector<TypeScore> types;              // best first
  std::vector<model::JointType> rivals;      // that explain the motion as well
  std::string reason;                        // where the type is not determined
  FitDeviations deviations;                  // of axis, point and pitch; F is the parent, M the child
  double rms_position{0.0}, rms_angle{0.0};  // [m], [rad] that remain, per axis
  int outliers{0};
};

enum class DiscoveryStatus { not_computed, undetermined, ok };
const char* to_string(DiscoveryStatus status);

struct Discovery {
  DiscoveryStatus status{DiscoveryStatus::not_computed};
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
  std::string to_json() const;
  std::string brief_report() const;
};

}  // namespace prehend::articulation
