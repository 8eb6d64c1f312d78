// A recording passed to the online estimator row by row, as if it came from the hands: when was each joint identified, and how
// long did a row take?
#pragma once

#include <string>
#include <vector>

#include <prehend/topology/found_joint.h>
#include <prehend/topology/push_suggestion.h>
#include <prehend/topology/recording.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

struct ReplayedJoint {
  std::string name;
  TopologyStatus status{TopologyStatus::not_computed};
  model::JointType type{model::JointType::free};
  double identified_since{-1.0};  // [s] after the first row; negative: it is not identified
  std::string reason;             // one sentence, where it is not identified
};

struct ReplayedTopology {
  std::vector<ReplayedJoint> joints;   // at the last row
  double mean_us{0.0}, worst_us{0.0};  // per row, on this machine
  PushSuggestion suggestion;           // at the last row

  std::string brief_report() const;
  // {"update_us", "worst_update_us", "joints": [{"name", "type", "told_since_s", "reason"}], "next_push"}
  std::string to_json() const;
};

ReplayedTopology replay_topology(const ArticulatedObject& object, const Recording& recording,
                                 const OnlineTopologyOptions& options = {});

}  // namespace prehend::topology
