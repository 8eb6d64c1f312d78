// `prehend knot PART ...`: the parts stand in files of their own, knot_PART.cpp, declared in verb.h.
#include "verb.h"

namespace prehend::cli {

Verb knot_verb() {
  Verb verb{"knot",
            "What was tied? Read, recognise, draw, name and plan knots in one rope",
            "prehend knot read data/ropes/overhand.csv",
            {},
            {}};
  verb.parts = {knot_read_verb(), knot_moves_verb(), knot_draw_verb(), knot_name_verb(), knot_plan_verb()};
  return verb;
}

}  // namespace prehend::cli
