// place: where can it go? Poses at which an object rests in a scene, and how well.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include "output_folder.h"
#include "place_arguments.h"
#include <prehend/placement/pages.h>
#include <prehend/placement/placed_object.h>
#include <prehend/placement/placement.h>

namespace prehend::cli {
namespace {

// What OBJECT names: one body or file; or several, apart by commas, to be placed one after the other.
std::vector<std::string> names_of(const PlaceArguments& state, const model::Scene& scene) {
  std::vector<std::string> names{state.object};
  if (scene.find_body(state.object).is_valid() || std::filesystem::exists(state.object)) return names;
  names.clear();
  std::istringstream stream(state.object);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

// The scene, mended or settled as asked, while objects that are bodies of it are out of it.
model::Scene read_scene_of(PlaceArguments& state, std::vector<std::string>& names) {
  model::Scene scene = model::read_scene(state.stability.file, state.stability.scene.options());
  names = names_of(state, scene);
  std::vector<std::pair<model::BodyIndex, model::Body>> taken_out;
  for (const std::string& name : names) {
    const model::BodyIndex object = scene.find_body(name);
    if (!object.is_valid() || !scene.bodies[object].movable) continue;
    taken_out.emplace_back(object, scene.bodies[object]);
    scene.bodies[object].movable = false;
    scene.bodies[object].geoms.clear();
  }
  scene = state.stability.prepared(std::move(scene));
  for (const auto& [object, body] : taken_out) scene.bodies[object] = body;
  return scene;
}

// A body of the scene by name, or a file that brings one.
model::BodyIndex find_object(const PlaceArguments& state, const std::string& name, model::Scene& scene) {
  const model::BodyIndex named = scene.find_body(name);
  if (named.is_valid()) return named;
  if (!std::filesystem::exists(name))
    throw UsageError("OBJECT: '" + name + "' is neither a body of the scene nor a file");
  placement::ObjectFileOptions options;
  options.scene = state.stability.scene.options();
  options.scene.fixed.clear();
  options.scene.movable.clear();
  if (!state.mass.empty()) options.mass = number_of("--mass", state.mass);
  options.unit = metres_of("--unit", state.unit);
  return placement::add_object(scene, name, options);
}

// The page shows the last object, among the others where they stand then.
void write_sequence_page(model::Scene scene, const std::vector<model::BodyIndex>& objects,
                         const placement::PlacementSequence& sequence,
                         const placement::PlacementOptions& options, const PlaceArguments& state,
                         const std::string& out) {
  for (std::size_t k = 0; k + 1 < sequence.steps.size(); ++k)
    scene.bodies[objects[k]].X_WB = sequence.steps[k].placements.front().X_WO;
  for (std::size_t k = sequence.steps.size(); k < objects.size(); ++k) {
    scene.bodies[objects[k]].movable = false;
    scene.bodies[objects[k]].geoms.clear();
  }
  write_page(
      placement::placement_page(scene, objects[sequence.steps.size() - 1], sequence.steps.back(), options),
      out, state.stability.file);
}

Answer answer_in_turn(const PlaceArguments& state, const Shared& shared, const model::Scene& scene,
                      const std::vector<model::BodyIndex>& objects,
                      const placement::PlacementOptions& options) {
  const Stopwatch stopwatch;
  const placement::PlacementSequence sequence = placement::place_in_turn(scene, objects, options);
  Answer answer{ExitCode::answer, to_string(sequence.status), stopwatch.milliseconds(), sequence.to_json(),
                sequence.brief_report()};
  if (!shared.out.empty()) write_sequence_page(scene, objects, sequence, options, state, shared.out);
  if (sequence.status == placement::PlacementStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = joined(sequence.problems);
  return answer;
}

Answer answer_for_one(const PlaceArguments& state, const Shared& shared, const model::Scene& scene,
                      model::BodyIndex object, const placement::PlacementOptions& options) {
  const Stopwatch stopwatch;
  const placement::PlacementResult result = placement::place(scene, object, options);
  Answer answer{ExitCode::answer, to_string(result.status), stopwatch.milliseconds(), result.to_json(),
                result.brief_report()};
  if (!shared.out.empty())
    write_page(placement::placement_page(scene, object, result, options), shared.out, state.stability.file);
  if (result.status == placement::PlacementStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = joined(result.problems);
  return answer;
}

Answer answer(PlaceArguments& state, const Shared& shared) {
  const placement::PlacementOptions options = state.options(shared);
  std::vector<std::string> names;
  model::Scene scene = read_scene_of(state, names);
  const bool has_files = std::any_of(
      names.begin(), names.end(), [&](const std::string& name) { return !scene.find_body(name).is_valid(); });
  if (!has_files && (!state.mass.empty() || state.unit != "m"))
    throw UsageError("--mass and --unit are of a mesh file; '" + names.front() + "' is a body of the scene");
  try {
    std::vector<model::BodyIndex> objects;
    for (const std::string& name : names) objects.push_back(find_object(state, name, scene));
    return objects.size() == 1 ? answer_for_one(state, shared, scene, objects.front(), options)
                               : answer_in_turn(state, shared, scene, objects, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Verb place_verb() {
  const auto state = std::make_shared<PlaceArguments>();
  return {
      "place", "Where can it go?", "prehend place data/scenes/stack.xml data/objects/cup.obj --density 2400",
      [state](Arguments& arguments) { state->declare(arguments); },
      [state](const Shared& shared) { return state->stability.mend.with_repairs(answer(*state, shared)); }};
}

}  // namespace prehend::cli
