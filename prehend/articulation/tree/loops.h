// Joints beside the spanning tree: kinematic loops, and how many freedoms they leave.
//
// A pair of parts beside the tree closes a loop when a joint explains its relative motion within the noise although the tree alone would
// let it move otherwise. With J the Jacobian of the pair's relative pose in the tree's states, in units of the noise and of
// the range each state was seen to move over, and P the projection off the closing joint's own directions, the singular
// values of P J say by how many standard deviations the constraint is broken when the states move on their own: above a few
// they are constraints, below one they were kept anyway (two parallel drawers slide against each other without any loop). The rank
// of all loops' P J together, at the observed states, is what they take from the tree's freedoms.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/part_tracks.h>

namespace prehend::articulation {

struct Loop {
  int a{0}, b{0};           // groups that the closing joint connects
  Joint joint;              // of b in a, between the frames of the tracks
  std::vector<int> groups;  // around the cycle, from a along the tree to b
  int constraints{0};       // freedoms that this loop takes away beyond the loops before it
  double misfit{0.0};       // of the closing joint, in units of the noise
};

struct LoopOptions {
  // Closing joints must leave residuals of at most this many times the noise.
  double misfit{1.25};
  // [standard deviations] Singular values above this are constraints. What errors of the fitted axes add lies far below one.
  double significant{2.0};
  // Singular values below this share of how far the tree moves the pair are errors of the fitted axes, not constraints: two hinges whose
  // axes meet are a universal joint, and a degree or two of error does not close a loop.
  double relative{0.04};
  // Observed states at which the rank is taken.
  int states{12};
};

// A joint of the tree, as loops see it.
struct TreeJoint {
  int parent{0}, child{0};
  const Joint* joint{nullptr};
  const std::vector<std::optional<State>>* states{nullptr};
};
// A pair beside the tree that a joint explains.
struct ClosingPair {
  int a{0}, b{0};
  Joint joint;
  PoseNoise noise;  // of the relative pose
  double misfit{0.0};
};

struct LoopResult {
  std::vector<Loop> loops;  // those that constrain
  int degrees_of_freedom{0};
};

// `nodes` groups; node 0 is the root. Pairs in order of preference, simplest and best explained first.
LoopResult close_loops(int nodes, const std::vector<TreeJoint>& tree, std::vector<ClosingPair> pairs,
                       const LoopOptions& options = {});

}  // namespace prehend::articulation
