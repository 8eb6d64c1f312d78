#include <algorithm>
#include <cmath>

#include <prehend/inertia/diagnosis/answer_checks.h>
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

// A wrong shape fits badly, and nothing in masses at its points or parts says so; ten free parameters do. Right shapes, scanned
// ones too (the twenty published tools), leave some thousandths of the force, and of the torque some hundredths of that force at
// an arm of the object's size.
constexpr double kForceMisfit = 0.05, kTorqueMisfit = 0.1, kTimesTheFreeFit = 3.0;
// Half of the force unexplained: what is left, not the body, is what the sensor reads; unless the mass stands out from all noise.
constexpr double kUnexplained = 0.5, kMassDeviations = 20.0;

// An offset is said where likelihood decides (as DiagnosisOptions.likelihood_margin, rows whose residuals repeat counted less)
// or residuals shrink by half, and where the body changes by more than this: what a scale and a ruler would show.
constexpr double kMassChange = 0.01;       // of the mass
constexpr double kCentreChange = 2e-3;     // [m]
constexpr double kChangeDeviations = 5.0;  // of the estimate's own
// Of the forces: an offset that changes the body less than that is noted from here on.
constexpr double kOffsetShare = 0.005;

double rms_of(const Samples& samples, int first) {
  double squares = 0.0;
  for (const Sample& sample : samples.samples) squares += sample.wrench.segment<3>(first).squaredNorm();
  return std::sqrt(squares / (3.0 * std::max<double>(1.0, static_cast<double>(samples.samples.size()))));
}

// Where gravity comes from one side, weight and offset look alike, and noise of accelerations would decide between them: it must
// vary in the sensor's axes by this share, some nine degrees.
bool gravity_turns(std::span<const Sample> samples) {
  constexpr double kTurned = 0.15;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double squares = 0.0;
  for (const Sample& sample : samples) {
    mean += sample.gravity;
    squares += sample.gravity.squaredNorm();
  }
  const auto count = static_cast<double>(samples.size());
  mean /= count;
  return squares / count - mean.squaredNorm() > kTurned * kTurned * squares / count;
}

// Minus twice the log likelihood, lower by this with an offset beside noise that lasts.
double gain_of_offset(std::span<const Sample> samples, const LastingNoise& slow) {
  const auto gain = [&](WrenchKind kind, const SlowNoise& noise) {
    const NoisyRows rows = noisy_rows(samples, math::Vector6d::Zero(), kind);
    const auto n = static_cast<Eigen::Index>(rows.t.size());
    return noise.cost - fit_slow_noise(rows, Eigen::Matrix3d::Identity().replicate(n, 1)).cost;
  };
  return gain(WrenchKind::torque, slow.torque) + gain(WrenchKind::force, slow.force);
}

std::string residual_text(double force, double torque) {
  return math::number_text(force, 2) + " N and " + math::number_text(torque, 2) + " N m";
}

}  // namespace

// A body cannot be heavier than its box full of the densest metal: the bound holds for every shape, scan or drawing.
std::optional<std::string> too_heavy(const Estimate& estimate, const Shape* shape) {
  if (shape == nullptr || shape->box.isEmpty() || estimate.status == Status::failed) return std::nullopt;
  const double most = DiagnosisOptions{}.greatest_density * shape->box.volume();
  if (!(estimate.inertia_S.mass - 3.0 * estimate.std_mass() > most)) return std::nullopt;
  return "a mass of " + math::number_text(estimate.inertia_S.mass, 3) +
         " kg does not fit into the shape: its box full of the densest metal has " +
         math::number_text(most, 3) +
         " kg; forces and torques are not in N and N m, or the shape is in other units";
}

std::optional<std::string> oversized_shape(const Estimate& estimate, const Shape* shape) {
  if (shape == nullptr || shape->box.isEmpty() || estimate.status == Status::failed) return std::nullopt;
  constexpr double kLongest =
      5.0;  // [m] a part of 5 mm in millimetres, and more than any arm carries on a wrist
  const double length = shape->box.diagonal().norm();
  if (length <= kLongest) return std::nullopt;
  return "the given shape is " + math::number_text(length, 3) +
         " m long: is its file in millimetres (--unit mm)?";
}

