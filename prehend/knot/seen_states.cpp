#include <stdexcept>

#include <prehend/knot/seen_states.h>
#include <prehend/math/number_text.h>

namespace prehend::knot {

std::vector<SeenState> seen_states(const RecordingResult& recording) {
  if (recording.status != ProjectionStatus::generic) throw std::invalid_argument(recording.reason);
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

std::string when_text(const SeenState& before, const SeenState& after) {
  std::string text =
      "frames " + std::to_string(before.last_frame) + " to " + std::to_string(after.first_frame);
  if (before.t_last && after.t_first) {
    text +=
        ", " + math::number_text(*before.t_last, 6) + " s to " + math::number_text(*after.t_first, 6) + " s";
  }
  return text;
}

std::string brief_report(const Recognition& recognition, std::span<const SeenState> seen) {
  if (seen.size() != recognition.transitions.size() + 1)
    throw std::invalid_argument("the states seen are not those of the transitions");
  std::string text = std::to_string(seen.size()) + (seen.size() == 1 ? " state" : " states") + " in frames " +
                     std::to_string(seen.front().first_frame) + " to " +
                     std::to_string(seen.back().last_frame) + "\n";
  if (recognition.first_swapped) text += "the first state is read from its other end\n";
  for (std::size_t t = 0; t < recognition.transitions.size(); ++t)
    text += when_text(seen[t], seen[t + 1]) + to_text(recognition.transitions[t]);
  return text;
}

}  // namespace prehend::knot
