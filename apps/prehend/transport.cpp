#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/body_names.h>
#include <prehend/stability/pages.h>

namespace prehend::cli {
namespace {

struct TransportState {
  StabilityArguments stability;
  int directions{stability::TransportOptions{}.directions};
  std::vector<std::string> normal;
  bool load_caused{false};
};

Answer answer(TransportState& state, const Shared& shared) {
  stability::TransportOptions options;
  options.directions = state.directions;
  if (!state.normal.empty()) options.normal_W = vector_of("--normal", state.normal);
  options.system = state.stability.system(shared);
  options.limit.threads = shared.threads;
  options.load_caused = state.load_caused;
  const model::Scene scene = state.stability.read();
  const Stopwatch stopwatch;
  const stability::TransportResult result = stability::transport(scene, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty())
    write_page(stability::transport_page(scene, result, options), shared.out, state.stability.file);
  std::string reason = joined(result.problems);
  if (result.status == stability::TransportStatus::unstable)
    reason =
        "the scene falls without any acceleration: " + model::quoted_names(result.body_names, result.moving) +
        (reason.empty() ? "" : "; " + reason);
  return answer_of(result, time_ms, reason);
}

}  // namespace

Verb transport_verb() {
  const auto state = std::make_shared<TransportState>();
  return {
      "transport", "How fast may I drive before something moves?",
      "prehend transport data/scenes/stack.xml --directions 36",
      [state](Arguments& arguments) {
        state->stability.declare(arguments);
        arguments.option("--directions", state->directions, "Directions, equally spaced in the plane");
        arguments.flag("--load-caused", state->load_caused,
                       "Also what load-caused forces hold without internal stress");
        arguments.words("--normal", "x y z", state->normal,
                        "Normal of the plane of directions; horizontal without");
      },
      [state](const Shared& shared) { return state->stability.mend.with_repairs(answer(*state, shared)); }};
}

}  // namespace prehend::cli
