// A discovered object as a page: the object moving as it was seen with its axes drawn, states over time, a table of joints with the
// margins by which their types won, groups and loops.
#pragma once

#include <string>

#include <prehend/articulation/discovered_object.h>
#include <prehend/report/page.h>

namespace prehend::articulation {

report::Page discovery_page(const Discovery& discovery, const std::string& source);

}  // namespace prehend::articulation
