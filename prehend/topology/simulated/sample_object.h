// Objects for simulated hands: the two of T, and random chains and trees.
//
// Those of T: two boxes of 4.5 kg and 2 kg on a prismatic joint of 0.15 m travel, or on a revolute joint of 95 degrees
// (shapes and places are ours). The slide and the hinge's plane are level, so that gravity moves neither. The child's frame
// lies on the hinge's axis and the slide passes through both origins, as T's algorithm assumes.
//
// An object is a scene: body 1 is the base, every further body hangs on one before it, joint j moves body j + 2. The base of a
// scene that floats has a free joint, which is the last.
#pragma once

#include <cstdint>
#include <vector>

#include <prehend/math/pose.h>
#include <prehend/model/scene.h>

namespace prehend::topology {

// `prismatic` or `revolute`; std::invalid_argument otherwise.
model::Scene source_object(model::JointType type, bool base_is_fixed);

struct SampleObjectOptions {
  int links{3};
  // Drawn from, each as likely as the others.
  std::vector<model::JointType> types{model::JointType::rigid, model::JointType::prismatic,
                                      model::JointType::revolute, model::JointType::screw,
                                      model::JointType::spherical};
  // Probability that a link hangs on the one made before it; 1: a chain.
  double chain{0.7};
  bool base_is_fixed{false};
  // [m] Side of the links' boxes; things that two hands move.
  double side_min{0.06}, side_max{0.2};
  // [kg/m^3] Of wood to light metal, filled in part.
  double density_min{300.0}, density_max{1200.0};
  // [m/rad] Size of a screw's pitch: a screw top or a jack, coarse enough to be seen.
  double pitch_min{0.02}, pitch_max{0.06};
  // Slides and screws end at stops, standing in the middle between them; otherwise the hands alone bound them.
  bool has_stops{false};
  double travel_min{0.08}, travel_max{0.2};  // [m] of slides, and advance of screws, from stop to stop
  std::uint64_t seed{0};

  void validate() const;
};

// Links are boxes with a heavy spot (so that neither the centre of mass nor the principal axes are the frame's), frames sit anywhere
// in and around the box, turned at random; joints lie between the boxes, screws and hinges point anywhere.
model::Scene sample_object(const SampleObjectOptions& options = {});

// The same object, described in other frames: link i's new frame stands at X_LN[i] in its old one.
model::Scene with_frames(const model::Scene& scene, const std::vector<math::Pose>& X_LN);

}  // namespace prehend::topology
