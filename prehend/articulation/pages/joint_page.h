// One joint as a page: how the part moves in the other with its axis drawn, the candidates with their scores, states and residuals over time.
#pragma once

#include <string>

#include <prehend/articulation/observations.h>
#include <prehend/articulation/selection.h>
#include <prehend/report/page.h>

namespace prehend::articulation {

// `observations`: those that the selection was made from.
report::Page joint_page(const Selection& selection, const Observations& observations,
                        const std::string& source);

// One row per time: states [rad, m], what the joint leaves [m, rad] and how much the frame counts; empty where a part is lost.
std::string joint_states_csv(const Selection& selection, const Observations& observations);

}  // namespace prehend::articulation
