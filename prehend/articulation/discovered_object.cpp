#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/articulation/discovered_object.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/model/json_writer.h>

namespace prehend::articulation {
namespace {

using model::JointType;

void write_state(model::JsonWriter& json, const std::optional<State>& q) {
  if (!q) {
    json.null();
  } else if (q->size() == 1) {
    json.value((*q)[0]);
  } else {
    json.array();
    for (const double value : *q) json.value(value);
    json.end();
  }
}

// Axis, point, pitch and second axis in the parent's frame; the second axis at state zero.
void write_geometry(model::JsonWriter& json, const Joint& joint) {
  if (const auto axis = joint.axis_F()) json.field("axis", *axis);
  if (const auto point = joint.point_F()) json.field("point_m", *point);
  if (joint.type == JointType::screw) json.field("pitch_m_per_rad", joint.pitch);
  if (joint.type == JointType::universal)
    json.field("axis2", Eigen::Vector3d(joint.X_FJ.q() * Eigen::Vector3d::UnitY()));
}

// As in the answer of `prehend joint`.
void write_deviations(model::JsonWriter& json, const FitDeviations& d) {
  json.key("std").object();
  const auto add = [&](const char* field, const std::optional<double>& value) {
    if (value) json.field(field, *value);
  };
  add("axis_rad", d.axis_F);
  add("axis_child_rad", d.axis_M);
  add("axis2_child_rad", d.axis2_M);
  add("point_m", d.point_F);
  add("point_child_m", d.point_M);
  add("pitch_m_per_rad", d.pitch);
  json.end();
}

std::string range_text(const DiscoveredJoint& joint) {
  if (joint.lower.size() == 0) return "";
  char text[100];
  std::string out;
  const auto range = [&](int k, bool angle) {
    std::snprintf(text, sizeof text, angle ? "%s%.4g deg" : "%s%.4g m", out.empty() ? "" : ", ",
                  (joint.upper[k] - joint.lower[k]) * (angle ? math::degrees(1.0) : 1));
    out += text;
  };
  switch (joint.joint.type) {
    case JointType::prismatic:
      range(0, false);
      break;
    case JointType::revolute:
    case JointType::screw:
      range(0, true);
      break;
    case JointType::cylindrical:
      range(0, true), range(1, false);
      break;
    case JointType::universal:
      range(0, true), range(1, true);
      break;
    case JointType::planar:
      range(0, false), range(1, false), range(2, true);
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

const char* to_string(DiscoveryStatus status) { return enum_text(status); }

std::vector<std::optional<math::Pose>> Discovery::placed(int frame) const {
  std::vector<std::optional<math::Pose>> X(groups.size());
  X[0] = math::Pose();
  for (const DiscoveredJoint& joint : joints)
    if (X[joint.parent] && joint.states[frame])
      X[joint.child] = *X[joint.parent] * joint.joint.forward(*joint.states[frame]);
  return X;
}

std::string Discovery::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).key("joints").array();
  for (const DiscoveredJoint& joint : joints) {
    json.object().field("parent", name(joint.parent)).field("child", name(joint.child));
    json.field("type", to_string(joint.joint.type));
    write_geometry(json, joint.joint);
    json.key("states").array();
    for (const auto& q : joint.states) write_state(json, q);
    json.end().field("X_PJ", joint.joint.X_FJ).field("X_CJ", joint.joint.X_MJ);
    json.field("rms_position_m", joint.rms_position).field("rms_angle_rad", joint.rms_angle);
    write_deviations(json, joint.deviations);
    json.field("score", joint.score).field("margin", joint.margin).field("outliers", joint.outliers);
    json.key("candidates").array();
    for (const TypeScore& type : joint.types)
      json.object().field("type", to_string(type.type)).field("score", type.score).end();
    json.end();
    if (!joint.reason.empty()) json.field("reason", joint.reason);
    json.end();
  }
  json.end().key("rigid_groups").array();
  for (const RigidGroup& group : groups) {
    json.array();
    for (const int part : group.parts) json.value(parts[part]);
    json.end();
  }
  json.end().key("loops").array();
  for (const Loop& loop : loops) {
    json.object().key("parts").array();
    for (const int group : loop.groups) json.value(name(group));
    json.end().field("parent", name(loop.a)).field("child", name(loop.b));
    json.field("type", to_string(loop.joint.type));
    write_geometry(json, loop.joint);
    json.field("constraints", loop.constraints).end();
  }
  json.end().field("degrees_of_freedom", degrees_of_freedom);
  json.key("noise").object().field("position_m", noise.position).field("angle_rad", noise.angle).end();
  json.field("times_s", times);
  if (!reasons.empty()) json.field("reasons", reasons);
  if (!notes.empty()) json.field("notes", notes);
  return json.end().text();
}

std::string Discovery::brief_report() const {
  char text[400];
  std::snprintf(text, sizeof text, "%zu parts in %zu rigid groups, %zu frames, %d degree%s of freedom\n",
                parts.size(), groups.size(), times.size(), degrees_of_freedom,
                degrees_of_freedom == 1 ? "" : "s");
  std::string report = text;
  std::snprintf(text, sizeof text, "noise of a pose: %.3g mm, %.3g deg per axis\n", 1e3 * noise.position,
                math::degrees(noise.angle));
  report += text;
  for (const DiscoveredJoint& joint : joints) {
    std::snprintf(text, sizeof text, "  %-14s -> %-14s %-11s %-22s", name(joint.parent).c_str(),
                  name(joint.child).c_str(), to_string(joint.joint.type), range_text(joint).c_str());
    report += text;
    // A joint with further freedoms has to be clearly ahead of the simpler one that it contains.
    const std::string next =
        joint.types.size() > 1 ? std::string(" of ") + to_string(joint.types[1].type) : "";
    std::snprintf(text, sizeof text,
                  joint.margin < 0 ? " simplest, %.4g nats behind\n" : " %8.4g nats ahead%s\n",
                  std::abs(joint.margin), next.c_str());
    report += text;
  }
  for (const RigidGroup& group : groups) {
    if (group.parts.size() < 2) continue;
    report += "  rigid:";
    for (const int part : group.parts) report += " " + parts[part];
    report += "\n";
  }
  for (const Loop& loop : loops) {
    report += "  loop:";
    for (const int group : loop.groups) report += " " + name(group);
    std::snprintf(text, sizeof text, ", closed by a %s joint that takes %d freedom%s\n",
                  to_string(loop.joint.type), loop.constraints, loop.constraints == 1 ? "" : "s");
    report += text;
  }
  for (const std::string& reason : reasons) report += "  " + reason + "\n";
  for (const std::string& note : notes) report += "  note: " + note + "\n";
  return report;
}

}  // namespace prehend::articulation
