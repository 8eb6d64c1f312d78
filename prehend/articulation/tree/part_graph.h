// Parts, joints scored between all pairs of them, the best tree, and the noise that goes with it. Not part of the public
// interface.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/discovery.h>
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

// Below this no pose is known, whatever the residuals say: far above the rounding of poses, far below any tracker.
PoseNoise least_noise(const PartTracks& tracks, const PoseNoise& told = {});

// All pairs in closed form over few frames, each with the noise that suits it: scores are per frame.
PartGraph first_look(const PartTracks& tracks, const DiscoveryOptions& options);
// The same for groups of features, by their first ones.
PartGraph look_of_groups(const PartGraph& look, const std::vector<RigidGroup>& groups);

// `look` at the same parts: of each, its best partners are fitted with care. Empty: all pairs are.
PartGraph score_pairs(const PartTracks& tracks, const PartGraph& look, const GroupNoise& noise,
                      const DiscoveryOptions& options);

// Noise again, from the joints of a tree: one feature's, common to all groups of `sizes` features; where the joints contradict
// that (by a factor of three), each group's own, and `is_shared` false.
struct TreeNoise {
  PoseNoise feature;
  GroupNoise groups;
  bool is_shared{true};
  std::array<double, 2> slow{1.0, 1.0};  // RigidOptions::slow_noise
  double independence{1.0};              // see PairNoise
  double covariance_factor{1.0};         // by which stated covariances were multiplied in all
};
TreeNoise tree_noise(const PartTracks& tracks, const PartGraph& graph, const std::vector<int>& sizes,
                     const DiscoveryOptions& options);
// The same where poses have covariances of their own: by how much these are to be multiplied, the median over the tree's joints.
double covariance_factor(const PartTracks& tracks, const PartGraph& graph, const DiscoveryOptions& options);
// Median over the tree's joints of PairFit::independence.
double tree_independence(const PartGraph& graph);
// Root mean square of the covariances' standard deviations.
PoseNoise typical_noise(const PartTracks& tracks);
// Whether both trees have the same edges with the same types.
bool same_tree(const PartGraph& a, const PartGraph& b);
GroupNoise group_noise(const PoseNoise& feature, const std::vector<int>& sizes);

// A joint of the tree from the selection of its type; states for all of `frames`.
DiscoveredJoint joint_of(const Selection& selection, int parent, int child, std::size_t frames);

// Joint frame along the child's axes: then the rotation vector is that of the written files.
void align_with_child(Joint& joint, std::vector<std::optional<State>>& states);
// From the states.
void set_limits(DiscoveredJoint& joint);
// Errors of filmed markers depend on where they are, and more freedoms follow them: a sentence where the joint is not plainly the one it
// is said to be; else empty. `margin` [nats].
std::string doubt_about(const DiscoveredJoint& joint, const PartGraph& graph, double margin);

// Where a part may hang on another one as well. Parallel slides and hinges on one axis move alike in any order: what decides then is how far
// apart they are and how far they move, and the answer says so. What closes a loop is no rival.
void name_other_trees(Discovery& discovery, const PartGraph& graph, double margin);

// Discovery where some parts are seen without orientation (point_parts.cpp).
Discovery discover_with_points(const model::PoseLog& log, const std::string& name,
                               const DiscoveryOptions& options);

}  // namespace prehend::articulation
