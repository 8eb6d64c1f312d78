// What `place` is asked to place, and where.
#include "place_task.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include <prehend/placement/placed_object.h>

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

}  // namespace

PlaceTask read_task(PlaceArguments& state) {
  std::vector<std::string> names;
  PlaceTask task{read_scene_of(state, names), {}};
  const auto is_file = [&](const std::string& name) { return !task.scene.find_body(name).is_valid(); };
  if (std::ranges::none_of(names, is_file) && (!state.mass.empty() || state.unit != "m"))
    throw UsageError("--mass and --unit are of a mesh file; '" + names.front() + "' is a body of the scene");
  for (const std::string& name : names) task.objects.push_back(find_object(state, name, task.scene));
  return task;
}

}  // namespace prehend::cli
