#include <algorithm>
#include <stdexcept>

#include <prehend/model/json_writer.h>
#include <prehend/placement/placement.h>

namespace prehend::placement {
namespace {

using model::BodyIndex;

// Places of one object that are tried while the next ones find none, and searches in all.
constexpr int kMostAlternatives = 3;
constexpr int kMostSearches = 40;

class Sequence {
 public:
  Sequence(const model::Scene& scene, std::span<const BodyIndex> objects, const PlacementOptions& options)
      : scene_(scene), objects_(objects.begin(), objects.end()), options_(options) {
    for (const BodyIndex b : objects_) {
      if (!b.is_valid() || b >= scene.bodies.size())
        throw std::invalid_argument("the scene has no such object");
      if (!scene.bodies[b].movable)
        throw std::invalid_argument("'" + scene.bodies[b].name +
                                    "' is fixed; the objects to place must be movable bodies");
      if (std::count(objects_.begin(), objects_.end(), b) > 1)
        throw std::invalid_argument("'" + scene.bodies[b].name + "' is to be placed twice");
      bodies_.push_back(scene.bodies[b]);
    }
    for (std::size_t k = 0; k < objects_.size(); ++k) take_out(k);
  }

  PlacementSequence answer() {
    PlacementSequence sequence;
    const bool found = placed_from(0);
    sequence.status = found ? PlacementStatus::ok : farthest_.back().status;
    sequence.steps = found ? steps_ : farthest_;
    if (found) return sequence;
    const PlacementResult& failed = farthest_.back();
    // With the others where they stand, there is none; elsewhere they were not tried to the end.
    if (farthest_.size() > 1 && failed.status == PlacementStatus::none)
      sequence.status = PlacementStatus::not_found;
    for (const std::string& problem : failed.problems)
      sequence.problems.push_back("'" + failed.object_name + "': " + problem);
    return sequence;
  }

 private:
  void take_out(std::size_t k) {
    model::Body& body = scene_.bodies[objects_[k]];
    body.movable = false;
    body.geoms.clear();
  }

  bool placed_from(std::size_t k) {
    if (k == objects_.size()) return true;
    scene_.bodies[objects_[k]] = bodies_[k];
    PlacementOptions options = options_;
    std::erase(options.touch, bodies_[k].name);
    if (!options_.touch.empty() && options.touch.empty())
      throw std::invalid_argument("touch: '" + bodies_[k].name + "' is the object itself");
    if (k + 1 < objects_.size()) options.count = kMostAlternatives;
    ++searches_;
    PlacementResult result = place(scene_, objects_[k], options);
    result.count = 1;  // of a sequence each object has one place
    steps_.push_back(result);
    if (steps_.size() > farthest_.size()) farthest_ = steps_;
    for (std::size_t choice = 0; choice < result.placements.size(); ++choice) {
      steps_.back() = result;
      std::rotate(steps_.back().placements.begin(),
                  steps_.back().placements.begin() + static_cast<std::ptrdiff_t>(choice),
                  steps_.back().placements.begin() + static_cast<std::ptrdiff_t>(choice) + 1);
      if (k + 1 < objects_.size()) steps_.back().placements.resize(1);
      scene_.bodies[objects_[k]].X_WB = result.placements[choice].X_WO;
      if (placed_from(k + 1)) return true;
      if (searches_ >= kMostSearches) break;
    }
    steps_.pop_back();
    take_out(k);
    return false;
  }

  model::Scene scene_;
  std::vector<BodyIndex> objects_;
  PlacementOptions options_;
  std::vector<model::Body> bodies_;  // as they came
  std::vector<PlacementResult> steps_, farthest_;
  int searches_{0};
};

}  // namespace

PlacementSequence place_in_turn(const model::Scene& scene, std::span<const BodyIndex> objects,
                                const PlacementOptions& options) {
  if (objects.empty()) throw std::invalid_argument("there is nothing to place");
  return Sequence(scene, objects, options).answer();
}

std::string PlacementSequence::brief_report() const {
  std::string text;
  for (const PlacementResult& step : steps) text += step.brief_report();
  return text;
}

std::string PlacementSequence::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).key("sequence").array();
  for (const PlacementResult& step : steps) json.document(step.to_json());
  return json.end().field("problems", problems).end().text();
}

}  // namespace prehend::placement
