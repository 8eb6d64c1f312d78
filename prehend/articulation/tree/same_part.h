// Several markers on one part, as the user names them.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/part_tracks.h>

namespace prehend::articulation {

// Lists of names, the markers of one part each. Throws std::invalid_argument on a list of fewer than two, on a name that `parts` lacks or that
// is listed twice.
std::vector<std::vector<int>> same_part_indices(const std::vector<std::string>& parts,
                                                const std::vector<std::vector<std::string>>& same_part);

// Throws model::InputError (with `name`) where markers of one part are never seen together, or move against each other by more than slow errors of
// trackers: 5 mm or 2 degrees, and three times what changes from frame to frame.
void check_same_part(const PartTracks& tracks, const std::vector<int>& markers, const std::string& name);

}  // namespace prehend::articulation
