#include <memory>
#include <optional>

#include "choice.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/model/body_names.h>
#include <prehend/model/files.h>
#include <prehend/stability/pages.h>
#include <prehend/stability/push_file.h>
#include <prehend/stability/robustness_map.h>

namespace prehend::cli {
namespace {

struct RobustnessState {
  StabilityArguments stability;
  std::vector<std::string> at, push;
  std::string queries;
  bool map{false};
  bool together{false};
  bool load_caused{false};
  int points{stability::RobustnessMapOptions{}.points};
  std::string method{"exact"};
  double accuracy{0.0};
  stability::MarginOptions margins;
};

stability::RobustnessOptions options_of(const RobustnessState& state, const Shared& shared) {
  stability::RobustnessOptions options;
  options.method = choice_of<stability::Method>("--method", state.method);
  if (state.accuracy != 0.0) options.accuracy = state.accuracy;
  options.margins = state.margins;
  options.together = state.together;
  options.load_caused = state.load_caused;
  options.threads = shared.threads;
  options.system = state.stability.system(shared);
  return options;
}

stability::RobustnessMapOptions map_options_of(const RobustnessState& state, const Shared& shared) {
  stability::RobustnessMapOptions options;
  options.points = state.points;
  options.seed = shared.seed;
  if (state.accuracy != 0.0) options.accuracy = state.accuracy;
  options.robustness = options_of(state, shared);
  return options;
}

stability::Push single_push(const RobustnessState& state, const model::Scene& scene) {
  stability::Push push;
  push.body = scene.find_body(state.at[0]);
  if (!push.body.is_valid()) throw UsageError("--at: " + model::no_such_body(scene, state.at[0]));
  push.p_W = vector_of("--at", state.at, 1);
  push.d_W = vector_of("--push", state.push);
  return push;
}

void require_one_question(const RobustnessState& state) {
  if (state.at.empty() != state.push.empty())
    throw UsageError("--at and --push belong together: where, and which way");
  const int questions = !state.at.empty() + !state.queries.empty() + state.map;
  if (questions != 1) {
    throw UsageError(std::string(questions == 0 ? "nothing is asked" : "several things are asked at once") +
                     "; give one of --at BODY x y z --push dx dy dz, --queries FILE.csv, --map");
  }
}

stability::RobustnessResult ask(const RobustnessState& state, const Shared& shared,
                                const model::Scene& scene) {
  if (state.map) return stability::robustness_map(scene, map_options_of(state, shared));
  const stability::RobustnessOptions options = options_of(state, shared);
  const std::vector<stability::Push> pushes =
      state.at.empty() ? stability::read_pushes(state.queries, scene, options.system.contact.gap_tolerance)
                       : std::vector{single_push(state, scene)};
  return stability::robustness(scene, pushes, options);
}

void write_robustness_page(const model::Scene& scene, const stability::RobustnessResult& result,
                           const RobustnessState& state, const Shared& shared) {
  const bool is_found = result.status == stability::RobustnessStatus::ok;
  std::optional<stability::MapPicture> picture;
  if (is_found && state.map) picture = stability::draw_map_picture(scene, map_options_of(state, shared));
  write_page(stability::robustness_page(scene, result, picture ? &*picture : nullptr), shared.out,
             state.stability.file);
  if (is_found) model::write_file(shared.out + "/robustness.csv", stability::answers_csv(result));
}

Answer answer(RobustnessState& state, const Shared& shared) {
  require_one_question(state);
  options_of(state, shared).validate();  // before a large scene is read
  const model::Scene scene = state.stability.read();
  const Stopwatch stopwatch;
  const stability::RobustnessResult result = ask(state, shared, scene);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) write_robustness_page(scene, result, state, shared);
  return answer_of(result, time_ms, joined(result.problems));
}

}  // namespace

Verb robustness_verb() {
  const auto state = std::make_shared<RobustnessState>();
  return {
      "robustness", "How hard may I push before something moves?",
      "prehend robustness data/scenes/stack.xml --at crate_small 0 0 0.4 --push 1 0 0",
      [state](Arguments& arguments) {
        state->stability.declare(arguments);
        arguments.words("--at", "BODY x y z", state->at, "The pushed body and point [m], in the world");
        arguments.words("--push", "dx dy dz", state->push, "Direction of the push, any length");
        arguments.option("--queries", state->queries, "Table of pushes: CSV with body,x,y,z,dx,dy,dz");
        arguments.flag(
            "--together", state->together,
            "The pushes of the table act at once, sizes in the proportion of their directions' lengths");
        arguments.flag("--map", state->map, "Push everywhere, along the inward normals");
        arguments.flag("--load-caused", state->load_caused,
                       "Also what load-caused forces hold without internal stress, at every point of a map");
        arguments.option("--points", state->points, "Points of the map");
        arguments.option("--method", state->method, "exact, graph, isolated, lp4, lp8 or simulate");
        arguments.option("--accuracy", state->accuracy,
                         "exact: relative gap between the proven bounds; 0: 1e-4, and 1e-3 for a map");
        arguments.option("--margin-friction", state->margins.friction,
                         "Friction may be less by this part; adds guaranteed_N");
        arguments.option("--margin-mass", state->margins.mass, "Masses may differ by this part");
        arguments.option("--margin-position", state->margins.position,
                         "Outlines of contacts may be wrong by this much [m]");
      },
      [state](const Shared& shared) { return state->stability.mend.with_repairs(answer(*state, shared)); }};
}

}  // namespace prehend::cli
