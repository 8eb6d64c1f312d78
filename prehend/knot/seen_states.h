// The states of a recorded rope, each with the frames in which it was seen, and the moves between them.
//
// Most frames of a recording show the code of the frame before, perhaps read from the other end; those are one state. A move
// from a state to the next happened after the last frame that shows the one and not after the first that shows the other.
#pragma once

#include <span>
#include <vector>

#include <prehend/knot/projection.h>
#include <prehend/knot/recognition.h>

namespace prehend::knot {

// Frames that cannot be read are left out. Half of them at least must be ok: std::invalid_argument with the first reason otherwise.
std::vector<SeenState> seen_states(const RecordingResult& recording);
std::vector<PData> codes_of(std::span<const SeenState> seen);

// Of a recording that cannot be read in every frame: enough for seen_states().
bool is_mostly_read(const RecordingResult& recording);

// recognise() of the recording's states; the result knows their frames and times, and notes what is unsure.
Recognition recognise_recording(const RecordingResult& recording, const RecognitionOptions& options = {});

}  // namespace prehend::knot
