#include <cstdio>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/knot/named_knots.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages/naming_page.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/rope_shape.h>
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

bool is_recording(const std::string& file) { return file.ends_with(".csv") || file.ends_with(".csv.gz"); }

std::string view_text(const Eigen::Vector3d& view_W) {
  char text[100];
  std::snprintf(text, sizeof text, "looking along %.4g %.4g %.4g", view_W.x(), view_W.y(), view_W.z());
  return text;
}

// The last frame: what was tied in the end. Without a wish for the view, one in which a named knot shows is taken.
Input read_rope(const State& state) {
  const model::RopeLog log = model::read_rope_log(state.file);
  Input input{{}, log.frames.back().points_W, ""};
  knot::ProjectionOptions options;
  if (!state.view.empty()) options.view_W = vector_of("--view", state.view);
  knot::ProjectionResult seen = knot::project_rope(input.centre_line, options);
  const bool shows = seen.status == knot::ProjectionStatus::generic && !knot::names_of(seen.p_data).empty();
  if (state.view.empty() && !shows) {
    const knot::RopeShape shape = knot::find_shape(input.centre_line);
    if (!shape.names.empty()) {
      options.view_W = shape.view_W;
      seen = knot::project_rope(input.centre_line, options);
    }
  }
  if (seen.status != knot::ProjectionStatus::generic)
    throw NoAnswerError(to_string(seen.status), seen.reason);
  input.code = seen.p_data;
  input.text = "frame " + std::to_string(log.frames.back().frame) + ", " + view_text(seen.view_W);
  return input;
}

Answer answer(const State& state, const Shared& shared) {
  if (!is_recording(state.file) && !state.view.empty()) throw UsageError("--view is for ropes (CSV)");
  const Input input =
      is_recording(state.file) ? read_rope(state) : Input{knot::read_p_data(state.file), {}, ""};
  const Stopwatch stopwatch;
  const knot::RopeName result = knot::name_rope(input.code);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    report::Page page = knot::naming_page(input.code, result, input.centre_line,
                                          state.file + (input.text.empty() ? "" : ", " + input.text));
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
  }
  const knot::NamingStatus status = result.over.status;
  const bool found = status == knot::NamingStatus::named || status == knot::NamingStatus::ambiguous;
  return {found ? ExitCode::answer : ExitCode::no_answer,
          to_string(status),
          time_ms,
          result.to_json(),
          (input.text.empty() ? "" : input.text + "\n") + result.brief_report(),
          found ? "" : result.over.reason};
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
