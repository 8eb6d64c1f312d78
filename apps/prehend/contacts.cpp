#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/scene_contacts.h>
#include <prehend/model/text_table.h>
#include <prehend/report/scene_view.h>

namespace prehend::cli {
namespace {

report::Page contacts_page(const model::Scene& scene, const model::SceneContacts& contacts) {
  report::Page page("Where do things touch?");
  const std::size_t count = contacts.interfaces.size();
  page.set_subtitle(scene.name);
  // Never green: touching is not yet holding.
  page.set_verdict(contacts.problems.empty() ? report::Verdict::note : report::Verdict::bad,
                   std::to_string(count) + (count == 1 ? " contact interface" : " contact interfaces") +
                       (contacts.problems.empty() ? "." : ", and something to look at."));
  const std::string problems = model::problem_lines(contacts.problems, "- ");
  if (!problems.empty()) page.add_text(problems);
  report::SceneView view = report::view_scene(scene);
  report::add_contacts(view, scene, contacts);
  const report::SceneIndex index = page.add(report::Scene3d(view.scene));
  page.add(report::contact_table(scene, contacts, view, index));
  return page;
}

}  // namespace

Verb contacts_verb() {
  struct State {
    std::string file;
    SceneArguments scene;
    std::string tolerance;
    MendFlag mend;
    std::string interfaces{"computed"};
  };
  const auto state = std::make_shared<State>();
  return {"contacts", "Find where the bodies of a scene touch", "prehend contacts data/scenes/stack.xml",
          [state](Arguments& arguments) {
            arguments.positional("SCENE", state->file,
                                 "Scene: MJCF, URDF, SDF, COMPAS JSON or transport YAML; FILE#NAME is an "
                                 "arrangement or a keyframe");
            arguments.option("--contact-tolerance", state->tolerance, kToleranceHelp);
            arguments.option("--interfaces", state->interfaces, kInterfacesHelp);
            state->mend.declare(arguments);
            state->scene.declare(arguments);
          },
          [state](const Shared& shared) {
            const model::Scene scene =
                state->mend.mended(model::read_scene(state->file, state->scene.options()), state->tolerance);
            geometry::ContactOptions options;
            if (!state->tolerance.empty())
              options.set_tolerance(number_of("--contact-tolerance", state->tolerance));
            options.threads = shared.threads;
            const Stopwatch stopwatch;
            const model::SceneContacts contacts =
                takes_stored_interfaces(state->interfaces)
                    ? model::read_stored_contacts(state->file, scene, state->scene.options())
                    : model::find_scene_contacts(scene, options);
            const double time_ms = stopwatch.milliseconds();
            if (!shared.out.empty()) write_page(contacts_page(scene, contacts), shared.out, state->file);
            return state->mend.with_repairs(Answer{ExitCode::answer, to_string(contacts.status), time_ms,
                                                   contacts.to_json(), contacts.brief_report()});
          }};
}

}  // namespace prehend::cli
