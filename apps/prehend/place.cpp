// place: where can it go? Poses at which an object rests in a scene, and how well.
#include <filesystem>
#include <memory>
#include <sstream>

#include "choice.h"
#include "output_folder.h"
#include "verb.h"
#include <prehend/math/angles.h>
#include <prehend/placement/grasp_file.h>
#include <prehend/placement/pages.h>
#include <prehend/placement/placed_object.h>
#include <prehend/placement/placement.h>

namespace prehend::cli {
namespace {

struct State {
  StabilityArguments stability;
  std::string object, mass, upright, grasps, planner{"auto"}, unit{"m"}, objective{"robust"};
  std::vector<std::string> touch, region, keep_out, approach;
  placement::PlacementOptions options;
};

placement::AxisBox box_of(const std::string& option, const std::vector<std::string>& words, std::size_t first = 0) {
  const placement::AxisBox box{vector_of(option, words, first), vector_of(option, words, first + 3)};
  if (!(box.lower.array() < box.upper.array()).all())
    throw UsageError(option + " is inside out or flat; its first three numbers must be below its last three");
  return box;
}

void read_objective(const std::string& text, placement::PlacementOptions& options) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) throw UsageError("--objective is empty; it must be robust, first, low or near x y z");
  options.objective = choice_of<placement::Objective>("--objective", words.front());
  const bool needs_point = options.objective == placement::Objective::near;
  if (words.size() != (needs_point ? 4u : 1u))
    throw UsageError(needs_point ? "--objective near takes a point: near x y z"
                                 : "--objective " + words.front() + " takes no numbers");
  if (needs_point) options.near_W = vector_of("--objective", words, 1);
}

