// Where can it go? Poses at which an object rests in a scene, how well it holds there, and why not elsewhere.
//
// The object is a movable body of the scene, taken out first. A planner proposes poses; each is verified with the contacts of the true
// surfaces and exact friction cones, and only poses that pass leave: nothing penetrates by more than 1e-6 m, what touches does so within
// 1e-6 m, all wishes hold, and the assembly withstands a horizontal acceleration of `margin` g.
//
// Measures, over the assembly with the object in it: min_sr, the least push along an inward normal, at any point of a movable body, that
// moves something (over a flat face 1/R is convex, so its corners decide); margin_g, the least horizontal acceleration; robustness, the
// least force at a centre of mass along an axis. Source: N chapter 5.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/model/scene.h>
#include <prehend/placement/placement_options.h>
#include <prehend/placement/placement_result.h>

namespace prehend::placement {

// `object` is a movable body of the scene; where it stands does not matter. Throws std::invalid_argument for bad options, names that do not
// exist, and a body that cannot be placed: fixed, on a joint, massless or without a closed shape.
PlacementResult place(const model::Scene& scene, model::BodyIndex object, const PlacementOptions& options = {});

// Several objects, one after the other.
struct PlacementSequence {
  PlacementStatus status{PlacementStatus::not_computed};  // ok: every object has a place
  // By object, in order, each with the pose that was taken in front; of a sequence without answer as far as it came, the step that failed last.
  std::vector<PlacementResult> steps;
  std::vector<std::string> problems;  // sentences

  std::string brief_report() const;
  std::string to_json() const;  // {"status","sequence":[{"object", as of place()}],"problems":[]}
};

// All objects are taken out, then placed in this order, each on the scene with the ones before it: every assembly on the way holds. Where an object finds no place, the
// one before it goes to its next best (1 cm or 10 degrees apart), and so on back. `time_limit` is for each object; options.touch may name objects of the list.
PlacementSequence place_in_turn(const model::Scene& scene, std::span<const model::BodyIndex> objects,
                                const PlacementOptions& options = {});

}  // namespace prehend::placement
