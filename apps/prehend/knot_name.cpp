#include <memory>

#include "knot_input.h"
#include "output_folder.h"
#include <prehend/knot/naming.h>
#include <prehend/knot/pages.h>

namespace prehend::cli {
namespace {

Answer answer(const KnotArguments& arguments, const Shared& shared) {
  const KnotInput input = read_knot(arguments);
  const Stopwatch stopwatch;
  knot::RopeName result = knot::name_rope(input.code);
  result.doubts = input.doubts;
  // A loop has no ends: it is no rope that was tied.
  if (input.closed) result.rope_knots.clear();
  const double time_ms = stopwatch.milliseconds();
  model::JsonWriter json;
  json.object().members(result.to_json());
  input.write(json);
  json.end();
  Answer answer{ExitCode::answer, result.status(), time_ms, json.text(),
                (input.text.empty() ? "" : input.text + "\n") + result.brief_report()};
  if (!shared.out.empty())
    write_page(knot::naming_page(input.code, result, input.centre_line, input.text), shared.out,
               arguments.file);
  if (result.is_named()) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = result.over.reason;
  return answer;
}

}  // namespace

Verb knot_name_verb() {
  const auto state = std::make_shared<KnotArguments>();
  return {"name",
          "Which knot a rope is: by its own code, and by Rolfsen's names once its ends are joined over "
          "everything",
          "prehend knot name data/knots/overhand.json",
          [state](Arguments& arguments) { state->declare(arguments); },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
