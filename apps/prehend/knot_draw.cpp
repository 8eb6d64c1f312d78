#include <charconv>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/knot/diagram.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/pages/drawing_page.h>
#include <prehend/model/files.h>
#include <prehend/model/json_writer.h>
#include <prehend/report/write_report.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file;
  std::string outer_face;
  bool numbers{false};
};

int face_number(const std::string& word, int faces) {
  int face = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), face);
  if (error != std::errc() || end != word.data() + word.size() || face < 0 || face >= faces) {
    throw UsageError("--outer-face is '" + word + "', must be a number between 0 and " +
                     std::to_string(faces - 1) + " (the code has " + std::to_string(faces) +
                     (faces == 1 ? " face)" : " faces)"));
  }
  return face;
}

std::string document(const knot::PData& data, const knot::Drawing& drawing, const std::string& folder) {
  model::JsonWriter json;
  json.object().field("crossings", data.crossings()).field("faces", drawing.faces.size());
  json.field("outer_face", drawing.outer_face);
  json.key("least_crossing_distance");
  if (drawing.crossings.size() > 1)
    json.value(drawing.least_crossing_distance);
  else
    json.null();
  json.key("files").object();
  if (!folder.empty()) json.field("svg", folder + "/drawing.svg").field("report", folder + "/report.html");
  json.end().field("polyline", drawing.polyline).end();
  return json.text();
}

Answer answer(const State& state, const Shared& shared) {
  const knot::PData data = knot::read_p_data(state.file);
  knot::DrawingOptions options;
  options.crossing_numbers = state.numbers;
  if (data.crossings() > options.most_crossings)
    throw NoAnswerError("too_many_crossings", knot::draw(data, options).problem);
  if (!state.outer_face.empty())
    options.outer_face = face_number(state.outer_face, knot::Diagram(data).face_count());
  if (!shared.out.empty()) prepare_output_folder(shared.out);
  const Stopwatch stopwatch;
  const knot::Drawing drawing = knot::draw(data, options);
  const double time_ms = stopwatch.milliseconds();
  if (!drawing.drawn()) throw NoAnswerError("not_drawn", drawing.problem);
  std::string text = drawing.brief_report() + "\n";
  if (!shared.out.empty()) {
    model::write_file(shared.out + "/drawing.svg", drawing.svg);
    report::Page page = knot::drawing_page(data, drawing, state.file);
    page.set_footer("Made by prehend " PREHEND_VERSION ".");
    report::write_report(page, shared.out + "/report.html");
    text += "picture: " + shared.out + "/drawing.svg\n";
  }
  return {ExitCode::answer, "ok", time_ms, document(data, drawing, shared.out), text};
}

}  // namespace

Verb knot_draw_verb() {
  const auto state = std::make_shared<State>();
  return {"draw", "The drawing of a code: a picture, and a line in 3D that reads back as the code",
          "prehend knot draw data/knots/trefoil.json",
          [state](Arguments& arguments) {
            arguments.positional("P", state->file, "P-data (JSON: {\"sigma\":[...],\"attr\":[...]})");
            arguments.option("--outer-face", state->outer_face,
                             "Which face lies outside, from 0; without it one that holds an end");
            arguments.flag("--numbers", state->numbers, "Write the passages' numbers beside the crossings");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
