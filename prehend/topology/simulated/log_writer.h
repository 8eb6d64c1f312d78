// A recording as the CSV that model/topology_log.h reads: links l0, l1, ..., wrenches on the first and the last link.
#pragma once

#include <string>

#include <prehend/topology/recording.h>

namespace prehend::topology {

// `digits` significant digits; `every` keeps one row of so many. Throws std::invalid_argument where a held link is neither the first nor
// the last: the file has no column for it.
std::string log_text(const Recording& recording, int digits = 17, int every = 1);

}  // namespace prehend::topology
