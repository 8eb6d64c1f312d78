// How many parts the costs of a tree suggest, and how pieces that do not touch become one tree.
#pragma once

#include <prehend/parts/merging/region_merging.h>

namespace prehend::parts {

// One more than the merges whose cost is above a level that separates parts on generated tools (docs/parts.md).
int suggested_parts(const PartTree& tree);

// Borders between regions that have none, all pairs, as long as more than one is alive; `offset` is added to the costs.
void join_pieces(RegionMerging& merging, double offset);

}  // namespace prehend::parts
