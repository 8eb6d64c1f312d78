// execute: what was demonstrated, done again in the physics engine.
#include <memory>

#include "choice.h"
#include "demonstration_arguments.h"
#include "output_folder.h"
#include <prehend/observation/pages.h>

namespace prehend::cli {
namespace {

struct ExecuteState {
  DemonstrationArguments demonstration;
  std::vector<std::string> pose_error, grasp_error;  // two words, or none
  int trials{1};
  std::string feedback{"wrench"};
  observation::ExecutionOptions options;
};

observation::TrialOptions trials_of(const ExecuteState& state) {
  observation::TrialOptions trials;
  trials.count = state.trials;
  const auto bounds = [](const std::string& option, const std::vector<std::string>& words) {
    const auto [position, angle] = length_and_angle(option, words);
    return observation::ErrorBounds{position, angle};
  };
  trials.fixed = bounds("--pose-error", state.pose_error);
  trials.grasp = bounds("--grasp-error", state.grasp_error);
  return trials;
}

Answer answer(const ExecuteState& state, const Shared& shared) {
  const observation::TrialOptions trials = trials_of(state);
  observation::ExecutionOptions options = state.options;
  options.feedback = choice_of<observation::Feedback>("--feedback", state.feedback);
  options.seed = shared.seed;
  try {
    trials.validate();
    options.validate();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const observation::BodyPair pair = state.demonstration.pair();
  observation::WatchOptions watching;
  watching.noise = state.demonstration.given_noise();
  const observation::Watched watched = observation::watch(pair, state.demonstration.recording(), watching);
  if (watched.status == observation::WatchStatus::overlapping)
    throw NoAnswerError(to_string(watched.status), watched.reason);
  const Stopwatch stopwatch;
  const observation::ExecutionTrials result = observation::execute_trials(pair, watched, options, trials);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty())
    write_page(observation::execution_page(pair, result), shared.out, state.demonstration.poses);
  return answer_of(result, time_ms, result.reason);
}

}  // namespace

Verb execute_verb() {
  const auto state = std::make_shared<ExecuteState>();
  return {
      "execute",
      "Can a robot do again what was demonstrated? The sub-skills with force feedback, in simulation",
      "prehend execute --moving data/observation/peg.obj --fixed data/observation/groove.obj --poses "
      "data/observation/insertion.csv --pose-error 0.002 0.02",
      [state](Arguments& arguments) {
        state->demonstration.declare(arguments);
        arguments.words("--pose-error", "M RAD", state->pose_error,
                        "The fixed part stands up to so far from where the robot takes it to be");
        arguments.words("--grasp-error", "M RAD", state->grasp_error,
                        "The moving part lies up to so far from where the robot takes it to lie in its hand");
        arguments.option("--trials", state->trials, "Executions with other random errors");
        arguments.option("--feedback", state->feedback,
                         "wrench: forces and moments; force: forces alone; none: the planned poses alone");
        arguments.option("--push", state->options.push_N, "[N] On every contact that is kept");
        arguments.option("--friction", state->options.friction, "Between the parts");
        arguments.option("--clearance", state->options.clearance_m,
                         "[m] The moving part is made smaller by so much");
        arguments.option("--stiffness", state->options.stiffness_Npm, "[N/m] Of the hand");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
