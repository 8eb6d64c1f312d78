// Sequences of states as a film strip: one drawing per state, what was done between them.
#pragma once

#include <span>

#include <prehend/knot/plan.h>
#include <prehend/knot/seen_states.h>
#include <prehend/report/page.h>

namespace prehend::knot {

// Pictures by drawing_page.h. A sequence with a state that cannot be drawn (too many crossings) has a sentence instead.
// With the states as seen in a recording, moves have frames and times.
report::Page recognition_page(const Recognition& recognition, std::span<const SeenState> seen = {});
report::Page plan_page(const KnotPlan& plan);

}  // namespace prehend::knot
