// Algorithm 1 of T (Tirupachuri et al.), for prismatic and revolute joints: the combination of types whose momentum rate is
// nearest to the wrench.
//
// Joint states and twists come from raw differences of poses: a revolute joint turns about the axis of the rotation between
// the frames, through the child's origin; a prismatic one slides along the line between the two origins. Every one of the 2^n
// combinations gets
//   error = sum over samples |W - dh/dt|   (14), (15),
// forces in N and moments in N m about the world's origin in one norm, so the error depends on where that origin lies. It
// needs the wrench of everything that touches the object, also of what a fixed base stands on. Cost: 2^n per sample.
//
// As printed the algorithm cannot run; docs/topology_validation.md lists its misprints and how they are read here.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/joint.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct SourceOptions {
  bool axis_through_parent{false};  // line 12 as printed
  bool momentum_of_parent{false};   // lines 28, 36 as printed
  // Combinations double with each joint: 2^12 take seconds.
  int max_joints{12};

  void validate() const;
};

struct SourceJoint {
  std::string name, parent, child;                     // of the joint and its links
  model::JointType type{model::JointType::prismatic};  // in the best combination
  double prismatic_error{0.0}, revolute_error{0.0};    // of the best combination with that type
};

enum class SourceStatus {
  not_computed,
  undetermined,  // too many joints, or a wrench that is not recorded: see the reason
  ok
};
const char* to_string(SourceStatus status);

struct SourceResult {
  SourceStatus status{SourceStatus::not_computed};
  std::string reason;          // where it is undetermined
  std::vector<double> errors;  // by combination: bit j is set where joint j is revolute
  std::size_t best{0}, runner_up{0};
  std::vector<SourceJoint> joints;
  double score{0.0};  // runner-up's error less the best's, as a share of the runner-up's
  // Where there are at most three joints: error of each sample, per combination.
  std::vector<std::vector<double>> sample_errors;
  RecordingFacts recording;
  double time_ms{0.0};

  std::string brief_report() const;
  // The fields of TopologyResult::to_json() that it has, with "method":"source".
  std::string to_json() const;
};

// Throws std::invalid_argument on bad options or a recording that validate() refuses.
SourceResult source_algorithm(const ArticulatedObject& object, const Recording& recording,
                              const SourceOptions& options = {});

}  // namespace prehend::topology
