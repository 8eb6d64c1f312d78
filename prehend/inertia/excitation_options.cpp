#include <cmath>
#include <string>

#include <prehend/inertia/excitation_options.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {

const char* to_string(Criterion criterion) { return enum_text(criterion); }

void ExcitationOptions::validate(const model::JointChain& chain) const {
  const auto text = [](double value) { return math::number_text(value); };
  limits.validate();
  noise.validate();
  const math::OptionCheck check("ExcitationOptions");
  check.above("object.mass", object.mass, 0.0, "kg");
  check.above("object.size", object.size, 0.0, "m");
  for (const double coordinate : object.centre()) check.finite("object.centre_S", coordinate, "m");
  check.above("max_frequency", max_frequency, 0.0, "Hz");
  check.holds(rate >= 2.0 * max_frequency && std::isfinite(rate), "rate", text(rate) + " Hz",
              "at least twice the highest frequency, " + text(max_frequency) + " Hz");
  check.holds(std::isfinite(duration) && duration * max_frequency >= 2.0 - 1e-9, "duration",
              text(duration) + " s",
              "at least " + text(2.0 / max_frequency) + " s at up to " + text(max_frequency) +
                  " Hz, or no joint can start and stop at rest");
  check.holds(duration * rate <= 1e6, "duration", text(duration) + " s",
              "at most " + text(1e6 / rate) + " s, which make a million samples");
  check.between("max_harmonics", max_harmonics, 4, 100);
  check.at_least("starts", starts, 1);
  check.at_least("threads", threads, 0);
  const JointBounds bounds = joint_bounds(chain, limits);
  if (!start) return;
  check.holds(start->size() == chain.size(), "start", std::to_string(start->size()) + " joint positions",
              std::to_string(chain.size()) + ", one for each joint of the chain");
  for (int i = 0; i < chain.size(); ++i) {
    check.holds(
        (*start)[i] > bounds.lower[i] && (*start)[i] < bounds.upper[i],
        "start of joint '" + chain.joints[static_cast<std::size_t>(i)].name + "'", text((*start)[i]),
        "between " + text(bounds.lower[i]) + " and " + text(bounds.upper[i]) + ", its range less the margin");
  }
}

}  // namespace prehend::inertia
