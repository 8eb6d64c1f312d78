#include "knot_input.h"

#include <prehend/knot/p_data_json.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/math/number_text.h>
#include <prehend/model/input_error.h>
#include <prehend/model/rope_log.h>

namespace prehend::cli {

void declare_noise(std::string& word, Arguments& arguments) {
  arguments.option("--noise", word,
                   "[m] White noise of the points, per axis, smoothed away; 0: they are exact and the rope "
                   "straight between them. Without it, noise that shows is estimated");
}

std::optional<double> noise_of(const std::string& word) {
  if (word.empty()) return {};
  const double noise = number_of("--noise", word);
  if (!(noise >= 0)) throw UsageError("--noise is " + word + "; it must be 0 or a length in metres");
  return noise;
}

void KnotArguments::declare(Arguments& arguments) {
  arguments.positional(
      "P", file, "P-data (JSON: sigma, attr), what knot read --json prints, or a rope (CSV; its last frame)");
  arguments.words("--view", "x y z", view,
                  "Looking direction, for a rope; without it as knot read, or from where a named knot shows");
  arguments.flag(
      "--closed", closed,
      "The rope is a loop: its last point joins the first (known by itself where they are the same)");
  declare_noise(noise, arguments);
}

void KnotInput::write(model::JsonWriter& json) const {
  if (!view_W) return;
  json.field("frame", frame).field("view_W", *view_W).field("closed", closed).field("noise_m", noise);
  json.field("notes", notes);
}

KnotInput read_knot(const KnotArguments& arguments) {
  if (!knot::is_rope_recording(arguments.file)) {
    if (!arguments.view.empty()) throw UsageError("--view is for ropes (CSV)");
    if (arguments.closed) throw UsageError("--closed is for ropes (CSV)");
    if (!arguments.noise.empty()) throw UsageError("--noise is for ropes (CSV)");
    try {
      return {knot::read_p_data(arguments.file)};
    } catch (const model::InputError& error) {
      if (arguments.file.ends_with(".json") || error.line() == 0) throw;
      throw model::InputError(error.file(), error.line(),
                              error.message() + "; a rope is a file .csv with the columns x, y, z");
    }
  }
  // The last frame: what was tied in the end.
  const model::RopeLog log = model::read_rope_log(arguments.file);
  const model::RopeFrame& last = log.frames.back();
  knot::ProjectionOptions options;
  options.closed = arguments.closed || knot::ends_meet(last.points_W);
  if (!arguments.view.empty()) options.view_W = vector_of("--view", arguments.view);
  options.noise = noise_of(arguments.noise);
  const knot::ProjectionResult seen = knot::project_for_naming(last.points_W, options);
  if (seen.status != knot::ProjectionStatus::ok) throw NoAnswerError(to_string(seen.status), seen.reason);
  std::string text = "frame " + std::to_string(last.frame) + ", looking along";
  for (const double x : seen.view_W) text += " " + math::number_text(x, 4);
  if (seen.closed) text += ", a closed loop";
  for (const std::string& note : seen.notes)
    if (!note.starts_with("a closed loop")) text += "; " + note;
  std::vector<Eigen::Vector3d> line = seen.line_W.empty() ? last.points_W : seen.line_W;
  if (seen.closed) line.push_back(line.front());
  return {seen.p_data, line,        text,
          last.frame,  seen.view_W, seen.closed,
          seen.noise,  seen.notes,  knot::naming_doubts(last.points_W, seen, options)};
}

}  // namespace prehend::cli