placement::PlacementOptions options_of(const State& state, const Shared& shared) {
  placement::PlacementOptions options = state.options;
  const std::optional<placement::Planner> planner = placement::planner_of(state.planner);
  if (!planner)
    throw UsageError("--planner: there is no '" + state.planner +
                     "'; it must be auto, robustness, uniform, drop, slow_drop, heightmap or chance");
  options.planner = *planner;
  read_objective(state.objective, options);
  options.touch = state.touch;
  if (!state.region.empty()) options.region = box_of("--region", state.region);
  for (std::size_t k = 0; k < state.keep_out.size(); k += 6)
    options.keep_out.push_back(box_of("--keep-out", state.keep_out, k));
  if (!state.upright.empty()) options.upright = number_of("--upright", state.upright) * math::kPi / 180.0;
  if (!state.approach.empty()) options.approach_W = vector_of("--approach", state.approach);
  if (!state.grasps.empty()) options.grasps = placement::read_grasps(state.grasps);
  options.seed = shared.seed;
  options.contact = state.stability.system(shared).contact;
  try {
    options.validate();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  return options;
}

// What OBJECT names: one body or file; or several, apart by commas, to be placed one after the other.
std::vector<std::string> names_of(const State& state, const model::Scene& scene) {
  std::vector<std::string> names{state.object};
  if (scene.find_body(state.object).is_valid() || std::filesystem::exists(state.object)) return names;
  names.clear();
  std::istringstream stream(state.object);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

// The scene, mended or settled as asked, while objects that are bodies of it are out of it.
model::Scene read_scene_of(State& state, std::vector<std::string>& names) {
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
model::BodyIndex find_object(const State& state, const std::string& name, model::Scene& scene) {
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
                         const placement::PlacementSequence& sequence, const placement::PlacementOptions& options,
                         const State& state, const std::string& out) {
  for (std::size_t k = 0; k + 1 < sequence.steps.size(); ++k)
    scene.bodies[objects[k]].X_WB = sequence.steps[k].placements.front().X_WO;
  for (std::size_t k = sequence.steps.size(); k < objects.size(); ++k) {
    scene.bodies[objects[k]].movable = false;
    scene.bodies[objects[k]].geoms.clear();
  }
  write_page(placement::placement_page(scene, objects[sequence.steps.size() - 1], sequence.steps.back(), options), out,
             state.stability.file);
}

Answer answer_in_turn(const State& state, const Shared& shared, const model::Scene& scene,
                      const std::vector<model::BodyIndex>& objects, const placement::PlacementOptions& options) {
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

Answer answer_for_one(const State& state, const Shared& shared, const model::Scene& scene, model::BodyIndex object,
                      const placement::PlacementOptions& options) {
  const Stopwatch stopwatch;
  const placement::PlacementResult result = placement::place(scene, object, options);
  Answer answer{ExitCode::answer, to_string(result.status), stopwatch.milliseconds(),
                result.to_json(options.count > 1), result.brief_report()};
  if (!shared.out.empty())
    write_page(placement::placement_page(scene, object, result, options), shared.out, state.stability.file);
  if (result.status == placement::PlacementStatus::ok) return answer;
  answer.code = ExitCode::no_answer;
  answer.error = joined(result.problems);
  return answer;
}

Answer answer(State& state, const Shared& shared) {
  const placement::PlacementOptions options = options_of(state, shared);
  std::vector<std::string> names;
  model::Scene scene = read_scene_of(state, names);
  try {
    std::vector<model::BodyIndex> objects;
    for (const std::string& name : names) objects.push_back(find_object(state, name, scene));
    return objects.size() == 1 ? answer_for_one(state, shared, scene, objects.front(), options)
                               : answer_in_turn(state, shared, scene, objects, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void declare(State& state, Arguments& arguments) {
  state.stability.declare(arguments);
  arguments.positional("OBJECT", state.object, "A movable body of SCENE, MJCF or URDF with one free body, or a closed mesh; several apart by commas go one after the other");
  arguments.option("--mass", state.mass, "Mass of a mesh [kg], instead of --density");
  arguments.option("--unit", state.unit, "Unit of a mesh: m, cm, mm, in or metres as a number");
  arguments.option("--touch", state.touch, "Bodies it may touch; without: any");
  arguments.words("--region", "x0 y0 z0 x1 y1 z1", state.region, "It lies wholly inside [m]");
  arguments.repeated_words("--keep-out", "x0 y0 z0 x1 y1 z1", state.keep_out, "It lies wholly outside [m]; may be repeated");
  arguments.option("--upright", state.upright, "Its z axis is within this of the vertical [deg]");
  arguments.option("--clearance", state.options.clearance, "From every body that it does not touch [m]");
  arguments.words("--approach", "dx dy dz", state.approach, "Direction of the last 0.2 m, which are free");
  arguments.option("--grasps", state.grasps, "Gripper and grasps, of which at least one is free: JSON");
  arguments.option("--pose-error", state.options.pose_error, "It holds this far off in any horizontal direction [m]");
  arguments.option("--margin", state.options.margin, "Least horizontal acceleration that it withstands [g]");
  arguments.option("--margin-friction", state.options.intervals.friction,
                   "Friction may be lower by this part: it holds all the same");
  arguments.option("--margin-mass", state.options.intervals.mass, "Masses may differ by this part");
  arguments.option("--margin-position", state.options.intervals.position,
                   "Outlines of contacts may be wrong by this [m]");
  arguments.option("--objective", state.objective, "robust, first, low, or near x y z");
  arguments.option("--count", state.options.count, "Placements, 1 cm or 10 degrees apart, best first");
  arguments.option("--planner", state.planner, "auto, robustness, uniform, drop, slow_drop, heightmap or chance");
  arguments.option("--time-limit", state.options.time_limit, "Seconds after which the search ends");
}

}  // namespace

Verb place_verb() {
  const auto state = std::make_shared<State>();
  return {"place", "Where can it go?", "prehend place data/scenes/stack.xml data/objects/cup.obj --density 2400",
          [state](Arguments& arguments) { declare(*state, arguments); },
          [state](const Shared& shared) { return state->stability.mend.told(answer(*state, shared)); }};
}

}  // namespace prehend::cli
