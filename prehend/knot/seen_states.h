// The states of a recorded rope, each with the frames in which it was seen, so that moves have times.
//
// Most frames of a recording show the code of the frame before, perhaps read from the other end; those are one state. A move
// from a state to the next happened after the last frame that shows the one and not after the first that shows the other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <prehend/knot/projection.h>
#include <prehend/knot/recognition.h>

namespace prehend::knot {

struct SeenState {
  PData p_data;
  int first_frame{0}, last_frame{0};      // numbers in the file
  std::optional<double> t_first, t_last;  // [s]; none when the recording has no times
};

// Every frame must be generic: std::invalid_argument with the first reason otherwise.
std::vector<SeenState> seen_states(const RecordingResult& recording);
std::vector<PData> codes_of(std::span<const SeenState> seen);

// "frames 3 to 4, 0.3 s to 0.4 s" for the move from a state to the next.
std::string when_text(const SeenState& before, const SeenState& after);
// One line per move: when, and what fits. `seen` has one state more than there are transitions.
std::string brief_report(const Recognition& recognition, std::span<const SeenState> seen);

}  // namespace prehend::knot
