#include <algorithm>
#include <cstdio>

#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {
namespace {

void write_freedoms(model::JsonWriter& json, const Freedoms& count) {
  json.field("maintaining", count.maintaining)
      .field("detaching", count.detaching)
      .field("constraining", count.constraining)
      .field("restricted", count.restricted);
}

void write_dof(model::JsonWriter& json, const MotionFreedom& freedom) {
  json.key("dof").object().key("translation").object();
  write_freedoms(json, freedom.translation);
  json.end().key("rotation").object();
  write_freedoms(json, freedom.rotation);
  json.field("detaching_type1", freedom.rotation.detaching_type1)
      .field("detaching_type2", freedom.rotation.detaching_type2);
  json.end().key("all").object();
  write_freedoms(json, freedom.all);
  json.end().end();
}

void write_features(model::JsonWriter& json, const PrincipalContact& features) {
  json.field("type", features.type());
  json.field("moving",
             std::string(to_string(features.moving.kind)) + " " + std::to_string(features.moving.index));
  json.field("fixed",
             std::string(to_string(features.fixed.kind)) + " " + std::to_string(features.fixed.index));
  json.field("singular", features.is_singular());
}

void write_state(model::JsonWriter& json, const WatchedState& state) {
  json.object().field("t0_s", state.t0_s).field("t1_s", state.t1_s).field("inferred", state.inferred);
  json.field("singular", state.freedom.singular).field("numbers", state.freedom.eight_numbers());
  json.key("contacts").array();
  for (const WatchedContact& contact : state.contacts) {
    json.object();
    write_features(json, contact.features);
    json.field("points_F_m", contact.points_F).field("normals_F", contact.normals_F).end();
  }
  json.end();
  write_dof(json, state.freedom);
  json.field("X_FM", state.X_FM);
  // Impossible without it: 1e3 stands for more.
  if (!state.inferred) json.field("margin_nats", std::min(state.margin, 1e3));
  json.field_unless_empty("doubt", state.doubt).end();
}

void write_transitions(model::JsonWriter& json, const Watched& watched) {
  json.key("subskills").array();
  for (const WatchedTransition& transition : watched.transitions) {
    json.object().field("from", transition.from).field("to", transition.to).key("skills").array();
    for (const SubSkill& skill : transition.skills.skills) {
      json.object().field("kind", to_string(skill.kind)).field("motion", to_string(skill.motion)).key("type");
      skill.type == 0 ? json.null() : json.value(skill.type);
      json.end();
    }
    json.end().end();
  }
  json.end().field("critical", watched.critical);
}

}  // namespace

std::string WatchedState::contacts_text() const {
  if (contacts.empty()) return "free";
  // Kinds with their numbers: "2 edge-face, 1 face-edge".
  std::vector<std::pair<std::string, int>> kinds;
  for (const WatchedContact& contact : contacts) {
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == contact.features.type(); });
    if (known == kinds.end())
      kinds.push_back({contact.features.type(), 1});
    else
      ++known->second;
  }
  std::string text;
  for (const auto& [kind, count] : kinds)
    text += (text.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " " : std::string()) + kind;
  return text;
}

std::string NoiseAxes::text() const {
  char line[160];
  std::snprintf(line, sizeof line, "%.3g to %.3g mm, %.3g to %.3g deg", 1e3 * position_W.back().norm(),
                1e3 * position_W.front().norm(), math::degrees(angle_W.back().norm()),
                math::degrees(angle_W.front().norm()));
  return line;
}

