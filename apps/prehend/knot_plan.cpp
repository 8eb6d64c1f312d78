#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {

Verb knot_plan_verb() {
  struct State {
    std::string file;
    int max_states{static_cast<int>(knot::PlanOptions{}.max_states)};
  };
  const auto state = std::make_shared<State>();
  return {"plan", "The fewest moves that tie a knot from a straight rope",
          "prehend knot plan data/knots/bowline.json",
          [state](Arguments& arguments) {
            arguments.positional("P", state->file, "Wanted state (JSON: {\"sigma\":[...],\"attr\":[...]})");
            arguments.option("--max-states", state->max_states,
                             "Most states visited while searching for a shorter way");
          },
          [state](const Shared& shared) {
            if (state->max_states < 2)
              throw UsageError("--max-states is " + std::to_string(state->max_states) +
                               "; it must be at least 2");
            knot::PlanOptions options;
            options.max_states = static_cast<std::size_t>(state->max_states);
            const knot::PData wanted = knot::read_p_data(state->file);
            const Stopwatch stopwatch;
            const knot::KnotPlan plan = knot::plan_knot(wanted, options);
            Answer answer{ExitCode::answer, to_string(plan.status), stopwatch.milliseconds(), plan.to_json(),
                          plan.brief_report()};
            if (!shared.out.empty()) {
              prepare_output_folder(shared.out);
              report::Page page = knot::plan_page(plan);
              page.set_footer("Made by prehend " PREHEND_VERSION ".");
              report::write_report(page, shared.out + "/report.html");
            }
            return answer;
          }};
}

}  // namespace prehend::cli
