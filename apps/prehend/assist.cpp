// assist: how do I touch a person safely? A whole trial in simulation, with its faults.
#include <memory>

#include "allocation_count.h"
#include "output_folder.h"
#include "speech.h"
#include "verb.h"
#include <prehend/assist/contact_observer.h>
#include <prehend/assist/pages.h>
#include <prehend/assist/trial.h>
#include <prehend/math/number_text.h>
#include <prehend/model/files.h>
#include <prehend/model/json_writer.h>

namespace prehend::cli {
namespace {

struct AssistState {
  std::string file, train;
  int motions{200};
  bool speak{false};
};

Answer train(const AssistState& state, const assist::Scenario& scenario) {
  if (state.motions < 1 || state.motions > 100000)
    throw UsageError("--motions is " + std::to_string(state.motions) + "; it must be 1 to 100000");
  const Stopwatch stopwatch;
  const assist::ObserverTraining training =
      assist::train_observer(scenario, state.motions, scenario.seed + 1);
  model::write_file(state.train, training.model.to_csv());
  model::JsonWriter json;
  json.object().field("motions", training.motions).field("samples", training.samples);
  json.field("rms_before_rad", training.rms_before_rad).field("rms_after_rad", training.rms_after_rad);
  json.field("largest_rad", training.largest_rad)
      .key("files")
      .object()
      .field("observer", state.train)
      .end()
      .end();
  const std::string text = "trained on " + std::to_string(training.motions) +
                           " free motions; on others the tracking error of " +
                           math::number_text(training.rms_before_rad, 3) + " rad is predicted to " +
                           math::number_text(training.rms_after_rad, 3) + " rad (root mean squares)\n";
  return {ExitCode::answer, "ok", stopwatch.milliseconds(), json.text(), text};
}

void write_files(const assist::Scenario& scenario, const assist::TrialResult& result,
                 const std::string& folder, Answer& answer) {
  prepare_output_folder(folder);
  std::string traces;
  if (!result.trace.rows.empty()) {
    traces = folder + "/traces.csv";
    model::write_file(traces, result.trace.to_csv());
    write_page(assist::trial_page(scenario, result), folder, scenario.file);
  }
  add_files(answer, {{"traces", traces}});
}

Answer answer(const AssistState& state, const Shared& shared) {
  assist::Scenario scenario = assist::read_scenario(state.file);
  if (shared.seed != 0) scenario.seed = shared.seed;
  if (!state.train.empty()) return train(state, scenario);
  assist::TrialOptions options;
  options.allocations = allocation_counter();
  const Stopwatch stopwatch;
  const assist::TrialResult result = assist::run_trial(scenario, options);
  Answer answer{ExitCode::answer, to_string(result.outcome), stopwatch.milliseconds(), result.to_json(),
                result.brief_report()};
  if (result.outcome != assist::TrialOutcome::completed || !result.violations.empty()) {
    answer.code = ExitCode::no_answer;
    answer.error = result.reason;
  }
  if (!shared.out.empty()) write_files(scenario, result, shared.out, answer);
  if (state.speak)
    for (const assist::Utterance& word : result.said) speak(word.text);
  return answer;
}

}  // namespace

Verb assist_verb() {
  const auto state = std::make_shared<AssistState>();
  return {
      "assist", "How do I touch a person safely? A trial of physical assistance in simulation",
      "prehend assist data/assist/trial.yaml",
      [state](Arguments& arguments) {
        arguments.positional(
            "SCENARIO", state->file,
            "YAML: robot, person, sensing, contacts, limits, faults; a --seed other than 0 replaces its own");
        arguments.option("--train", state->train,
                         "Train the contact observer on free motions of the scenario's robot, write it to "
                         "this file, and end");
        arguments.option("--motions", state->motions, "Free motions for --train");
        arguments.flag("--speak", state->speak,
                       "Say what the robot says aloud, where espeak-ng is installed");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
