// Slips of a tracked point: a hand slides on its handle, a tracker takes up a neighbouring feature, and another point of the part is seen.
//
// Its way is a line parallel to the first one's, or a circle about the same axis. A slip is seen where a line and a circle, each fitted to the
// whole track, both leave a sudden step: deviations change from frame to frame by more than five times as much as usual, and over the
// whole event by more than `least`. Events closer than eight frames are one, which may lead back to where it began and is then no
// slip. Frames within a slip are left out, frames before and after are holds of their own (Observations::holds), and the search is
// repeated with these until nothing is found.
#pragma once

#include <vector>

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

struct HeldTrack {
  Observations observations;  // without the frames within slips
  std::vector<Slip> slips;    // by time; indices into the observations given
};

// `observations` without orientation; `least` [m]: smaller steps are deviations.
HeldTrack hold_apart(const Observations& observations, const FitOptions& options, double least);

}  // namespace prehend::articulation
