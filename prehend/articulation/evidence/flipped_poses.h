// Poses that are turned against those before and after: a flat marker's other solution, a mix-up of two markers.
//
// A flip changes how a part lies in all others, for that frame. Each part is compared with the three things (other parts, the world) in which
// its orientation changes least from frame to frame; a pose is flipped where two of the three see it turned, against all but two of its eight
// neighbours in time, by far more than is usual there.
//
// Cost: parts x parts x frames; with many parts, each is compared with the world alone.
#pragma once

#include <prehend/articulation/part_tracks.h>

namespace prehend::articulation {

// Takes them out, as if the part had been lost, and adds a note. A part of which more than three tenths would go keeps them all. Returns how many.
int drop_flipped(PartTracks& tracks);

}  // namespace prehend::articulation
