#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/math/number_text.h>
#include <prehend/model/rope_log.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file;
  std::vector<std::string> view;
};

struct Input {
  knot::PData code;
  std::vector<Eigen::Vector3d> centre_line;  // of a recording
  std::string text;                          // how the code came about
};

// The last frame: what was tied in the end.
Input read_rope(const State& state) {
  const model::RopeLog log = model::read_rope_log(state.file);
  knot::ProjectionOptions options;
  if (!state.view.empty()) options.view_W = vector_of("--view", state.view);
  const knot::ProjectionResult seen = knot::project_for_naming(log.frames.back().points_W, options);
  if (seen.status != knot::ProjectionStatus::ok) throw NoAnswerError(to_string(seen.status), seen.reason);
  std::string text = "frame " + std::to_string(log.frames.back().frame) + ", looking along";
  for (const double x : seen.view_W) text += " " + math::number_text(x, 4);
  return {seen.p_data, log.frames.back().points_W, text};
}

Answer answer(const State& state, const Shared& shared) {
  const bool is_recording = knot::is_rope_recording(state.file);
  if (!is_recording && !state.view.empty()) throw UsageError("--view is for ropes (CSV)");
  const Input input = is_recording ? read_rope(state) : Input{knot::read_p_data(state.file), {}, ""};
  const Stopwatch stopwatch;
  const knot::RopeName result = knot::name_rope(input.code);
  Answer answer{ExitCode::answer, to_string(result.over.status), stopwatch.milliseconds(), result.to_json(),
                (input.text.empty() ? "" : input.text + "\n") + result.brief_report()};
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    report::Page page = knot::naming_page(input.code, result, input.centre_line,
                                          state.file + (input.text.empty() ? "" : ", " + input.text));
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
  }
  if (result.is_named()) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = result.over.reason;
  return answer;
}

}  // namespace

Verb knot_name_verb() {
  const auto state = std::make_shared<State>();
  return {"name",
          "Which knot a rope is: by its own code, and by Rolfsen's names once its ends are joined over "
          "everything",
          "prehend knot name data/knots/overhand.json",
          [state](Arguments& arguments) {
            arguments.positional(
                "P", state->file,
                "P-data (JSON: sigma, attr), what knot read --json prints, or a rope (CSV; its last frame)");
            arguments.words(
                "--view", "x y z", state->view,
                "Looking direction, for a rope; without it as knot read, or from where a named knot shows");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
