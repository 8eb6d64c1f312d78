// Options of the topology estimate, for whole recordings and row by row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/observations.h>
#include <prehend/model/joint.h>

namespace prehend::topology {

struct TopologyOptions {
  // Hypotheses, as the field knows them; rigid is `fixed`.
  std::vector<model::JointType> types{model::JointType::rigid, model::JointType::prismatic,
                                      model::JointType::revolute, model::JointType::screw,
                                      model::JointType::spherical};
  // Known noise per axis; absent: estimated from the recording.
  std::optional<articulation::PoseNoise> pose_noise;
  std::optional<double> force_noise;   // [N]
  std::optional<double> torque_noise;  // [N m]
  // [N m] [N] Friction that joints may have: that of a stiff lid or drawer in the hands. A joint that stood still is called
  // fixed only where it was loaded by more than this about every axis and along every direction; a stuck joint looks the
  // same below it.
  double largest_friction_torque{0.1};
  double largest_friction_force{1.0};
  // A type is identified when its posterior is at least this; else the joint is undetermined. One wrong answer in a
  // thousand, if the model is right; the sweeps of docs/topology_validation.md have fewer.
  double sure{0.999};
  int threads{0};  // 0: as many as there are cores; the answer is the same

  void validate() const;
};

struct OnlineTopologyOptions {
  TopologyOptions topology;
  // A step of the likelihood over 16 poses takes some 20 us, the longest of all pieces of work; with 32, two joints more are
  // identified of the 281 of the objects it was chosen on.
  int kept_frames{16};
  int kept_windows{32};
  double block_duration{0.01};  // [s] as BlockOptions::duration
  // [s] Recorders below 1 kHz have more time per row and do more in it.
  double work_interval{0.001};

  void validate() const;
};

// "fixed" for rigid, otherwise to_string().
const char* hypothesis_name(model::JointType type);
// The types of these names; std::invalid_argument names the one that is none, and lists all.
std::vector<model::JointType> hypothesis_types(const std::vector<std::string>& names);

}  // namespace prehend::topology
