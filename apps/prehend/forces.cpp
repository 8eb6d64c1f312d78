#include <memory>

#include "choice.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/model/body_names.h>
#include <prehend/stability/pages.h>

namespace prehend::cli {
namespace {

struct ForcesState {
  StabilityArguments stability;
  std::string method{"cones"};
  bool critical_friction{false};
  std::string interfaces{"computed"};
  int sides{stability::ContactForcesOptions{}.pyramid_sides};
};

Answer answer(ForcesState& state, const Shared& shared) {
  stability::ContactForcesOptions options;
  options.method = choice_of<stability::ForceMethod>("--method", state.method);
  options.pyramid_sides = state.sides;
  options.critical_friction = state.critical_friction;
  options.system = state.stability.system(shared);
  const model::Scene scene = state.stability.read();
  const Stopwatch stopwatch;
  const stability::ContactSystem system =
      takes_stored_interfaces(state.interfaces)
          ? stability::build_contact_system(
                scene,
                model::read_stored_contacts(state.stability.file, scene, state.stability.scene.options()),
                options.system)
          : stability::build_contact_system(scene, options.system);
  const stability::ContactForcesResult result = stability::contact_forces(system, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty())
    write_page(stability::forces_page(scene, system, result), shared.out, state.stability.file);
  std::string reason =
      result.status == stability::ContactForcesStatus::unstable
          ? "the scene falls by itself: " + model::quoted_names(result.body_names, result.moving)
          : result.note;
  if (!result.problems.empty()) reason += "; " + joined(result.problems);
  return answer_of(result, time_ms, result.status == stability::ContactForcesStatus::stable, reason);
}

}  // namespace

Verb forces_verb() {
  const auto state = std::make_shared<ForcesState>();
  return {
      "forces", "Which forces do the contacts carry, and does it stand?",
      "prehend forces data/scenes/stack.xml",
      [state](Arguments& arguments) {
        state->stability.declare(arguments);
        arguments.option("--method", state->method, "cones (exact), pyramid or qr");
        arguments.flag("--critical-friction", state->critical_friction,
                       "Also the least friction coefficient with which it stands");
        arguments.option("--interfaces", state->interfaces, kInterfacesHelp);
        arguments.option("--sides", state->sides, "Sides of the pyramid");
      },
      [state](const Shared& shared) { return state->stability.mend.with_repairs(answer(*state, shared)); }};
}

}  // namespace prehend::cli
