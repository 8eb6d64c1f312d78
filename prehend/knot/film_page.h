// Sequences of states as a film strip: one drawing per state, what was done between them.
#pragma once

#include <optional>
#include <string>

#include <prehend/knot/plan.h>
#include <prehend/knot/recognition.h>
#include <prehend/report/page.h>

namespace prehend::knot {

// The drawing of a code as a plot, interrupted where strands pass under; the selected end is marked. A code that cannot be
// drawn gives an empty plot whose title says why.
report::Plot diagram_plot(const PData& data, const std::string& title, std::optional<int> outer_face = {});

report::Page recognition_page(const Recognition& recognition);
report::Page plan_page(const KnotPlan& plan);

}  // namespace prehend::knot
