// Which of the two poses of a square is the real one? Asked for a whole track at once.
//
// Each picture leaves one or two candidates with a misfit each; from one picture to the next a marker turns only so far. The
// sequence of candidates with the least sum of misfits and turns is found by dynamic programming (exactly, in one pass), and
// the margin says how much worse the best sequence with the other candidate at that time is.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include <prehend/articulation/markers/detection/square_pose.h>
#include <prehend/articulation/markers/marker_options.h>

namespace prehend::articulation {

struct PoseCandidates {
  double t{0};                    // [s] increasing
  std::vector<SquarePose> poses;  // one or two
};

struct FlipChoice {
  int candidate{0};
  double margin{std::numeric_limits<double>::infinity()};  // [nats]; infinite where there was one candidate
};

std::vector<FlipChoice> choose_flips(std::span<const PoseCandidates> track, const FlipOptions& options = {});

}  // namespace prehend::articulation
