#include <memory>

#include "verb.h"
#include <prehend/model/inspection.h>

namespace prehend::cli {

Verb inspect_verb() {
  struct State {
    std::string file, unit{"m"};
    SceneArguments scene;
  };
  const auto state = std::make_shared<State>();
  return {
      "inspect", "Say what is in a mesh, cloud, scene or log, and what is wrong with it",
      "prehend inspect data/scenes/stack.xml",
      [state](Arguments& arguments) {
        arguments.positional(
            "FILE", state->file,
            "Mesh (STL, OBJ, PLY, glTF), cloud (PLY), scene (MJCF, URDF, SDF, COMPAS JSON) or log (CSV)");
        arguments.option("--unit", state->unit, "Unit of a mesh's coordinates: m, cm, mm or in [m]");
        state->scene.declare(arguments);
      },
      [state](const Shared& shared) {
        if (!shared.out.empty())
          throw UsageError("inspect writes no report; leave --out away, or use contacts --out for a scene");
        model::InspectOptions options;
        options.mesh.unit = model::length_unit(state->unit);
        options.scene = state->scene.options();
        const Stopwatch stopwatch;
        const model::Inspection inspection = model::inspect_file(state->file, options);
        return Answer{ExitCode::answer, to_string(inspection.status), stopwatch.milliseconds(),
                      inspection.to_json(), inspection.brief_report()};
      }};
}

}  // namespace prehend::cli
