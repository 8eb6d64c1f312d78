#include <stdexcept>
#include <string>
#include <utility>

#include <prehend/knot/seen_states.h>

namespace prehend::knot {
namespace {

bool is_read(const RecordingResult& recording, std::size_t k) {
  return recording.status == ProjectionStatus::ok || recording.frames[k].status == ProjectionStatus::ok;
}

std::vector<std::string> unsure_frames(const RecordingResult& recording, const std::vector<SeenState>& seen) {
  std::vector<std::string> notes;
  std::size_t unread = 0;
  for (std::size_t k = 0; k < recording.frames.size(); ++k) unread += is_read(recording, k) ? 0 : 1;
  if (unread > 0)
    notes.push_back(std::to_string(unread) + (unread == 1 ? " frame" : " frames") + " cannot be read and " +
                    (unread == 1 ? "is" : "are") + " left out; " + recording.reason);
  // Where most states last, a single frame between two others is more likely noise.
  constexpr std::size_t kUsualFrames = 3;
  if (recording.frames.size() < kUsualFrames * seen.size()) return notes;
  for (std::size_t i = 1; i + 1 < seen.size(); ++i)
    if (seen[i].first_frame == seen[i].last_frame)
      notes.push_back("state " + std::to_string(i + 1) + " is seen in frame " +
                      std::to_string(seen[i].first_frame) + " alone, and may be noise");
  return notes;
}

}  // namespace

bool is_mostly_read(const RecordingResult& recording) {
  std::size_t read = 0;
  for (std::size_t k = 0; k < recording.frames.size(); ++k) read += is_read(recording, k) ? 1 : 0;
  return read > 0 && 2 * read >= recording.frames.size();
}

std::vector<SeenState> seen_states(const RecordingResult& recording) {
  if (!is_mostly_read(recording)) throw std::invalid_argument(recording.reason);
  std::vector<SeenState> seen;
  for (std::size_t k = 0; k < recording.frames.size(); ++k) {
    if (!is_read(recording, k)) continue;
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
  result.notes = recording.notes;
  for (std::string& note : unsure_frames(recording, seen)) result.notes.push_back(std::move(note));
  result.seen = std::move(seen);
  return result;
}

}  // namespace prehend::knot
