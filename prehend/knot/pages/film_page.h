// Sequences of states as a film strip: one drawing per state, what was done between them.
#pragma once

#include <prehend/knot/plan.h>
#include <prehend/knot/recognition.h>
#include <prehend/report/page.h>

namespace prehend::knot {

// Pictures by drawing_page.h. A sequence with a state that cannot be drawn (too many crossings) has a sentence instead.
// Moves of a recording have frames and times.
report::Page recognition_page(const Recognition& recognition);
report::Page plan_page(const KnotPlan& plan);

}  // namespace prehend::knot
