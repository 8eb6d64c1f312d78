// watch: what did the person assemble?
#include <memory>

#include "demonstration_arguments.h"
#include "output_folder.h"
#include <prehend/math/enum_text.h>
#include <prehend/observation/pages.h>

namespace prehend::cli {
namespace {

struct WatchState {
  DemonstrationArguments demonstration;
  std::string method{"least"};
  int plan{0};
};

observation::WatchOptions options_of(const WatchState& state) {
  observation::WatchOptions options;
  const auto method = from_string<observation::WatchMethod>(state.method);
  if (!method)
    throw UsageError("--method is '" + state.method + "'; it must be " +
                     enum_choices<observation::WatchMethod>());
  options.method = *method;
  options.noise = state.demonstration.given_noise();
  options.plan = state.plan;
  try {
    options.validate();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  return options;
}

Answer answer(const WatchState& state, const Shared& shared) {
  const observation::WatchOptions options = options_of(state);
  const observation::BodyPair pair = state.demonstration.pair();
  const observation::Recording recording = state.demonstration.recording();
  const Stopwatch stopwatch;
  const observation::Watched result = observation::watch(pair, recording, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty())
    write_page(observation::watch_page(pair, result), shared.out, state.demonstration.poses);
  const bool is_answer =
      result.status == observation::WatchStatus::ok || result.status == observation::WatchStatus::doubtful;
  return answer_of(result, time_ms, is_answer, result.reason);
}

}  // namespace

Verb watch_verb() {
  const auto state = std::make_shared<WatchState>();
  return {"watch", "What did the person assemble?",
          "prehend watch --moving data/observation/peg.obj --fixed data/observation/groove.obj --poses "
          "data/observation/insertion.csv",
          [state](Arguments& arguments) {
            state->demonstration.declare(arguments);
            arguments.option("--method", state->method, "least, newton, linear or source");
            arguments.option("--plan", state->plan,
                             "Poses of a trajectory between each two states; none if 0");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
