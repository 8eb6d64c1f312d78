// Joints scored between all pairs of parts, and the best tree.
#pragma once

#include <vector>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/tree/pair_fit.h>
#include <prehend/articulation/tree/spanning_tree.h>

namespace prehend::articulation {

struct PartGraph {
  std::vector<PairFit> pairs;       // all that are ever seen together
  std::vector<WeightedEdge> edges;  // their scores, in the same order
  std::vector<int> tree;            // indices into both
};

// Variances of each group's pose.
struct GroupNoise {
  std::vector<PoseNoise> parts;
  double independence{1.0};  // see PairNoise
  PairNoise pair(int fixed, int moving) const;
};

// Every how-manieth frame makes at most about that many.
int pair_stride(const PartTracks& tracks, int frames);

// All pairs in closed form over few frames, each with the noise that suits it: scores are per frame.
PartGraph first_look(const PartTracks& tracks, const DiscoveryOptions& options);
// The same for groups of features, by their first ones.
PartGraph look_of_groups(const PartGraph& look, const std::vector<RigidGroup>& groups);

// `look` at the same parts: of each, its best partners are fitted with care. Empty: all pairs are.
PartGraph score_pairs(const PartTracks& tracks, const PartGraph& look, const GroupNoise& noise,
                      const DiscoveryOptions& options);

// Whether both trees have the same edges with the same types.
bool same_tree(const PartGraph& a, const PartGraph& b);
GroupNoise group_noise(const PoseNoise& feature, const std::vector<int>& sizes);

}  // namespace prehend::articulation
