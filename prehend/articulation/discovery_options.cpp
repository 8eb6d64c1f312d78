#include <prehend/articulation/discovery_options.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>

namespace prehend::articulation {

void DiscoveryOptions::validate() const {
  const math::OptionCheck check("DiscoveryOptions");
  check.at_least("pair_frames", pair_frames, 10);
  check.at_least("partners", partners, 1);
  check.at_least("margin", margin, 0.0, "nats");
  check.at_least("least_noise.position", least_noise.position, 0.0, "m");
  check.at_least("least_noise.angle", least_noise.angle, 0.0, "rad");
  check.holds(
      (least_noise.position > 0) == (least_noise.angle > 0), "least_noise",
      math::number_text(least_noise.position) + " m, " + math::number_text(least_noise.angle) + " rad",
      "positive in both, or 0 in both");
  check.at_least("time_tolerance", time_tolerance, 0.0, "s");
}

}  // namespace prehend::articulation
