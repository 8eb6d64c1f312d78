// A joint and a discovered object as pages of a report.
#pragma once

#include <string>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/observations.h>
#include <prehend/articulation/selection.h>
#include <prehend/report/page.h>

namespace prehend::articulation {

// One joint as a page: how the part moves in the other with its axis drawn, the candidates with their scores, states and residuals over time.
//
// `observations`: those that the selection was made from.
report::Page joint_page(const Selection& selection, const Observations& observations,
                        const std::string& source);

// One row per time: states [rad, m], what the joint leaves [m, rad] and how much the frame counts; empty where a part is lost.
std::string joint_states_csv(const Selection& selection, const Observations& observations);

// A discovered object as a page: the object moving as it was seen with its axes drawn, states over time, a table of joints with the
// margins by which their types won, groups and loops.
report::Page discovery_page(const Discovery& discovery, const std::string& source);

}  // namespace prehend::articulation
