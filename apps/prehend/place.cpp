// place: where can it go? Poses at which an object rests in a scene, and how well.
#include <memory>
#include <span>

#include "output_folder.h"
#include "place_task.h"
#include <prehend/model/scene_writer.h>
#include <prehend/placement/pages.h>
#include <prehend/placement/placement.h>

namespace prehend::cli {
namespace {

using placement::PlacementOptions, placement::PlacementResult, placement::PlacementSequence,
    placement::PlacementStatus;

// Puts the objects where the answers in front say.
void put(model::Scene& scene, std::span<const model::BodyIndex> objects,
         std::span<const PlacementResult> steps) {
  for (std::size_t k = 0; k < steps.size(); ++k)
    scene.bodies[objects[k]].X_WB = steps[k].placements.front().X_WO;
}

// scene.xml: everything where it stands then, for the next question.
void write_scene(model::Scene scene, std::span<const model::BodyIndex> objects,
                 std::span<const PlacementResult> steps, const std::string& out, Answer& answer) {
  put(scene, objects, steps);
  const std::string path = out + "/scene.xml";
  model::write_mjcf(scene, path);
  add_files(answer, {{"scene", path}});
}

// The page shows the last object, among the others where they stand then.
void write_sequence_page(model::Scene scene, std::span<const model::BodyIndex> objects,
                         const PlacementSequence& sequence, const PlacementOptions& options,
                         const std::string& file, const std::string& out) {
  const std::size_t last = sequence.steps.size() - 1;
  put(scene, objects, std::span(sequence.steps).first(last));
  for (const model::BodyIndex left_out : objects.subspan(last + 1)) {
    scene.bodies[left_out].movable = false;
    scene.bodies[left_out].geoms.clear();
  }
  write_page(placement::placement_page(scene, objects[last], sequence.steps.back(), options), out, file);
}

Answer answer_in_turn(const PlaceTask& task, const std::string& file, const PlacementOptions& options,
                      const std::string& out) {
  const Stopwatch stopwatch;
  const PlacementSequence sequence = placement::place_in_turn(task.scene, task.objects, options);
  Answer answer = answer_of(sequence, stopwatch.milliseconds(), joined(sequence.problems));
  if (out.empty()) return answer;
  write_sequence_page(task.scene, task.objects, sequence, options, file, out);
  if (sequence.status == PlacementStatus::ok)
    write_scene(task.scene, task.objects, sequence.steps, out, answer);
  return answer;
}

Answer answer_for_one(const PlaceTask& task, const std::string& file, const PlacementOptions& options,
                      const std::string& out) {
  const Stopwatch stopwatch;
  const PlacementResult result = placement::place(task.scene, task.objects.front(), options);
  Answer answer = answer_of(result, stopwatch.milliseconds(), joined(result.problems));
  if (out.empty()) return answer;
  write_page(placement::placement_page(task.scene, task.objects.front(), result, options), out, file);
  if (result.status == PlacementStatus::ok)
    write_scene(task.scene, task.objects, std::span(&result, 1), out, answer);
  return answer;
}

Answer answer(PlaceArguments& state, const Shared& shared) {
  const PlacementOptions options = state.options(shared);
  try {
    const PlaceTask task = read_task(state);
    const std::string& file = state.stability.file;
    return task.objects.size() == 1 ? answer_for_one(task, file, options, shared.out)
                                    : answer_in_turn(task, file, options, shared.out);
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
