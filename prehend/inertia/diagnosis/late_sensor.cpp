#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <prehend/inertia/diagnosis/late_sensor.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/inertia/regressor.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

// [share of the wrench] 10 ms at 1 rad/s; below, a delay changes nothing that is stated.
constexpr double kAskedFrom = 0.01;
// Of the mass, and [m]: a delay that changes more is for --calibrate, one that changes less widens the deviations. As identification_judge.py counts right answers.
constexpr double kMassMatters = 0.03, kCentreMatters = 5e-3;
constexpr double kStandsOut = 5.0;  // deviations of the delay
constexpr double kExplains = 0.5;   // of what lasts, at most so much may be left

// [s] A delay this small changes nothing that is stated; and deviations by which its quick estimate must stand out to be followed up.
constexpr double kSeenFrom = 1e-3, kSeenDeviations = 10.0;
// Of residuals, where little lasts: a delay in fast motion leaves what has passed within a tenth of a second.
constexpr double kShrinks = 0.9;

// Whether residuals go with the rate of change of the body's wrench, as a delay makes them: one pass.
bool seems_late(const math::Vector10d& phi, std::span<const Sample> samples) {
  constexpr std::size_t kReach = 3;  // rows to either side, whose noise is not that of the row
  const std::size_t n = samples.size();
  if (n < 60) return false;
  std::vector<math::Vector6d> of_body(n);
  math::Vector6d squares = math::Vector6d::Zero();
  for (std::size_t k = 0; k < n; ++k) {
    of_body[k] = wrench_regressor(samples[k].motion) * phi;
    squares += (samples[k].wrench - of_body[k]).cwiseAbs2();
  }
  const double least = 1e-300, rows = 3.0 * static_cast<double>(n);
  const double torque = std::max(squares.head<3>().sum() / rows, least),
               force = std::max(squares.tail<3>().sum() / rows, least);
  double product = 0.0, information = 0.0;
  for (std::size_t k = kReach; k + kReach < n; ++k) {
    const double span = samples[k + kReach].t - samples[k - kReach].t;
    if (!(span > 0.0)) continue;
    const math::Vector6d rate = (of_body[k + kReach] - of_body[k - kReach]) / span,
                         rest = samples[k].wrench - of_body[k];
    product -= rate.head<3>().dot(rest.head<3>()) / torque + rate.tail<3>().dot(rest.tail<3>()) / force;
    information += rate.head<3>().squaredNorm() / torque + rate.tail<3>().squaredNorm() / force;
  }
  if (!(information > 0.0)) return false;
  const double delay = product / information;
  return delay > kSeenFrom && delay > kSeenDeviations / std::sqrt(information);
}

double rms_share(const WrenchFit& after, const WrenchFit& before) {
  return std::min(after.rms_force / std::max(before.rms_force, 1e-300),
                  after.rms_torque / std::max(before.rms_torque, 1e-300));
}

Eigen::Vector3d centre_of(const math::Vector10d& phi) { return phi.segment<3>(1) / phi(0); }

}  // namespace

bool LateSensor::matters() const {
  return std::abs(corrected(0) - as_it_is(0)) > kMassMatters * corrected(0) ||
         (centre_of(corrected) - centre_of(as_it_is)).norm() > kCentreMatters;
}

std::string LateSensor::sentence() const {
  const std::string filter = found.time_constant > 0.0 ? ", and damped as by a low-pass filter of " +
                                                             math::number_text(found.cut_off(), 2) + " Hz"
                                                       : "";
  return "the wrenches are " + math::number_text(1e3 * found.latency, 3) + " ms later than the poses" +
         filter + ": taken out, the mass is " + math::number_text(corrected(0), 4) + " kg instead of " +
         math::number_text(as_it_is(0), 4) + " kg and the centre of mass lies " +
         math::number_text(1e3 * (centre_of(corrected) - centre_of(as_it_is)).norm(), 2) +
         " mm elsewhere; run with --calibrate";
}

std::optional<LateSensor> late_sensor(const model::WrenchLog& log, const LastingResidual& as_found,
                                      const LateSensorOptions& options) {
  const bool lasts = as_found.share > kAskedFrom;
  if (!lasts && !seems_late(options.found_S, options.found_in)) return std::nullopt;
  CalibrationOptions delay = options.calibration;
  delay.bias = delay.gravity_direction = false;
  const SmoothedMotion motion = smooth_motion(log, options.smoother);
  if (motion.status != SmootherStatus::ok) return std::nullopt;
  LateSensor late;
  late.found = calibrate(log, options.samples, delay, options.smoother);
  if (late.found.status != CalibrationStatus::ok ||
      !(std::abs(late.found.latency) > kStandsOut * late.found.std_latency))
    return std::nullopt;
  Calibration none;
  none.gravity_W = options.samples.gravity_W;
  const Samples before = calibrated_samples(log, motion, none, options.samples);
  late.samples = calibrated_samples(log, motion, late.found, options.samples);
  const WrenchFit as_it_is = fit_wrench(before.samples, false),
                  corrected = fit_wrench(late.samples.samples, false);
  late.as_it_is = as_it_is.phi;
  late.corrected = corrected.phi;
  late.left = lasting_residual(late.corrected, math::Vector6d::Zero(), late.samples.samples);
  if (options.tool_S) {
    late.as_it_is -= options.tool_S->parameters();
    late.corrected -= options.tool_S->parameters();
  }
  if (!(late.as_it_is(0) > 0.0) || !(late.corrected(0) > 0.0)) return std::nullopt;
  if (lasts ? !(late.left.share < kExplains * as_found.share) : !(rms_share(corrected, as_it_is) < kShrinks))
    return std::nullopt;
  return late;
}

}  // namespace prehend::inertia
