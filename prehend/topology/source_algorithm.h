// Algorithm 1 of source T, for prismatic and revolute joints: the combination of types whose momentum rate is nearest to the wrench.
//
// Joint states and twists come from raw differences of poses: a revolute joint turns about the axis of the rotation between the frames, through the
// child's origin; a prismatic one slides along the line between the two origins. Every one of the 2^n combinations gets
//   error = sum over samples |W - dh/dt|   (14), (15),
// forces in N and moments in N m about the world's origin in one norm, so the error depends on where that origin lies. It
// needs the wrench of everything that touches the object, also of what a fixed base stands on. Cost: 2^n per sample.
//
// As printed the algorithm cannot run; how it is read here (the tests show what the literal readings give):
// - line 12 takes the joint's twist from the parent's frame, X(T_{i-1}), which puts the axis through the parent's origin; (4) says it is
//   expressed in the child's frame. Read: through the child's origin. `axis_through_parent` is the literal line.
//   Line 17 is right as printed, since the direction is measured in the parent's axes.
// - lines 28, 36 assign M_i v_i to h_{i+1}. Read: M_{i+1} v_{i+1}. `momentum_of_parent` is the literal line: the last link
//   has no momentum then, and with one joint on a fixed base both hypotheses are the same number.
// - (8), (9) and line 19 sum i = 1..n over n + 1 links: gravity and momentum of the last link would be missing. Read: all
//   links, as (12) has it.
// - (11) and line 44 minimise over j a sum over j. Read: the sum runs over samples, as in (14), (15).
// - the first link's twist is nowhere given (the experiment anchors it). Read: raw differences of its pose.
// - which sample of W belongs to a difference of differences is not said. Read: the middle one.
// X(.) and X*(.) are taken for twists and for wrenches, world from link; the mixture of symbols in lines 12, 19, 28 does not say.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/joint.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

struct SourceOptions {
  bool axis_through_parent{false};  // line 12 as printed
  bool momentum_of_parent{false};   // lines 28, 36 as printed
  // Combinations double with each joint: 2^12 takes seconds.
  int max_joints{12};

  void validate() const;
};

struct SourceJoint {
  std::string name;
  model::JointType type{model::JointType::prismatic};  // in the best combination
  double prismatic_error{0.0}, revolute_error{0.0};    // of the best combination with that type
};

enum class SourceStatus { failed, ok };

struct SourceResult {
  SourceStatus status{SourceStatus::failed};
  std::string reason;          // where it failed
  std::vector<double> errors;  // by combination: bit j is set where joint j is revolute
  std::size_t best{0}, runner_up{0};
  std::vector<SourceJoint> joints;
  double score{0.0};  // runner-up's error less the best's, as a share of the runner-up's
  // Where there are at most three joints: error of each sample, per combination.
  std::vector<std::vector<double>> sample_errors;
  double time_ms{0.0};

  std::string brief_report() const;
};

// Throws std::invalid_argument on bad options or a recording that validate() refuses.
SourceResult source_algorithm(const ArticulatedObject& object, const Recording& recording,
                              const SourceOptions& options = {});

}  // namespace prehend::topology
