// Moves as JSON, in the words of `knot moves` and `knot plan`:
//
//   {"move":"R1","adds":true,"end":null,"parameters":{"segment":3,"attr":[1,2]},"sign":-1}
//   {"move":"R2","adds":true,"end":null,"parameters":{"segments":[3,6],"over":"first","same_direction":true},"sign":1}
//   {"move":"R3","adds":false,"end":null,"parameters":{"segments":[3,5,8]},"sign":null}        top, middle, bottom
//   {"move":"cross","adds":false,"end":"first","parameters":{"segment":2,"over":true},"sign":1}
//
// Parameters number the state with fewer crossings. Two segments can meet in two faces, and a segment can have the end's face
// on both sides: then two moves share their parameters and lead to different states. `sign` (moves.h) distinguishes them, so that
// a move read back from JSON can be made without knowing the state after it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prehend/knot/moves.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {

void write_json(model::JsonWriter& json, const Move& move);
// One move, and the `moves` of a plan. Other fields are ignored. Throws model::InputError with the line: a field that is
// missing or of the wrong kind. Whether a state allows the move is for apply() to say.
Move parse_move(std::string_view bytes, const std::string& name);
std::vector<Move> parse_moves(std::string_view bytes, const std::string& name);

}  // namespace prehend::knot
