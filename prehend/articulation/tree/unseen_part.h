// Joints that leave what no other joint of the tree leaves: motion.
//
// Two hinges in a row, the part between which is not seen, look as one hinge where one of them turns by little or both turn about nearly the same axis. What that
// one hinge leaves is no more than slow errors may be, but it changes as slowly as parts move, while errors of a tracker, bending with the states of the joints
// taken off, are forgotten within some frames. The other joints of the tree show for how long they last.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/discovered_object.h>

namespace prehend::articulation {

// By joint of the tree: a sentence where it leaves such motion, else empty. Slides and hinges are asked, and compared with each other.
std::vector<std::string> motion_of_unseen_parts(const Discovery& discovery);

// Of parts that were taken for one: sentences where they move against each other like this. `parts`: the tracks before they were pooled.
std::vector<std::string> motion_within_groups(const Discovery& discovery, const PartTracks& parts);

}  // namespace prehend::articulation
