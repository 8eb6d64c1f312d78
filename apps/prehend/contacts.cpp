#include <memory>

#include <prehend/model/scene_contacts.h>

#include "verb.h"

namespace prehend::cli {

Verb contacts_verb() {
  struct State {
    std::string file;
    SceneArguments scene;
    double tolerance{geometry::ContactOptions{}.gap_tolerance};
  };
  const auto state = std::make_shared<State>();
  return {"contacts", "Find where the bodies of a scene touch",
          "prehend contacts data/scenes/stack.xml",
          [state](Arguments& arguments) {
            arguments.positional("SCENE", state->file, "Scene: MJCF, URDF, SDF, COMPAS JSON or transport YAML (file.yaml#name)");
            arguments.option("--contact-tolerance", state->tolerance, "Bodies this close touch [m]");
            state->scene.declare(arguments);
          },
          [state](const Shared& shared) {
            const model::Scene scene = model::read_scene(state->file, state->scene.options());
            geometry::ContactOptions options;
            options.gap_tolerance = state->tolerance;
            options.threads = shared.threads;
            const Stopwatch stopwatch;
            const model::SceneContacts contacts = model::find_scene_contacts(scene, options);
            return Answer{kAnswer, "ok", stopwatch.milliseconds(), contacts.to_json(scene), contacts.brief_report(scene)};
          }};
}

}  // namespace prehend::cli
