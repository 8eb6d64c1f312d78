#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/scene_writer.h>
#include <prehend/stability/pages.h>

namespace prehend::cli {
namespace {

struct MendState {
  std::string file;
  SceneArguments scene;
  MendArguments mend;
  std::string tolerance;
};

Answer answer(const MendState& state, const Shared& shared) {
  const stability::MendOptions options = state.mend.options(state.tolerance);
  const model::Scene scene = model::read_scene(state.file, state.scene.options());
  const Stopwatch stopwatch;
  const stability::MendResult result = stability::mend(scene, options);
  Answer answer = answer_of(result, stopwatch.milliseconds(), joined(result.problems));
  if (!shared.out.empty()) {
    const std::string path = shared.out + "/mended.xml";
    write_page(stability::mending_page(scene, result), shared.out, state.file);
    model::write_mjcf(result.scene, path);
    add_files(answer, {{"scene", path}});
  }
  return answer;
}

}  // namespace

Verb mend_verb() {
  const auto state = std::make_shared<MendState>();
  return {"mend", "The nearest scene that neither overlaps nor floats",
          "prehend mend data/scenes/seen_stack.xml",
          [state](Arguments& arguments) {
            arguments.positional("SCENE", state->file,
                                 "Scene: MJCF, URDF, SDF, COMPAS JSON or transport YAML; FILE#NAME is an "
                                 "arrangement or a keyframe");
            state->mend.declare(arguments);
            arguments.option("--contact-tolerance", state->tolerance, kToleranceHelp);
            state->scene.declare(arguments);
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
