// A joint of the discovered tree: from the selection of its type, its limits, and what is in doubt about it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/tree/part_graph.h>

namespace prehend::articulation {

// A joint of the tree from the selection of its type; states for all of `frames`.
DiscoveredJoint joint_of(const Selection& selection, int parent, int child, std::size_t frames);

// Joint frame along the child's axes: then the rotation vector is that of the written files.
void align_with_child(Joint& joint, std::vector<std::optional<State>>& states);
// From the states.
void set_limits(DiscoveredJoint& joint);
// Types that a joint of that type is most easily taken for: the simpler one that it contains, or the one that a little motion looks like.
std::vector<model::JointType> next_types(model::JointType type);
// Compares with further types, of a selection among the joint's own type and these; the margin is then that of the next of all.
void add_next_type(DiscoveredJoint& joint, const Selection& with_next);
// Errors of filmed markers depend on where they are, and more freedoms follow them: a sentence where the joint is not plainly the one it
// is said to be; else empty. `margin` [nats].
std::string doubt_about(const DiscoveredJoint& joint, const PartGraph& graph, double margin);

// Where a part may hang on another one as well. Parallel slides and hinges on one axis move alike in any order: what decides then is how far
// apart they are and how far they move, and the answer says so. What closes a loop is no rival.
void name_other_trees(Discovery& discovery, const PartGraph& graph, double margin, bool errors_are_slow);

}  // namespace prehend::articulation
