#include <prehend/knot/moves_json.h>

namespace prehend::knot {

void write_json(model::JsonWriter& json, const Move& move) {
  json.object().field("move", to_string(move.kind)).field("adds", move.adds).key("end");
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

}  // namespace prehend::knot
