// Pairs that two joints in a row connect, told from pairs that one joint connects.
//
// Where one of two joints in a row moves by little, or both turn about nearly the same axis, the two parts at the ends also look as if one joint
// connected them: what it leaves is no more than slow errors are, and the tree of least residuals may take it instead of one of the two. But what it
// leaves follows the state of the joint that it leaves out, while errors do not. In every triangle of parts, two of whose pairs are of the tree, what
// the third pair's joint leaves is therefore compared with what the pair that it could replace leaves: each by how much of it follows the joint that
// both trees have.
#pragma once

#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/tree/part_graph.h>

namespace prehend::articulation {

// Of a joint of one freedom: share of the mean square of what it leaves that follows the state of `other`, which shares a part with it; the larger
// of the shares of turns and of displacements. Zero where there are too few frames, or a joint is not of one freedom.
double share_that_follows(const PartTracks& tracks, const PairFit& pair, const PairFit& other, int stride);

// Replaces joints of the tree that two others in a row explain, and marks such pairs. `independence`: of frames, as in PairNoise.
void replace_chained_pairs(PartGraph& graph, const PartTracks& tracks, double independence, int stride);

}  // namespace prehend::articulation
