// joint: how one part moves in another, from tracked poses.
#include <limits>
#include <memory>
#include <vector>

#include "median_time.h"
#include "output_folder.h"
#include "same_part.h"
#include "verb.h"
#include <prehend/articulation/pages.h>
#include <prehend/articulation/pose_input.h>
#include <prehend/articulation/selection.h>
#include <prehend/math/enum_text.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::cli {
namespace {

struct JointState {
  std::string file;
  std::string fixed, moving;
  std::string type{"auto"};
  std::string criterion{"bic"};
  double radius_scale{articulation::SelectionOptions{}.radius_scale};
  double travel_scale{articulation::SelectionOptions{}.travel_scale};
  bool no_prior{false};
  double margin{articulation::SelectionOptions{}.margin};
  std::string noise{"estimated"};
  std::vector<std::string> with, same_part;
  int repeat{1};
};

articulation::SelectionOptions options_of(const JointState& state) {
  articulation::SelectionOptions options;
  if (state.type != "auto") {
    const auto type = from_string<model::JointType>(state.type);
    if (!type)
      throw UsageError("--type is '" + state.type + "'; it must be auto, " +
                       enum_choices<model::JointType>());
    options.types = {*type};
  }
  const auto criterion = from_string<articulation::Criterion>(state.criterion);
  if (!criterion)
    throw UsageError("--criterion is '" + state.criterion + "'; it must be " +
                     enum_choices<articulation::Criterion>());
  options.criterion = *criterion;
  options.radius_scale = state.no_prior ? std::numeric_limits<double>::infinity() : state.radius_scale;
  options.travel_scale = state.no_prior ? std::numeric_limits<double>::infinity() : state.travel_scale;
  options.margin = state.margin;
  const auto shape = from_string<articulation::NoiseShape>(state.noise);
  if (!shape)
    throw UsageError("--noise is '" + state.noise + "'; it must be " +
                     enum_choices<articulation::NoiseShape>());
  options.fit.noise_shape = *shape;
  return options;
}

// Page and states into the folder; their names as JSON and as a sentence.
void write_files(const articulation::Selection& selection, const articulation::Observations& observations,
                 const JointState& state, const std::string& folder, Answer& answer) {
  prepare_output_folder(folder);
  const std::string page_file = folder + "/report.html", states_file = folder + "/states.csv";
  model::write_file(states_file, articulation::joint_states_csv(selection, observations));
  write_page(articulation::joint_page(selection, observations, state.file), folder, state.file);
  add_files(answer, {{"report", page_file}, {"states", states_file}});
}

Answer answer(const JointState& state, const Shared& shared) {
  const articulation::SelectionOptions options = options_of(state);
  const articulation::ObservationOptions parts{state.fixed, state.moving};
  const model::PoseLog log = articulation::markers_as_one(articulation::read_poses(state.file, state.with),
                                                          state.file, same_parts(state.same_part));
  articulation::Selection selection;
  const double time_ms = median_time(
      state.repeat, [&] { selection = articulation::select_joint(log, state.file, parts, options); });
  if (!selection.contradiction.empty()) throw model::InputError(state.file, 0, selection.contradiction);
  Answer answer = answer_of(selection, time_ms, selection.reason);
  if (!shared.out.empty())
    write_files(selection, articulation::observe(articulation::as_selected(log, selection), state.file, parts),
                state, shared.out, answer);
  return answer;
}

}  // namespace

Verb joint_verb() {
  const auto state = std::make_shared<JointState>();
  return {
      "joint", "How does one part move in another?", "prehend joint data/poses/door.csv",
      [state](Arguments& arguments) {
        arguments.positional("POSES", state->file,
                             "Tracked poses (CSV: t,part,x,y,z,qw,qx,qy,qz), a track or a TUM trajectory");
        arguments.option("--with", state->with,
                         "Further files; a track or TUM trajectory is one part, named after its file");
        arguments.option("--fixed", state->fixed, "Part that counts as fixed; the world for a lone part");
        arguments.option("--moving", state->moving, "Part that moves in it");
        arguments.option("--same-part", state->same_part, kSamePartHelp);
        arguments.option("--type", state->type, "Type of joint, or auto");
        arguments.option("--criterion", state->criterion, "What weighs fit against parameters: bic or aic");
        arguments.option("--radius-scale", state->radius_scale,
                         "[m] Prior: how far from a hinge things are tracked");
        arguments.option("--travel-scale", state->travel_scale, "[m] Prior: how far things slide");
        arguments.flag("--no-prior", state->no_prior, "Neither of the two");
        arguments.option(
            "--margin", state->margin,
            "[nats] Evidence it takes to tell one joint from another: 5 is 150 to 1, 3 is 20 to 1");
        arguments.option(
            "--noise", state->noise,
            "estimated: frames of less noise count for more where residuals differ; or gaussian");
        arguments.option("--repeat", state->repeat, "Selections; the time is their median");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
