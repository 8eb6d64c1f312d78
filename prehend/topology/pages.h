// A topology estimate as a page of a report.
#pragma once

#include <string>

#include <prehend/model/scene.h>
#include <prehend/report/page.h>
#include <prehend/topology/recording.h>
#include <prehend/topology/topology.h>

namespace prehend::topology {

// A topology estimate as a page: the object moving as it was recorded with the hands' wrenches drawn on it and the axes that
// were found, hypothesis errors over time, states, and what the wrenches add to the poses.
//
// `found` as by found_scene(): shapes.
report::Page topology_page(const model::Scene& found, const ArticulatedObject& object,
                           const Recording& recording, const TopologyResult& result,
                           const std::string& source);

}  // namespace prehend::topology
