#include <memory>

#include "knot_input.h"
#include "output_folder.h"
#include <prehend/knot/named_knots.h>
#include <prehend/knot/pages.h>

namespace prehend::cli {

Verb knot_plan_verb() {
  struct State {
    KnotArguments knot;
    int max_states{static_cast<int>(knot::PlanOptions{}.max_states)};
  };
  const auto state = std::make_shared<State>();
  return {"plan", "The fewest moves that tie a knot from a straight rope",
          "prehend knot plan data/knots/bowline.json",
          [state](Arguments& arguments) {
            state->knot.declare(arguments);
            arguments.option("--max-states", state->max_states,
                             "Most states visited while searching for a shorter way");
          },
          [state](const Shared& shared) {
            if (state->max_states < 2)
              throw UsageError("--max-states is " + std::to_string(state->max_states) +
                               "; it must be at least 2");
            knot::PlanOptions options;
            options.max_states = static_cast<std::size_t>(state->max_states);
            const KnotInput input = read_knot(state->knot);
            if (input.closed) throw UsageError("a closed loop cannot be tied from a straight rope");
            const Stopwatch stopwatch;
            // What noise of a dense recording makes, nobody wants to tie.
            const knot::PData wanted = input.view_W ? knot::smoothed(input.code) : input.code;
            // 135 crossings take three seconds, 335 half a minute; knots that are tied by hand have fewer than 20.
            constexpr int kMostCrossings = 200;
            if (wanted.crossings() > kMostCrossings)
              throw NoAnswerError("too_many_crossings", "the code has " + std::to_string(wanted.crossings()) +
                                                            " crossings; at most " +
                                                            std::to_string(kMostCrossings) + " are planned");
            const knot::KnotPlan plan = knot::plan_knot(wanted, options);
            const double time_ms = stopwatch.milliseconds();
            model::JsonWriter json;
            json.object().members(plan.to_json());
            input.write(json);
            json.end();
            Answer answer{ExitCode::answer, to_string(plan.status), time_ms, json.text(),
                          (input.text.empty() ? "" : input.text + "\n") + plan.brief_report()};
            if (!shared.out.empty())
              write_page(knot::plan_page(plan).set_subtitle(input.text), shared.out, state->knot.file);
            return answer;
          }};
}

}  // namespace prehend::cli
