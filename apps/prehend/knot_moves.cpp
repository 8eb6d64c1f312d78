#include <memory>

#include <prehend/knot/film_page.h>
#include <prehend/knot/moves_json.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/report/write_report.h>

#include "output_folder.h"
#include "verb.h"

namespace prehend::cli {
namespace {

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

}  // namespace

Verb knot_moves_verb() {
  struct State {
    std::string file;
    knot::RecognitionOptions options;
    int max_states{static_cast<int>(knot::MoveSearchOptions{}.max_states)};
  };
  const auto state = std::make_shared<State>();
  return {"moves", "The moves that lead from each state of a rope to the next",
          "prehend knot moves data/knots/bowline_states.json",
          [state](Arguments& arguments) {
            arguments.positional("SEQ", state->file, "States (JSON: {\"states\":[P, ...]}, or what knot read --json prints)");
            arguments.option("--max-moves", state->options.search.max_moves, "Most moves looked for between two states");
            arguments.option("--max-states", state->max_states, "Most states visited while looking for them");
          },
          [state](const Shared& shared) {
            if (state->max_states < 2) throw UsageError("--max-states is " + std::to_string(state->max_states) + ", must be at least 2");
            state->options.search.max_states = static_cast<std::size_t>(state->max_states);
            const std::vector<knot::PData> states = knot::read_p_data_sequence(state->file);
            const Stopwatch stopwatch;
            const knot::Recognition result = knot::recognise(states, state->options);
            const double time_ms = stopwatch.milliseconds();
            if (!shared.out.empty()) {
              prepare_output_folder(shared.out);
              report::Page page = knot::recognition_page(result);
              page.set_footer("Made by prehend " PREHEND_VERSION ".");
              report::write_report(page, shared.out + "/report.html");
            }
            Answer answer{kAnswer, "ok", time_ms, knot::to_json(result), result.brief_report()};
            if (result.status != knot::SearchStatus::found) {
              answer.code = kNoAnswer;
              answer.status = knot::name(result.status);
              answer.error = unanswered(result);
            }
            return answer;
          }};
}

}  // namespace prehend::cli