std::optional<std::string> poor_fit(const Estimate& estimate, const Samples& samples, const Shape* shape) {
  if (estimate.status == Status::failed || samples.samples.empty()) return std::nullopt;
  const double force = rms_of(samples, 3), torque = rms_of(samples, 0);
  NormalEquations sums;
  sums.add(samples.samples);
  const Estimate free = least_squares(sums);
  const auto misfit = [&](double residual, double of_free, double size, double share) {
    return free.status != Status::failed && residual > share * size && residual > kTimesTheFreeFit * of_free;
  };
  const double arm_torque = shape != nullptr ? force * shape->box.diagonal().norm() : torque;
  if (misfit(estimate.residual_force, free.residual_force, force, kForceMisfit) ||
      misfit(estimate.residual_torque, free.residual_torque, arm_torque, kTorqueMisfit)) {
    const std::string residuals = " (residuals of " +
                                  residual_text(estimate.residual_force, estimate.residual_torque) + ", " +
                                  residual_text(free.residual_force, free.residual_torque);
    if (shape == nullptr)
      return "the wrenches do not fit any body well" + residuals + " with parameters that no body has)";
    return "the wrenches do not fit the given shape" + residuals +
           " without it): is it this object, in metres, and posed as the log says?";
  }
  if (!(estimate.residual_force > kUnexplained * force)) return std::nullopt;
  if (estimate.inertia_S.mass > kMassDeviations * estimate.std_mass()) return std::nullopt;
  return "the body explains little of the wrenches: residuals of " +
         residual_text(estimate.residual_force, estimate.residual_torque) + " beside " +
         residual_text(force, torque) + " measured";
}

std::optional<SensorOffset> sensor_offset(std::span<const Sample> samples, const LastingNoise* slow) {
  const DiagnosisOptions options;
  if (samples.size() < static_cast<std::size_t>(options.fewest_samples)) return std::nullopt;
  if (!gravity_turns(samples)) return std::nullopt;
  const WrenchFit with = fit_wrench(samples, true), without = fit_wrench(samples, false);
  if (!(with.phi(0) > 0.0) || !(without.phi(0) > 0.0)) return std::nullopt;
  const double repeats = residual_correlation(samples, with);
  const double worth = (1.0 - repeats) / (1.0 + repeats);
  const double gain = without.cost - with.cost;
  const double ratio =
      std::max(without.rms_force / std::max(with.rms_force, 1e-9 * with.signal_force + 1e-300),
               without.rms_torque / std::max(with.rms_torque, 1e-9 * with.signal_torque + 1e-300));
  if (!(gain > options.likelihood_margin)) return std::nullopt;
  if (!(gain * worth > options.likelihood_margin || ratio > options.residual_ratio)) return std::nullopt;
  if (slow != nullptr && !(gain_of_offset(samples, *slow) > options.likelihood_margin)) return std::nullopt;
  // Where offset and weight look alike the fit with an offset knows neither.
  const auto deviation = [&](int at) { return std::sqrt(with.covariance(at, at) / worth); };
  const double mass = std::abs(with.phi(0) - without.phi(0));
  const Eigen::Vector3d centre =
      with.phi.segment<3>(1) / with.phi(0) - without.phi.segment<3>(1) / without.phi(0);
  const double centre_deviation = std::max({deviation(1), deviation(2), deviation(3)}) / with.phi(0);
  const bool matters =
      (mass > kMassChange * with.phi(0) && mass > kChangeDeviations * deviation(0)) ||
      (centre.norm() > kCentreChange && centre.norm() > kChangeDeviations * centre_deviation);
  if (!matters && !(with.bias.tail<3>().norm() > kOffsetShare * with.signal_force)) return std::nullopt;
  return SensorOffset{
      "the sensor reads a constant " + residual_text(with.bias.tail<3>().norm(), with.bias.head<3>().norm()) +
          " of its own: taken out, the mass is " + math::number_text(with.phi(0), 3) + " kg instead of " +
          math::number_text(without.phi(0), 3) + " kg and the centre of mass lies " +
          math::number_text(1e3 * centre.norm(), 2) +
          " mm elsewhere; run with --calibrate, or with --empty and a log of the empty gripper",
      matters, with.phi - without.phi};
}

std::optional<std::string> impossible_body(const Estimate& estimate) {
  if (estimate.status == Status::failed || estimate.consistency.is_consistent()) return std::nullopt;
  return std::string(to_string(estimate.method)) + ": no body can have these parameters (" +
         estimate.consistency.brief_report() + "), so no model is made of them; likelihood keeps to bodies";
}

}  // namespace prehend::inertia
