#include <memory>

#include <prehend/report/write_report.h>
#include <prehend/stability/forces_page.h>

#include "output_folder.h"
#include "verb.h"

namespace prehend::cli {
namespace {

struct State {
  StabilityArguments stability;
  std::string method{"cones"};
  int sides{stability::ContactForcesOptions{}.pyramid_sides};
};

Answer answer(const State& state, const Shared& shared) {
  stability::ContactForcesOptions options;
  options.method = stability::force_method_from_name(state.method);
  options.pyramid_sides = state.sides;
  options.system = state.stability.system(shared);
  const model::Scene scene = state.stability.read();
  const Stopwatch stopwatch;
  const stability::ContactSystem system = stability::build_contact_system(scene, options.system);
  const stability::ContactForcesResult result = stability::contact_forces(system, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    report::Page page = stability::forces_page(scene, system, result);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
  }
  Answer answer{kAnswer, stability::contact_forces_status_name(result.status), time_ms, result.to_json(scene),
                result.brief_report(scene)};
  if (result.status == stability::ContactForcesStatus::stable) return answer;
  answer.code = kNoAnswer;
  answer.error = result.status == stability::ContactForcesStatus::unstable
                     ? "the scene falls by itself: " + names_of(scene, result.moving)
                     : result.note;
  for (const std::string& problem : result.problems) answer.error += "; " + problem;
  return answer;
}

}  // namespace

Verb forces_verb() {
  const auto state = std::make_shared<State>();
  return {"forces", "Which forces do the contacts carry, and does it stand?", "prehend forces data/scenes/stack.xml",
          [state](Arguments& arguments) {
            state->stability.declare(arguments);
            arguments.option("--method", state->method, "cones (exact), pyramid or qr");
            arguments.option("--sides", state->sides, "Sides of the pyramid");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
