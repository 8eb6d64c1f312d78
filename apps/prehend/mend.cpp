#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/math/angles.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/report/scene_view.h>
#include <prehend/report/write_report.h>
#include <prehend/stability/mend.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file;
  SceneArguments scene;
  MendArguments mend;
  std::string tolerance;
};

// From the poses as read to the mended ones, and back.
report::Motion mending(const model::Scene& before, const stability::MendResult& result,
                       const report::SceneView& view) {
  report::Motion motion;
  motion.name = "as read, then mended";
  motion.playback = report::Motion::Playback::back_and_forth;
  motion.times = {0.0, 0.5, 1.5, 2.0};
  for (const stability::MendedBody& body : result.bodies) {
    if (!view.bodies[body.body].is_valid()) continue;
    const math::Pose &from = before.bodies[body.body].X_WB, &to = result.scene.bodies[body.body].X_WB;
    motion.tracks.push_back({view.bodies[body.body], {from, from, to, to}});
  }
  return motion;
}

report::Table moved_table(const stability::MendResult& result, const report::SceneView& view) {
  report::Table table;
  table.caption = "How far each body was moved";
  table.columns = {
      {"body", "", 4, ""}, {"moved", "mm", 3, "of its centre of mass"}, {"turned", "deg", 3, ""}};
  for (const stability::MendedBody& body : result.bodies) {
    table.rows.push_back({result.scene.bodies[body.body].name, 1e3 * body.moved, math::degrees(body.turned)});
    report::RowLink link;
    if (view.bodies[body.body].is_valid()) link.body = view.bodies[body.body];
    table.links.push_back(link);
  }
  return table;
}

void write_page(const model::Scene& before, const stability::MendResult& result, const std::string& folder) {
  report::Page page("The nearest scene that neither overlaps nor floats");
  page.set_subtitle(before.name);
  const bool ok = result.status == stability::MendStatus::ok;
  page.set_verdict(ok ? report::Verdict::good : report::Verdict::bad,
                   std::to_string(result.closed.size()) + " contacts closed, " +
                       std::to_string(result.opened.size()) + " overlaps opened" +
                       (ok ? "." : "; the scene is not mended."));
  const std::string problems = model::problem_lines(result.problems, "- ");
  if (!problems.empty()) page.add_text(problems);
  report::SceneView view = report::view_scene(result.scene);
  report::add_contacts(view, result.scene, model::find_scene_contacts(result.scene));
  view.scene.add_motion(mending(before, result, view));
  report::Table table = moved_table(result, view);
  page.add(std::move(view.scene));
  page.add(std::move(table));
  page.set_footer("Made by prehend " PREHEND_VERSION ".");
  report::write_report(page, folder + "/report.html");
}

Answer answer(const State& state, const Shared& shared) {
  const stability::MendOptions options = state.mend.options(state.tolerance);
  const model::Scene scene = model::read_scene(state.file, state.scene.options());
  const Stopwatch stopwatch;
  const stability::MendResult result = stability::mend(scene, options);
  Answer answer{ExitCode::answer, to_string(result.status), stopwatch.milliseconds(), result.to_json(),
                result.brief_report()};
  if (!shared.out.empty()) {
    prepare_output_folder(shared.out);
    const std::string path = shared.out + "/mended.xml";
    model::write_mjcf(result.scene, path);
    write_page(scene, result, shared.out);
    model::JsonWriter json;
    json.object().members(answer.document).key("files").object().field("scene", path).end().end();
    answer.document = json.text();
  }
  if (result.status == stability::MendStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = joined(result.problems);
  return answer;
}

}  // namespace

void MendArguments::declare(Arguments& arguments) {
  arguments.words("--noise", "M RAD", noise,
                  "Noise of the poses, per axis: metres and radians; without: found from the scene");
  arguments.option("--most", most, "Centres of mass move no farther than this [m]");
}

stability::MendOptions MendArguments::options(const std::string& contact_tolerance) const {
  stability::MendOptions options;
  options.most = most;
  if (!noise.empty())
    options.noise = stability::PoseNoise{number_of("--noise", noise[0]), number_of("--noise", noise[1])};
  if (!contact_tolerance.empty())
    options.contact.set_tolerance(number_of("--contact-tolerance", contact_tolerance));
  return options;
}

void MendFlag::declare(Arguments& arguments) {
  arguments.flag("--mend", asked,
                 "First close contacts that are nearly there and open overlaps (prehend mend)");
  mend.declare(arguments);
}

model::Scene MendFlag::mended(model::Scene scene, const std::string& contact_tolerance) {
  if (!asked) {
    if (!mend.noise.empty()) throw UsageError("--noise says how to mend; add --mend");
    return scene;
  }
  stability::MendResult result = stability::mend(scene, mend.options(contact_tolerance));
  if (result.status != stability::MendStatus::ok)
    throw NoAnswerError("failed", "the scene cannot be mended: " + joined(result.problems));
  document_ = result.to_json();
  double farthest = 0.0;
  for (const stability::MendedBody& body : result.bodies) farthest = std::max(farthest, body.moved);
  char text[160];
  std::snprintf(text, sizeof text,
                "mended: %zu contacts closed, %zu overlaps opened, no body moved by more than %.3g mm\n",
                result.closed.size(), result.opened.size(), 1e3 * farthest);
  text_ = text;
  return std::move(result.scene);
}

Answer MendFlag::told(Answer answer) const {
  if (document_.empty()) return answer;
  model::JsonWriter json;
  json.object().members(answer.document).key("mended").document(document_).end();
  answer.document = json.text();
  answer.text = text_ + answer.text;
  return answer;
}

Verb mend_verb() {
  const auto state = std::make_shared<State>();
  return {"mend", "The nearest scene that neither overlaps nor floats",
          "prehend mend data/scenes/seen_stack.xml",
          [state](Arguments& arguments) {
            arguments.positional("SCENE", state->file,
                                 "Scene: MJCF, URDF, SDF, COMPAS JSON or transport YAML (file.yaml#name)");
            state->mend.declare(arguments);
            arguments.option("--contact-tolerance", state->tolerance, kToleranceHelp);
            state->scene.declare(arguments);
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
