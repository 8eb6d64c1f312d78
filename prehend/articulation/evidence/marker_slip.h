// Whether a marker slipped on its part: what two joints of one type explain, one before and one after a sudden step.
//
// A joint of several freedoms follows a slip by a freedom that the object does not have. Where what a hinge or slide leaves over the whole recording has a step
// that is over within a few frames, the recording is split there and both pieces are fitted alone. Not part of the public interface.
#pragma once

#include <optional>

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

struct MarkerSlip {
  model::JointType type{model::JointType::rigid};  // of the joint on either side
  double time{0.0};                                // [s] of the first frame after it
  double log_likelihood{0.0};                      // [nats] of the two pieces
  int parameters{0};                               // of both
};

// `simple`: a fit of a joint of at most one freedom to all of the oriented poses. Absent where it leaves no sudden step.
std::optional<MarkerSlip> marker_slip(const JointFit& simple, const Observations& observations,
                                      const FitOptions& options);

}  // namespace prehend::articulation
