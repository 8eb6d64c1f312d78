// Proofs that there is no placement at all.
#pragma once

#include <string>

#include <prehend/placement/planning/problem.h>

namespace prehend::placement {

// One sentence, or nothing where no proof was found: nothing may be touched; the object does not fit into the region; no face that may be
// touched holds the vertical in its friction cone, and no two bodies can be touched at once.
std::string why_impossible(const Problem& problem);

}  // namespace prehend::placement
