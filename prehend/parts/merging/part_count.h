// How many parts the costs of a tree suggest, and how pieces that do not touch become one tree.
#pragma once

#include <prehend/parts/merging/region_merging.h>

namespace prehend::parts {

// Of 0.25, 0.3, 0.4, 0.55 and 0.7 the level with the best adjusted Rand index on 26 generated tools (seeds 1 and 2): 0.64; 0.62 at 0.3,
// 0.58 at 0.55.
inline constexpr double kApart = 0.4;
// From the last merge back as long as each costs more than a level that separates parts on generated tools (docs/parts_validation.md), twelve at most.
// A division further down, of what is one by all later merges, is none.
int suggested_parts(const PartTree& tree, double apart = kApart);

// Borders between regions that have none, all pairs, as long as more than one is alive; `offset` is added to the costs.
void join_pieces(RegionMerging& merging, double offset);

}  // namespace prehend::parts
