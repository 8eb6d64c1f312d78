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

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/observations.h>

namespace prehend::articulation {

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
