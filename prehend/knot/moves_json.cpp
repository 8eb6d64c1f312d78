#include <prehend/knot/moves_json.h>
#include <prehend/knot/p_data_json.h>

namespace prehend::knot {

void write_json(model::JsonWriter& json, const Move& move) {
  json.object().field("move", name(move.kind)).field("adds", move.adds).key("end");
  if (move.end == RopeEnd::none) {
    json.null();
  } else {
    json.value(move.end == RopeEnd::first ? "first" : "last");
  }
  json.key("parameters").object();
  const auto& s = move.segments;
  switch (move.kind) {
    case MoveKind::r1:
      json.field("segment", s[0]);
      json.key("attr").array().value(attribute_of(move.over, move.sign));
      json.value(attribute_of(!move.over, move.sign)).end();
      break;
    case MoveKind::r2:
      json.key("segments").array().value(s[0]).value(s[1]).end();
      json.field("over", move.over ? "first" : "second").field("same_direction", move.same_direction);
      break;
    case MoveKind::r3:
      json.key("segments").array().value(s[0]).value(s[1]).value(s[2]).end();
      break;
    case MoveKind::cross:
      json.field("segment", s[0]).field("over", move.over);
      break;
  }
  json.end().key("sign");
  if (move.sign == 0) {
    json.null();
  } else {
    json.value(move.sign);
  }
  json.end();
}

std::string to_json(const Recognition& recognition, std::span<const SeenState> seen) {
  model::JsonWriter json;
  json.object().field("first_swapped", recognition.first_swapped).field("swaps", recognition.swaps);
  if (!seen.empty()) json.field("first_frame", seen.front().first_frame);
  json.key("transitions").array();
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t) {
    const Transition& transition = recognition.transitions[t];
    json.object();
    if (!seen.empty()) {
      json.field("last_frame_before", seen[t].last_frame).field("frame", seen[t + 1].first_frame);
      if (seen[t].t_last && seen[t + 1].t_first)
        json.field("t0_s", *seen[t].t_last).field("t1_s", *seen[t + 1].t_first);
    }
    json.field("swapped", transition.swapped).field("status", name(transition.status));
    json.key("moves");  // how many
    if (transition.status == SearchStatus::found) {
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
  return json.end().end().text();
}

std::string to_json(const KnotPlan& plan) {
  model::JsonWriter json;
  json.object().key("moves").array();
  for (const Move& move : plan.moves) write_json(json, move);
  json.end().key("states").array();
  for (const PData& state : plan.states) write_json(json, state);
  json.end().field("proven_shortest", plan.proven_shortest).field("lower_bound", plan.lower_bound);
  return json.end().text();
}

const char* name(SearchStatus status) {
  switch (status) {
    case SearchStatus::found:
      return "found";
    case SearchStatus::not_found:
      return "not_found";
    case SearchStatus::gave_up:
      return "gave_up";
  }
  return "";
}

}  // namespace prehend::knot
