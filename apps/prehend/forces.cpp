#include <limits>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/json_writer.h>
#include <prehend/report/write_report.h>
#include <prehend/stability/critical_friction.h>
#include <prehend/stability/pages/forces_page.h>

namespace prehend::cli {
namespace {

struct State {
  StabilityArguments stability;
  std::string method{"cones"};
  bool critical_friction{false};
  int sides{stability::ContactForcesOptions{}.pyramid_sides};
};

// {"critical_friction":{status,factor_below,factor_above,mu_below,mu_above}}, at the end of the document.
void add_critical_friction(const stability::CriticalFriction& critical, Answer& answer) {
  model::JsonWriter json;
  json.object().key("critical_friction").object();
  json.field("status", to_string(critical.status));
  const bool answered = critical.status == stability::CriticalFrictionStatus::answered;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  json.field("factor_below", answered ? critical.below : unknown)
      .field("factor_above", answered ? critical.above : unknown);
  json.field("mu_below", answered ? critical.coefficient_below : unknown);
  json.field("mu_above", answered ? critical.coefficient_above : unknown).end().end();
  answer.document = answer.document.substr(0, answer.document.size() - 1) + "," + json.text().substr(1);
  answer.text += "critical friction: " + critical.brief_report() + "\n";
}

Answer answer(const State& state, const Shared& shared) {
  stability::ContactForcesOptions options;
  options.method = stability::force_method_from_name(state.method);
  options.pyramid_sides = state.sides;
  options.system = state.stability.system(shared);
  const model::Scene scene = state.stability.read();
  const Stopwatch stopwatch;
  const stability::ContactSystem system = stability::build_contact_system(scene, options.system);
  const stability::ContactForcesResult result = stability::contact_forces(system, options);
  stability::CriticalFriction critical;
  if (state.critical_friction && system.penetrations.empty()) critical = stability::critical_friction(system);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    report::Page page = stability::forces_page(scene, system, result);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
  }
  Answer answer{ExitCode::answer, to_string(result.status), time_ms, result.to_json(scene),
                result.brief_report(scene)};
  if (state.critical_friction) add_critical_friction(critical, answer);
  if (result.status == stability::ContactForcesStatus::stable) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = result.status == stability::ContactForcesStatus::unstable
                     ? "the scene falls by itself: " + names_of(scene, result.moving)
                     : result.note;
  for (const std::string& problem : result.problems) answer.error += "; " + problem;
  return answer;
}

}  // namespace

Verb forces_verb() {
  const auto state = std::make_shared<State>();
  return {"forces", "Which forces do the contacts carry, and does it stand?",
          "prehend forces data/scenes/stack.xml",
          [state](Arguments& arguments) {
            state->stability.declare(arguments);
            arguments.option("--method", state->method, "cones (exact), pyramid or qr");
            arguments.flag("--critical-friction", state->critical_friction,
                           "Also: how little friction would do?");
            arguments.option("--sides", state->sides, "Sides of the pyramid");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
