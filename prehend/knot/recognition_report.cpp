#include <prehend/knot/moves_json.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/recognition.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {

std::string when_text(const SeenState& before, const SeenState& after) {
  std::string text =
      "frames " + std::to_string(before.last_frame) + " to " + std::to_string(after.first_frame);
  if (before.t_last && after.t_first) {
    text +=
        ", " + math::number_text(*before.t_last, 6) + " s to " + math::number_text(*after.t_first, 6) + " s";
  }
  return text;
}

std::string to_text(const Transition& transition) {
  std::string text = transition.swapped ? " (other end): " : ": ";
  if (transition.status == SearchStatus::not_found) {
    text += "no sequence of moves within the limit leads there";
  } else if (transition.status == SearchStatus::gave_up) {
    text += "no sequence of moves found before the limit on states";
  } else if (transition.moves == 0) {
    text += "nothing changed";
  } else if (!transition.candidates.empty()) {
    for (std::size_t k = 0; k < transition.candidates.size(); ++k)
      text += (k == 0 ? "" : ", or ") + to_text(transition.candidates[k]);
  } else {
    text += std::to_string(transition.moves) + " moves, for instance ";
    for (std::size_t k = 0; k < transition.path.size(); ++k)
      text += (k == 0 ? "" : ", then ") + to_text(transition.path[k]);
  }
  return text + "\n";
}

std::string Recognition::reason() const {
  std::string which;
  for (std::size_t t = 0; t < transitions.size(); ++t) {
    if (transitions[t].status == SearchStatus::ok) continue;
    which += (which.empty() ? "" : ", ") + std::to_string(t + 1) + " to " + std::to_string(t + 2);
  }
  if (which.empty()) return "";
  return "no moves were found from state " + which +
         "; the states may be unrelated, or more moves lie between them than max_moves";
}

std::string Recognition::brief_report() const {
  std::string text;
  if (seen.empty()) {
    if (first_swapped) text += "state 1 is read from its other end\n";
    for (std::size_t t = 0; t < transitions.size(); ++t)
      text += std::to_string(t + 1) + " -> " + std::to_string(t + 2) + to_text(transitions[t]);
    return text;
  }
  text += std::to_string(seen.size()) + (seen.size() == 1 ? " state" : " states") + " in frames " +
          std::to_string(seen.front().first_frame) + " to " + std::to_string(seen.back().last_frame) + "\n";
  if (first_swapped) text += "the first state is read from its other end\n";
  for (std::size_t t = 0; t < transitions.size(); ++t)
    text += when_text(seen[t], seen[t + 1]) + to_text(transitions[t]);
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

std::string Recognition::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status));
  json.field("first_swapped", first_swapped).field("swaps", swaps);
  if (!seen.empty()) json.field("first_frame", seen.front().first_frame);
  json.key("transitions").array();
  for (std::size_t t = 0; t < transitions.size(); ++t) {
    const Transition& transition = transitions[t];
    json.object();
    if (!seen.empty()) {
      json.field("last_frame_before", seen[t].last_frame).field("frame", seen[t + 1].first_frame);
      if (seen[t].t_last && seen[t + 1].t_first)
        json.field("t0_s", *seen[t].t_last).field("t1_s", *seen[t + 1].t_first);
    }
    json.field("swapped", transition.swapped).field("status", to_string(transition.status));
    json.key("moves");  // how many
    if (transition.status == SearchStatus::ok) {
      json.value(transition.moves);
    } else {
      json.null();
    }
    json.key("candidates").array();
    for (const Move& move : transition.candidates) write_json(json, move);
    json.end().key("between").array();
    for (const PData& state : transition.between) write_json(json, state);
    json.end().key("path").array();
    for (const Move& move : transition.path) write_json(json, move);
    json.end().end();
  }
  json.end();
  if (!seen.empty()) json.field("notes", notes);
  return json.end().text();
}

}  // namespace prehend::knot