std::string Watched::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("method", to_string(method));
  json.key("noise").object().field("position_m", noise.position).field("angle_rad", noise.angle);
  json.field("given", noise_was_given);
  if (noise_axes)
    json.field("position_axes_W_m", noise_axes->position_W).field("angle_axes_W_rad", noise_axes->angle_W);
  json.end();
  if (offset)
    json.key("offset")
        .object()
        .field("shift_M_m", offset->shift_M)
        .field("turn_M_rad", offset->turn_M)
        .field("about_M_m", offset->reference_M)
        .end();
  json.key("states").array();
  for (const WatchedState& state : states) write_state(json, state);
  json.end().key("frames").array();
  for (const WatchedFrame& frame : frames) {
    json.object().field("t_s", frame.t_s).key("state");
    frame.state < 0 ? json.null() : json.value(frame.state);
    json.field("moved_m", frame.moved_m);
    json.field("turned_rad", frame.turned_rad).field("X_FM", frame.X_FM);
    if (frame.status != CorrectionStatus::ok) json.field("problem", to_string(frame.status));
    json.end();
  }
  json.end();
  write_transitions(json, *this);
  if (!trajectories.empty()) {
    json.key("trajectories").array();
    for (const WatchedTrajectory& trajectory : trajectories)
      json.object()
          .field("from", trajectory.from)
          .field("to", trajectory.to)
          .field("X_FM", trajectory.X_FM)
          .field_unless_empty("note", trajectory.note)
          .end();
    json.end();
  }
  json.key("rejected").array();
  for (const RejectedRelation& relation : rejected) {
    json.object().key("contacts").array();
    for (const PrincipalContact& contact : relation.contacts) {
      json.object();
      write_features(json, contact);
      json.end();
    }
    json.end()
        .field("reason", relation.reason)
        .field("best_nats", relation.best_score)
        .field("t_s", relation.t_s)
        .end();
  }
  json.end();
  if (status == WatchStatus::doubtful) json.field("doubts", doubts);
  return json.field("notes", notes).end().text();
}

std::string Watched::brief_report() const {
  if (status == WatchStatus::overlapping) return reason + "\n";
  char line[200];
  std::snprintf(line, sizeof line, "%zu frames, noise %s: %.3g mm, %.3g deg per axis\n", frames.size(),
                noise_was_given ? "given" : "estimated", 1e3 * noise.position, math::degrees(noise.angle));
  std::string text = line;
  if (noise_axes) text += "the noise differs by direction: " + noise_axes->text() + "\n";
  model::TextTable table({{"state"},
                          {"from [s]"},
                          {"to [s]"},
                          {"contacts", model::Align::left},
                          {"freedoms", model::Align::left},
                          {"", model::Align::left},
                          {"then", model::Align::left}});
  for (std::size_t i = 0; i < states.size(); ++i) {
    const WatchedState& state = states[i];
    const auto time = [&](double t) {
      std::snprintf(line, sizeof line, "%.3f", t);
      return std::string(line);
    };
    std::string marks = state.inferred ? "inferred" : "";
    if (state.freedom.singular) marks += marks.empty() ? "singular" : ", singular";
    if (!state.doubt.empty()) marks += marks.empty() ? "doubtful" : ", doubtful";
    table.row({std::to_string(i), time(state.t0_s), time(state.t1_s), state.contacts_text(),
               state.freedom.eight_numbers(), marks,
               i < transitions.size() ? transitions[i].skills.text() : ""});
  }
  text += table.text();
  double moved = 0.0, turned = 0.0;
  for (const WatchedFrame& frame : frames) {
    moved = std::max(moved, frame.moved_m);
    turned = std::max(turned, frame.turned_rad);
  }
  std::snprintf(line, sizeof line, "frames were moved by at most %.3g mm and %.3g deg\n", 1e3 * moved,
                math::degrees(turned));
  text += line;
  for (const WatchedTrajectory& trajectory : trajectories)
    if (!trajectory.note.empty())
      text += "trajectory " + std::to_string(trajectory.from) + " to " + std::to_string(trajectory.to) +
              ": " + trajectory.note + "\n";
  if (offset) {
    std::snprintf(
        line, sizeof line,
        "the track is off by %.3g mm and %.3g deg all along, as contacts show; that was taken out\n",
        1e3 * offset->shift_M.norm(), math::degrees(offset->turn_M.norm()));
    text += line;
  }
  for (std::size_t i = 0; i < states.size(); ++i)
    if (!states[i].doubt.empty())
      text += "doubtful: state " + std::to_string(i) + ": " + states[i].doubt + "\n";
  for (const std::string& doubt : doubts) text += "doubtful: " + doubt + "\n";
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

}  // namespace prehend::observation
