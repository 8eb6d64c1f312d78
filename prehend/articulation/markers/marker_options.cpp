#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/marker_options.h>
#include <prehend/math/house/option_check.h>

namespace prehend::articulation {

void DetectionOptions::validate() const {
  require_dictionary(dictionary);
  const math::OptionCheck check("DetectionOptions");
  check.above("edge_floor", edge_floor, 0.0, "px");
  check.above("min_contrast", min_contrast, 0.0);
}

void FlipOptions::validate() const {
  const math::OptionCheck check("FlipOptions");
  check.above("turn_rate", turn_rate, 0.0, "rad/s");
  check.above("max_step", max_step, 0.0, "nats");
}

void MarkerTrackOptions::validate() const {
  detection.validate();
  flips.validate();
  smoother.validate();
  const math::OptionCheck check("MarkerTrackOptions");
  check.above("marker_size", marker_size, 0.0, "m");
  check.above("frame_time", frame_time, 0.0, "s");
  check.at_least("min_sightings", min_sightings, 1);
  check.above("max_reprojection", max_reprojection, 0.0, "px");
}

}  // namespace prehend::articulation
