#include <algorithm>
#include <cstdio>

#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {
namespace {

using model::JointType;
using model::JsonWriter;

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
  json.key("std").object().field("axis_rad", joint.axis_deviation);
  json.field("point_m", joint.point_deviation).end();
}

void write_joint(JsonWriter& json, const FoundJoint& joint, bool has_errors) {
  json.object().field("name", joint.name).field("parent", joint.parent_name);
  json.field("child", joint.child_name).field("type", joint.type_text());
  json.field("status", to_string(joint.status)).field("likeliest", hypothesis_name(joint.type));
  json.key("errors").object();
  for (const JointHypothesis* h : by_type(joint)) {
    json.key(hypothesis_name(h->type));
    if (has_errors)
      json.value(h->error);
    else
      json.null();
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
  json.end().field_unless_empty("reason", joint.reason).end();
}

void write_combination(JsonWriter& json, const char* name, const Combination& combination) {
  json.key(name).object().key("types").array();
  for (const JointType type : combination.types) json.value(hypothesis_name(type));
  json.end().field("error", combination.error).end();
}

std::string vector_text(const Eigen::Vector3d& v, const char* format) {
  char text[100];
  std::snprintf(text, sizeof text, format, v.x(), v.y(), v.z());
  return text;
}

// "" where there is no such hypothesis.
std::string error_text(const FoundJoint& joint, JointType type) {
  for (const JointHypothesis& h : joint.hypotheses)
    if (h.type == type) return math::number_text(h.error, 5);
  return "";
}

std::vector<std::string> table_row(const FoundJoint& joint) {
  std::string axis, point;
  if (joint.status == TopologyStatus::ok) {
    const articulation::Joint& model = joint.best().joint;
    if (const auto direction = model.axis_F()) axis = vector_text(*direction, "(%.3f, %.3f, %.3f)");
    if (const auto p = model.point_F(); p && joint.type != JointType::rigid)
      point = vector_text(*p, "(%.4f, %.4f, %.4f)");
  }
  char posterior[40], poses[40];
  std::snprintf(posterior, sizeof posterior, "%.4f", joint.best().posterior);
  std::snprintf(poses, sizeof poses, "%.4f", joint.best().kinematic_posterior);
  return {joint.name,
          joint.parent_name + " - " + joint.child_name,
          joint.type_text(),
          posterior,
          poses,
          error_text(joint, JointType::prismatic),
          error_text(joint, JointType::revolute),
          axis,
          point};
}

}  // namespace

std::string TopologyResult::to_json() const {
  JsonWriter json;
  json.object().field("status", to_string(status)).field("method", "ours");
  json.field("base", recording.base_is_fixed ? "fixed" : "free").field("gravity_mps2", recording.gravity_W);
  json.field("rows", recording.rows).key("joints").array();
  for (const FoundJoint& joint : joints) write_joint(json, joint, recording.is_complete);
  json.end().field("score", score).field("balance", balance).key("momentum_alone").object();
  write_combination(json, "best", best);
  write_combination(json, "runner_up", runner_up);
  json.end().key("noise").object().field("position_m", pose_noise.position);
  json.field("angle_rad", pose_noise.angle).field("force_N", force_noise);
  json.field("torque_Nm", torque_noise).end();
  return json.field("problems", problems).field("notes", notes).end().text();
}

std::string TopologyResult::brief_report() const {
  char line[400];
  std::snprintf(
      line, sizeof line,
      "%s; score %.4g nats over the next combination; balance %.3g; noise %.3g mm, %.3g deg, %.3g N, "
      "%.3g N m\n",
      to_string(status), score, balance, 1e3 * pose_noise.position, math::degrees(pose_noise.angle),
      force_noise, torque_noise);
  std::string text = line;
  using enum model::Align;
  model::TextTable table({{"joint", left},
                          {"between", left},
                          {"type", left},
                          {"posterior"},
                          {"poses alone"},
                          {"err. prismatic"},
                          {"err. revolute"},
                          {"axis in the parent", left},
                          {"point in the parent [m]", left}});
  for (const FoundJoint& joint : joints) table.row(table_row(joint));
  text += table.text();
  for (const FoundJoint& joint : joints)
    if (!joint.reason.empty()) text += "joint '" + joint.name + "': " + joint.reason + "\n";
  text += model::problem_lines(problems, "problem: ");
  for (const std::string& sentence : notes) text += "note: " + sentence + "\n";
  return text;
}

}  // namespace prehend::topology
