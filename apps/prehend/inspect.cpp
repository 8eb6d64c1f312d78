#include <memory>

#include "verb.h"
#include <prehend/model/inspection.h>

namespace prehend::cli {

Verb inspect_verb() {
  struct State {
    std::string file, unit{"m"};
    SceneArguments scene;
    MendFlag mend;
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
        state->mend.declare(arguments);
        state->scene.declare(arguments);
      },
      [state](const Shared& shared) {
        if (!shared.out.empty())
          throw UsageError("inspect writes no report; leave --out away, or use contacts --out for a scene");
        model::InspectOptions options;
        options.mesh.unit = model::length_unit(state->unit);
        options.scene = state->scene.options();
        const Stopwatch stopwatch;
        model::Inspection inspection = model::inspect_file(state->file, options);
        if (auto* scene = std::get_if<model::Scene>(&inspection.summary)) {
          *scene = state->mend.mended(std::move(*scene), "");
        } else if (state->mend.asked) {
          throw UsageError("--mend: only a scene can be mended, and this is a " + inspection.kind);
        }
        return state->mend.told(Answer{ExitCode::answer, to_string(inspection.status),
                                       stopwatch.milliseconds(), inspection.to_json(),
                                       inspection.brief_report()});
      }};
}

}  // namespace prehend::cli
