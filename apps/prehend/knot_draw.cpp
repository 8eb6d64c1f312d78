#include <memory>

#include "knot_input.h"
#include "output_folder.h"
#include <prehend/knot/drawing.h>
#include <prehend/knot/pages.h>
#include <prehend/model/files.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_scan.h>

namespace prehend::cli {
namespace {

struct KnotDrawState {
  KnotArguments knot;
  std::string outer_face;  // empty: not given
  bool numbers{false};
};

knot::DrawingOptions options_of(const KnotDrawState& state) {
  knot::DrawingOptions options;
  options.crossing_numbers = state.numbers;
  if (state.outer_face.empty()) return options;
  const auto face = model::parse_integer(state.outer_face);
  if (!face || *face < 0 || *face > 1000000)
    throw UsageError("--outer-face is '" + state.outer_face + "'; it must be the number of a face, from 0");
  options.outer_face = static_cast<int>(*face);
  return options;
}

Answer answer(const KnotDrawState& state, const Shared& shared) {
  const knot::DrawingOptions options = options_of(state);
  const KnotInput input = read_knot(state.knot);
  const Stopwatch stopwatch;
  const knot::Drawing drawing = knot::draw(input.code, options);
  const double time_ms = stopwatch.milliseconds();
  if (!drawing.drawn()) throw NoAnswerError(to_string(drawing.status), drawing.problem);
  model::JsonWriter json;
  json.object().members(drawing.to_json());
  input.write(json);
  json.key("files").object();
  if (!shared.out.empty()) {
    write_page(knot::drawing_page(input.code, drawing, input.text), shared.out, state.knot.file);
    model::write_file(shared.out + "/drawing.svg", drawing.svg);
    json.field("svg", shared.out + "/drawing.svg").field("report", shared.out + "/report.html");
  }
  json.end().end();
  return {ExitCode::answer, to_string(drawing.status), time_ms, json.text(),
          (input.text.empty() ? "" : input.text + "\n") + drawing.brief_report() + "\n"};
}

}  // namespace

Verb knot_draw_verb() {
  const auto state = std::make_shared<KnotDrawState>();
  return {"draw", "The drawing of a code: a picture, and a line in 3D that reads back as the code",
          "prehend knot draw data/knots/trefoil.json",
          [state](Arguments& arguments) {
            state->knot.declare(arguments);
            arguments.option("--outer-face", state->outer_face,
                             "Which face lies outside, from 0; without it one that holds an end");
            arguments.flag("--numbers", state->numbers, "Write the passages' numbers beside the crossings");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
