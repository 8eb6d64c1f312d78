#include <stdexcept>
#include <utility>

#include <prehend/knot/seen_states.h>

namespace prehend::knot {

std::vector<SeenState> seen_states(const RecordingResult& recording) {
  if (recording.status != ProjectionStatus::ok) throw std::invalid_argument(recording.reason);
  std::vector<SeenState> seen;
  for (std::size_t k = 0; k < recording.frames.size(); ++k) {
    const PData& data = recording.frames[k].p_data;
    std::optional<double> t;
    if (!recording.times.empty()) t = recording.times[k];
    if (seen.empty() || canonical(seen.back().p_data) != canonical(data)) {
      seen.push_back({data, recording.numbers[k], recording.numbers[k], t, t});
    } else {
      seen.back().last_frame = recording.numbers[k];
      seen.back().t_last = t;
    }
  }
  return seen;
}

std::vector<PData> codes_of(std::span<const SeenState> seen) {
  std::vector<PData> codes;
  for (const SeenState& state : seen) codes.push_back(state.p_data);
  return codes;
}

Recognition recognise_recording(const RecordingResult& recording, const RecognitionOptions& options) {
  std::vector<SeenState> seen = seen_states(recording);
  Recognition result = recognise(codes_of(seen), options);
  result.seen = std::move(seen);
  return result;
}

}  // namespace prehend::knot
