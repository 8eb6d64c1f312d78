#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/model/json_writer.h>
#include <prehend/topology/topology_json.h>

namespace prehend::topology {
namespace {

using model::JointType;
using model::JsonWriter;

const std::string& link_name(const ArticulatedObject& object, int link) {
  return object.links[static_cast<std::size_t>(link)].name;
}

const char* told_type(const FoundJoint& joint) {
  return joint.status == TopologyStatus::ok ? hypothesis_name(joint.type) : "undetermined";
}

// In a fixed order, whatever the likelihoods are.
std::vector<const JointHypothesis*> by_type(const FoundJoint& joint) {
  std::vector<const JointHypothesis*> sorted;
  for (const JointHypothesis& h : joint.hypotheses) sorted.push_back(&h);
  std::sort(sorted.begin(), sorted.end(),
            [](const JointHypothesis* a, const JointHypothesis* b) { return a->type < b->type; });
  return sorted;
}

void write_geometry(JsonWriter& json, const FoundJoint& joint) {
  const articulation::Joint& found = joint.best().joint;
  if (const auto axis = found.axis_F()) json.field("axis_F", *axis);
  if (const auto point = found.point_F()) json.field("point_F_m", *point);
  if (const auto axis = found.axis_M()) json.field("axis_M", *axis);
  if (const auto point = found.point_M()) json.field("point_M_m", *point);
  if (found.type == JointType::screw) json.field("pitch_m_per_rad", found.pitch);
  if (found.type == JointType::prismatic)
    json.field("travel_m", joint.travel);
  else if (found.type != JointType::rigid)
    json.field("travel_rad", joint.travel);
  json.key("std")
      .object()
      .field("axis_rad", joint.axis_deviation)
      .field("point_m", joint.point_deviation)
      .end();
}

void write_recording(JsonWriter& json, const Recording& recording, const char* method) {
  json.field("method", method).field("base", recording.base_is_fixed ? "fixed" : "free");
  json.field("gravity_mps2", recording.gravity_W).field("rows", recording.rows());
}

}  // namespace

std::string topology_json(const TopologyResult& result, const ArticulatedObject& object,
                          const Recording& recording, const TopologyFiles& files) {
  JsonWriter json;
  json.object();
  write_recording(json, recording, "ours");
  json.key("joints").array();
  for (const FoundJoint& joint : result.joints) {
    json.object().field("name", joint.name).field("parent", link_name(object, joint.parent));
    json.field("child", link_name(object, joint.child)).field("type", told_type(joint));
    json.field("status", to_string(joint.status)).field("likeliest", hypothesis_name(joint.type));
    json.key("errors").object();
    for (const JointHypothesis* h : by_type(joint)) {
      json.key(hypothesis_name(h->type));
      if (!recording.is_complete())
        json.null();
      else
        json.value(h->error);
    }
    json.end().key("posterior").object();
    for (const JointHypothesis* h : by_type(joint)) json.field(hypothesis_name(h->type), h->posterior);
    json.end().key("kinematic_posterior").object();
    for (const JointHypothesis* h : by_type(joint))
      json.field(hypothesis_name(h->type), h->kinematic_posterior);
    json.end();
    write_geometry(json, joint);
    json.key("hypotheses").array();
    for (const JointHypothesis& h : joint.hypotheses) {
      json.object().field("type", hypothesis_name(h.type)).field("kinematic_nats", h.kinematic);
      json.field("momentum_nats", h.momentum).field("transmitted_nats", h.transmitted);
      json.field("explanation", h.explanation).end();
    }
    json.end();
    if (!joint.reason.empty()) json.field("reason", joint.reason);
    json.end();
  }
  json.end().field("score", result.score).field("balance", result.balance);
  const auto combination = [&](const char* name, const Combination& c) {
    json.key(name).object().key("types").array();
    for (const JointType type : c.types) json.value(hypothesis_name(type));
    json.end().field("error", c.error).end();
  };
  json.key("momentum_alone").object();
  combination("best", result.best);
  combination("runner_up", result.runner_up);
  json.end();
  json.key("noise")
      .object()
      .field("position_m", result.pose_noise.position)
      .field("angle_rad", result.pose_noise.angle);
  json.field("force_N", result.force_noise).field("torque_Nm", result.torque_noise).end();
  json.field("problems", result.problems).field("notes", result.notes);
  if (!files.urdf.empty())
    json.key("files").object().field("urdf", files.urdf).field("mjcf", files.mjcf).end();
  std::string text = json.end().text();
  if (!files.online.empty()) text.insert(text.size() - 1, ",\"online\":" + files.online);
  return text;
}

std::string source_json(const SourceResult& result, const ArticulatedObject& object,
                        const Recording& recording) {
  JsonWriter json;
  json.object();
  write_recording(json, recording, "source");
  json.key("joints").array();
  for (std::size_t j = 0; j < result.joints.size(); ++j) {
    const SourceJoint& joint = result.joints[j];
    const Link& link = object.links[j + 1];
    json.object()
        .field("name", joint.name)
        .field("parent", link_name(object, link.parent))
        .field("child", link.name);
    json.field("type", to_string(joint.type)).key("errors").object();
    json.field("prismatic", joint.prismatic_error).field("revolute", joint.revolute_error).end().end();
  }
  json.end().field("score", result.score);
  json.field("problems", std::vector<std::string>{}).field("notes", std::vector<std::string>{});
  return json.end().text();
}

std::string topology_table(const TopologyResult& result, const ArticulatedObject& object) {
  char line[400];
  std::snprintf(line, sizeof line, "%-18s %-24s %-13s %9s %9s %12s %12s  %s\n", "joint", "between", "type",
                "posterior", "poses", "err. pris.", "err. rev.", "axis and point in the parent's frame");
  std::string text = line;
  for (const FoundJoint& joint : result.joints) {
    double errors[2] = {NAN, NAN};
    for (const JointHypothesis& h : joint.hypotheses) {
      if (h.type == JointType::prismatic) errors[0] = h.error;
      if (h.type == JointType::revolute) errors[1] = h.error;
    }
    const std::string between = link_name(object, joint.parent) + " - " + link_name(object, joint.child);
    std::string geometry;
    if (joint.status == TopologyStatus::ok) {
      char part[100];
      if (const auto axis = joint.best().joint.axis_F()) {
        std::snprintf(part, sizeof part, "(%.3f, %.3f, %.3f)", axis->x(), axis->y(), axis->z());
        geometry += part;
      }
      if (const auto point = joint.best().joint.point_F(); point && joint.type != JointType::rigid) {
        std::snprintf(part, sizeof part, " at (%.4f, %.4f, %.4f) m", point->x(), point->y(), point->z());
        geometry += part;
      }
    }
    std::snprintf(line, sizeof line, "%-18s %-24s %-13s %9.4f %9.4f %12.5g %12.5g  %s\n", joint.name.c_str(),
                  between.c_str(), told_type(joint), joint.best().posterior, joint.best().kinematic_posterior,
                  errors[0], errors[1], geometry.c_str());
    text += line;
    if (!joint.reason.empty()) text += "    " + joint.reason + "\n";
  }
  std::snprintf(
      line, sizeof line,
      "score %.4g nats over the next combination; balance %.3g; noise %.3g mm, %.3g deg, %.3g N, %.3g N m\n",
      result.score, result.balance, 1e3 * result.pose_noise.position, result.pose_noise.angle * 180.0 / M_PI,
      result.force_noise, result.torque_noise);
  text += line;
  for (const std::string& sentence : result.problems) text += "problem: " + sentence + "\n";
  for (const std::string& sentence : result.notes) text += "note: " + sentence + "\n";
  return text;
}

}  // namespace prehend::topology
