// Moves, recognised sequences and plans as JSON, in the words of `knot moves` and `knot plan`:
//
//   {"move":"R1","adds":true,"end":null,"parameters":{"segment":3,"attr":[1,2]}}
//   {"move":"R2","adds":true,"end":null,"parameters":{"segments":[3,6],"over":"first","same_direction":true}}
//   {"move":"R3","adds":false,"end":null,"parameters":{"segments":[3,5,8]}}        top, middle, bottom
//   {"move":"cross","adds":false,"end":"first","parameters":{"segment":2,"over":true}}
//
// Parameters number the state with fewer crossings. A move's `sign` (moves.h) is not written: the states beside it tell.
#pragma once

#include <span>
#include <string>

#include <prehend/knot/plan.h>
#include <prehend/knot/recognition.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {

void write_json(model::JsonWriter& json, const Move& move);
// {"first_swapped":...,"transitions":[{"swapped":...,"candidates":[...],"between":[P, ...], ...}]}
// With the frames in which the states first appear (one per state, or none), each transition says in which `frame` it ended.
std::string to_json(const Recognition& recognition, std::span<const int> frames = {});
// {"moves":[...],"states":[P, ...],"proven_shortest":...,"lower_bound":...}
std::string to_json(const KnotPlan& plan);

// "found", "not_found", "gave_up"
const char* name(SearchStatus status);

}  // namespace prehend::knot
