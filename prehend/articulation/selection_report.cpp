#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/articulation/selection.h>
#include <prehend/model/json_writer.h>

namespace prehend::articulation {
namespace {

void write_optional(model::JsonWriter& json, const char* name, const std::optional<Eigen::Vector3d>& value) {
  if (value) json.field(name, *value);
}

void write_joint(model::JsonWriter& json, const Joint& joint, bool has_orientation) {
  write_optional(json, "axis_F", joint.axis_F());
  write_optional(json, "point_F_m", joint.point_F());
  if (has_orientation) {
    // The first axis of a universal joint turns in M, which has the second.
    if (joint.type != model::JointType::universal) write_optional(json, "axis_M", joint.axis_M());
    write_optional(json, "axis2_M", joint.axis2_M());
    write_optional(json, "point_M_m", joint.point_M());
  } else if (joint.type == model::JointType::revolute) {
    json.field("radius_m", joint.X_MJ.p().norm());
  }
  if (joint.type == model::JointType::screw) json.field("pitch_m_per_rad", joint.pitch);
  json.field("X_FJ", joint.X_FJ).field("X_MJ", joint.X_MJ);
}

void write_state(model::JsonWriter& json, const State& q) {
  if (q.size() == 1) {
    json.value(q[0]);
    return;
  }
  json.array();
  for (const double value : q) json.value(value);
  json.end();
}

void write_fit_deviations(model::JsonWriter& json, const FitDeviations& d) {
  json.key("std").object();
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) json.field(name, *value);
  };
  add("axis_rad", d.axis_F);
  add("axis_M_rad", d.axis_M);
  add("axis2_M_rad", d.axis2_M);
  add("point_m", d.point_F);
  add("point_M_m", d.point_M);
  add("pitch_m_per_rad", d.pitch);
  json.end();
}

}  // namespace

std::string Selection::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status));
  if (!candidates.empty() && best().fit.status != FitStatus::failed) {
    const JointFit& fit = best().fit;
    json.field("type", to_string(best().type));
    json.field("fixed", fixed.empty() ? std::string("world") : fixed).field("moving", moving);
    if (delay != 0.0) json.field("delay_s", delay);
    write_joint(json, fit.joint, fit.has_orientation);
    json.key("states").array();
    for (const std::optional<State>& q : fit.states) {
      if (q)
        write_state(json, *q);
      else
        json.null();
    }
    json.end();
    if (fit.lower.size() > 0) {
      json.key("limits_seen").object().key("lower");
      write_state(json, fit.lower);
      json.key("upper");
      write_state(json, fit.upper);
      json.end();
    }
    json.key("noise")
        .object()
        .field("position_m", fit.noise.position)
        .field("angle_rad", fit.noise.angle)
        .end()
        .field("noise_has_sizes", fit.noise_has_sizes);
    write_fit_deviations(json, fit.deviations);
    json.field("outliers", fit.outliers);
    if (!fit.alternatives.empty()) {
      json.key("alternatives").array();
      for (const Joint& joint : fit.alternatives) {
        json.object().field("type", to_string(joint.type));
        write_joint(json, joint, fit.has_orientation);
        json.end();
      }
      json.end();
    }
  }
  json.key("rivals").array();
  for (const model::JointType type : rivals) json.value(to_string(type));
  json.end().key("candidates").array();
  for (const Candidate& candidate : candidates) {
    json.object().field("type", to_string(candidate.type));
    if (candidate.fit.status != FitStatus::failed) {
      json.field("score", candidate.score).field("plain_score", candidate.plain_score);
      json.field("evidence", candidate.evidence);
      json.field("parameters", candidate.parameters);
      json.field("rms_position_m", candidate.fit.rms_position)
          .field("rms_angle_rad", candidate.fit.rms_angle);
      if (std::find(rivals.begin(), rivals.end(), candidate.type) != rivals.end()) {
        json.key("joint").object();
        write_joint(json, candidate.fit.joint, candidate.fit.has_orientation);
        json.end();
      }
    }
    json.field("explanation", candidate.explanation).end();
  }
  json.end().field("independent_frames", independent_frames);
  if (!has_orientation) {
    json.key("slips").array();
    for (const Slip& slip : slips)
      json.object()
          .field("before_s", slip.before_time)
          .field("after_s", slip.after_time)
          .field("size_m", slip.size)
          .end();
    json.end();
  }
  json.field("notes", notes);
  return json.end().text();
}

std::string Selection::brief_report() const {
  char text[300];
  std::string report;
  if (candidates.empty()) return reason + "\n";
  std::snprintf(text, sizeof text, "%s in %s: %s, %d frames\n", moving.c_str(),
                fixed.empty() ? "the world" : fixed.c_str(),
                status == SelectionStatus::ok ? to_string(best().type) : to_string(status), frames);
  report += text;
  if (!reason.empty()) report += reason + "\n";
  if (best().fit.status != FitStatus::failed) report += best().fit.brief_report();
  for (const Candidate& candidate : candidates) {
    std::snprintf(text, sizeof text, "  %-12s", to_string(candidate.type));
    report += text;
    if (candidate.fit.status != FitStatus::failed) {
      std::snprintf(text, sizeof text, "%12.1f  ", candidate.score);
      report += text;
    }
    report += candidate.explanation + "\n";
  }
  for (const std::string& note : notes) report += "note: " + note + "\n";
  return report;
}

}  // namespace prehend::articulation
