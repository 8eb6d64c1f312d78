#include <memory>

#include "knot_input.h"
#include "output_folder.h"
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/seen_states.h>

namespace prehend::cli {
namespace {

struct KnotMovesState {
  std::string file;
  std::vector<std::string> view;
  std::string rate, noise;  // [Hz], [m]; empty: not given
  int max_moves{knot::MoveSearchOptions{}.max_moves};
  int max_states{static_cast<int>(knot::MoveSearchOptions{}.max_states)};
};

knot::RecognitionOptions options_of(const KnotMovesState& state) {
  if (state.max_states < 2)
    throw UsageError("--max-states is " + std::to_string(state.max_states) + "; it must be at least 2");
  knot::RecognitionOptions options;
  options.search.max_moves = state.max_moves;
  options.search.max_states = static_cast<std::size_t>(state.max_states);
  return options;
}

knot::RecordingResult read_recording(const KnotMovesState& state) {
  knot::ProjectionOptions options;
  if (!state.view.empty()) options.view_W = vector_of("--view", state.view);
  options.noise = noise_of(state.noise);
  model::RopeLog log = model::read_rope_log(state.file);
  if (!state.rate.empty()) model::set_frame_rate(log, number_of("--rate", state.rate));
  knot::RecordingResult seen = knot::project_recording(log, options);
  if (!knot::is_mostly_read(seen)) throw NoAnswerError(to_string(seen.status), seen.reason);
  return seen;
}

Answer answer(const KnotMovesState& state, const Shared& shared) {
  const knot::RecognitionOptions options = options_of(state);
  const bool is_recording = knot::is_rope_recording(state.file);
  if (!is_recording && !state.view.empty()) throw UsageError("--view is for rope recordings (CSV)");
  if (!is_recording && !state.rate.empty()) throw UsageError("--rate is for rope recordings (CSV)");
  if (!is_recording && !state.noise.empty()) throw UsageError("--noise is for rope recordings (CSV)");
  knot::RecordingResult recording;
  std::vector<knot::PData> states;
  if (is_recording)
    recording = read_recording(state);
  else
    states = knot::read_p_data_sequence(state.file);
  const Stopwatch stopwatch;
  const knot::Recognition result =
      is_recording ? knot::recognise_recording(recording, options) : knot::recognise(states, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) write_page(knot::recognition_page(result), shared.out, state.file);
  return answer_of(result, time_ms, result.reason());
}

}  // namespace

Verb knot_moves_verb() {
  const auto state = std::make_shared<KnotMovesState>();
  return {
      "moves", "The moves that lead from each state of a rope to the next",
      "prehend knot moves data/knots/bowline_states.json",
      [state](Arguments& arguments) {
        arguments.positional("SEQ", state->file,
                             "States (JSON: {\"states\":[P, ...]}, or what knot read --json prints) or a "
                             "rope recording (CSV)");
        arguments.option("--max-moves", state->max_moves, "Most moves searched for between two states");
        arguments.option("--max-states", state->max_states, "Most states visited while searching for them");
        arguments.option("--rate", state->rate, "Frames per second of a recording without a column t [Hz]");
        arguments.words("--view", "x y z", state->view, "Looking direction, for a recording; see knot read");
        declare_noise(state->noise, arguments);
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
