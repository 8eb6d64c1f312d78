// The noise of poses from the joints of a tree: what they leave is noise, where they are the right ones.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <prehend/articulation/discovery_options.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/tree/part_graph.h>

namespace prehend::articulation {

// Below this no pose is known, whatever the residuals say: far above the rounding of poses, far below any tracker.
PoseNoise least_noise(const PartTracks& tracks, const PoseNoise& known = {});

// From the joints of a tree: one feature's, common to all groups of `sizes` features; where groups differ by more than half, each
// group's own, and `is_shared` false. A part at rest in the world shows its own noise; of a pair that is carried about, the lever between the two tells
// whose rotation noise it is.
struct TreeNoise {
  PoseNoise feature;
  GroupNoise groups;
  bool is_shared{true};
  std::array<double, 2> slow{1.0, 1.0};  // RigidOptions::slow_noise
  double independence{1.0};              // see PairNoise
  std::vector<PoseNoise> features;       // of each feature, where they differ; empty: `feature` for all
  double covariance_factor{1.0};         // by which stated covariances were multiplied in all
};
// Variances of the relative pose along one edge, estimated with its joint.
struct EdgeNoise {
  int a, b;
  double position2, angle2;    // [m^2, rad^2]
  std::array<double, 2> slow;  // RigidOptions::slow_noise
};
// Fits to the same tracks, by pair, type and the fixed part's share, that a further tree may ask for again.
struct EdgeFits {
  using Edge = std::tuple<int, int, model::JointType, double>;
  std::map<Edge, std::optional<EdgeNoise>> noise;
  std::map<Edge, double> likely_shares;
};
// `fits`: of these very tracks.
TreeNoise tree_noise(const PartTracks& tracks, const PartGraph& graph, const std::vector<int>& sizes,
                     const DiscoveryOptions& options, EdgeFits& fits);
// The same where poses have covariances of their own: by how much these are to be multiplied, the median over the tree's joints.
double covariance_factor(const PartTracks& tracks, const PartGraph& graph, const DiscoveryOptions& options);
// Median over the tree's joints of PairFit::independence.
double tree_independence(const PartGraph& graph);
// Root mean square of the covariances' standard deviations.
PoseNoise typical_noise(const PartTracks& tracks);

}  // namespace prehend::articulation
