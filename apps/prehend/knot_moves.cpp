#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/knot/moves_json.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages/film_page.h>
#include <prehend/knot/projection.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file;
  std::vector<std::string> view;
  std::string rate;  // [Hz]; empty: not given
  knot::RecognitionOptions options;
  int max_states{static_cast<int>(knot::MoveSearchOptions{}.max_states)};
};

bool is_recording(const std::string& file) { return file.ends_with(".csv") || file.ends_with(".csv.gz"); }

std::vector<knot::SeenState> read_recording(const State& state) {
  knot::ProjectionOptions options;
  if (!state.view.empty()) options.view_W = vector_of("--view", state.view);
  model::RopeLog log = model::read_rope_log(state.file);
  if (!state.rate.empty()) model::set_frame_rate(log, number_of("--rate", state.rate));
  const knot::RecordingResult seen = knot::project_recording(log, options);
  if (seen.status != knot::ProjectionStatus::generic) {
    throw NoAnswerError(to_string(seen.status), seen.reason);
  }
  return knot::seen_states(seen);
}

// Which transitions have no answer, in one sentence.
std::string unanswered(const knot::Recognition& result) {
  std::string which;
  for (std::size_t t = 0; t < result.transitions.size(); ++t) {
    if (result.transitions[t].status == knot::SearchStatus::found) continue;
    which += (which.empty() ? "" : ", ") + std::to_string(t + 1) + " to " + std::to_string(t + 2);
  }
  return "no moves were found from state " + which +
         "; the states may be unrelated, or more moves lie between them than --max-moves";
}

Answer answer(State& state, const Shared& shared) {
  if (state.max_states < 2)
    throw UsageError("--max-states is " + std::to_string(state.max_states) + ", must be at least 2");
  state.options.search.max_states = static_cast<std::size_t>(state.max_states);
  if (!is_recording(state.file) && !state.view.empty())
    throw UsageError("--view is for rope recordings (CSV)");
  if (!is_recording(state.file) && !state.rate.empty())
    throw UsageError("--rate is for rope recordings (CSV)");
  std::vector<knot::SeenState> seen;
  if (is_recording(state.file)) seen = read_recording(state);
  const std::vector<knot::PData> states =
      seen.empty() ? knot::read_p_data_sequence(state.file) : knot::codes_of(seen);
  const Stopwatch stopwatch;
  const knot::Recognition result = knot::recognise(states, state.options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    report::Page page = knot::recognition_page(result, seen);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
  }
  Answer answer{ExitCode::answer, "ok", time_ms, knot::to_json(result, seen),
                seen.empty() ? result.brief_report() : knot::brief_report(result, seen)};
  if (result.status != knot::SearchStatus::found) {
    answer.code = ExitCode::no_answer;
    answer.status = knot::name(result.status);
    answer.error = unanswered(result);
  }
  return answer;
}

}  // namespace

Verb knot_moves_verb() {
  const auto state = std::make_shared<State>();
  return {
      "moves", "The moves that lead from each state of a rope to the next",
      "prehend knot moves data/knots/bowline_states.json",
      [state](Arguments& arguments) {
        arguments.positional("SEQ", state->file,
                             "States (JSON: {\"states\":[P, ...]}, or what knot read --json prints) or a "
                             "rope recording (CSV)");
        arguments.option("--max-moves", state->options.search.max_moves,
                         "Most moves looked for between two states");
        arguments.option("--max-states", state->max_states, "Most states visited while looking for them");
        arguments.option("--rate", state->rate, "Frames per second of a recording without a column t [Hz]");
        arguments.words("--view", "x y z", state->view, "Looking direction, for a recording; see knot read");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
