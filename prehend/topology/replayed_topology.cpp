#include <algorithm>
#include <chrono>
#include <cstdio>

#include <prehend/math/interrupt.h>
#include <prehend/model/json_writer.h>
#include <prehend/topology/online_topology.h>
#include <prehend/topology/replayed_topology.h>

namespace prehend::topology {

ReplayedTopology replay_topology(const ArticulatedObject& object, const Recording& recording,
                                 const OnlineTopologyOptions& options) {
  validate(object, recording);
  std::vector<int> held;
  for (const HeldLink& hand : recording.held) held.push_back(hand.link);
  OnlineTopology online(object, held, recording.gravity_W, recording.base_is_fixed, options);
  std::vector<math::Pose> X(object.links.size());
  std::vector<math::Wrench> F(held.size());
  ReplayedTopology replayed;
  double total = 0.0;
  for (std::size_t k = 0; k < recording.rows(); ++k) {
    math::check_interrupt();
    for (std::size_t i = 0; i < X.size(); ++i) X[i] = recording.X_WL[i][k];
    for (std::size_t h = 0; h < F.size(); ++h) F[h] = recording.held[h].F_L[k];
    const auto start = std::chrono::steady_clock::now();
    online.push(recording.t[k], X, F);
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    total += us;
    replayed.worst_us = std::max(replayed.worst_us, us);
  }
  replayed.mean_us = total / static_cast<double>(recording.rows());
  replayed.suggestion = online.suggest_push();
  for (std::size_t j = 0; j < online.beliefs().size(); ++j) {
    const FoundJoint& belief = online.beliefs()[j];
    const double since = online.identified_since()[j];
    replayed.joints.push_back({object.links[j + 1].joint, belief.status, belief.type,
                               since < 0.0 ? since : since - recording.t.front(), belief.reason});
  }
  return replayed;
}

std::string ReplayedTopology::brief_report() const {
  char line[100];
  std::string text;
  for (const ReplayedJoint& joint : joints) {
    text += "online: " + joint.name + ": ";
    if (joint.status == TopologyStatus::ok) {
      std::snprintf(line, sizeof line, "%s, identified after %.3g s\n", hypothesis_name(joint.type),
                    joint.identified_since);
      text += line;
    } else {
      text += "undetermined: " + joint.reason + "\n";
    }
  }
  std::snprintf(line, sizeof line, "online: %.3g us a row, %.3g us at most\n", mean_us, worst_us);
  text += line;
  if (suggestion.is_useful) text += "online: " + suggestion.sentence + "\n";
  return text;
}

std::string ReplayedTopology::to_json() const {
  model::JsonWriter json;
  json.object().field("update_us", mean_us).field("worst_update_us", worst_us).key("joints").array();
  for (const ReplayedJoint& joint : joints) {
    const bool identified = joint.status == TopologyStatus::ok;
    json.object()
        .field("name", joint.name)
        .field("type", identified ? hypothesis_name(joint.type) : "undetermined");
    json.key("told_since_s");
    if (identified && joint.identified_since >= 0.0)
      json.value(joint.identified_since);
    else
      json.null();
    if (!identified) json.field("reason", joint.reason);
    json.end();
  }
  json.end().key("next_push");
  if (suggestion.is_useful)
    json.value(suggestion.sentence);
  else
    json.null();
  return json.end().text();
}

}  // namespace prehend::topology
