#include <cmath>
#include <string>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/regressor.h>

namespace prehend::inertia {
namespace {

// Expected squares that errors of a, w and al of these deviations put into the regressor at this motion.
math::Matrix10d error_gram(const Motion& motion, const SampleNoise& noise,
                           const Eigen::DiagonalMatrix<double, 6>& rows,
                           const Eigen::DiagonalMatrix<double, 10>& size) {
  math::Matrix10d gram = math::Matrix10d::Zero();
  const auto add = [&](double deviation, const Regressor& change) {
    const Regressor scaled = rows * change * size;
    gram += deviation * deviation * scaled.transpose() * scaled;
  };
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d unit = Eigen::Vector3d::Unit(i), none = Eigen::Vector3d::Zero();
    add(noise.a, wrench_regressor({unit, none, none}));
    add(noise.al, wrench_regressor({none, none, unit}));
    // Quadratic in w: the derivative by polarisation, and the square of the error itself.
    const Regressor square = wrench_regressor({none, unit, none});
    add(noise.w,
        wrench_regressor({none, motion.w + unit, none}) - wrench_regressor({none, motion.w, none}) - square);
    add(noise.w * noise.w, square);
  }
  return gram;
}

}  // namespace

std::vector<Finding> check_excitation(std::span<const Sample> samples, const SampleNoise& noise,
                                      const DiagnosisOptions& options, const std::vector<bool>& use) {
  // Per unit of mass: what the motion determines does not depend on the weight.
  constexpr double kLever = 0.1;     // [m]
  constexpr double kUnknown = 0.25;  // variance, in squares of the typical size: known to half of it
  if (samples.empty()) return {};
  const double force = options.wrench_exactness * std::max(samples.front().gravity.norm(), 1.0);
  Eigen::DiagonalMatrix<double, 10> size;
  size.diagonal() << 1.0, math::Vector10d::Constant(kLever).head<3>(),
      math::Vector10d::Constant(kLever * kLever).head<6>();
  Eigen::DiagonalMatrix<double, 6> rows;
  rows.diagonal() << Eigen::Vector3d::Constant(1.0 / (kLever * force)),
      Eigen::Vector3d::Constant(1.0 / force);
  const double least = 1.0 / options.motion_deviations;
  const SampleNoise error{.a = std::hypot(noise.a, least * options.still_acceleration),
                          .w = std::hypot(noise.w, least * options.still_turning),
                          .al = std::hypot(noise.al, least * options.still_turning_acceleration)};
  math::Matrix10d seen = math::Matrix10d::Zero(), errors = math::Matrix10d::Zero();
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double al = 0.0, w = 0.0, count = 0.0;
  // The errors' share changes slowly with w: every tenth row is enough.
  constexpr std::size_t kStride = 10;
  double strides = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    const Regressor A = rows * wrench_regressor(samples[k].motion) * size;
    seen.noalias() += A.transpose() * A;
    if (static_cast<std::size_t>(count) % kStride == 0) {
      errors += error_gram(samples[k].motion, error, rows, size);
      strides += 1.0;
    }
    mean += samples[k].gravity.normalized();
    al += samples[k].motion.al.squaredNorm();
    w += samples[k].motion.w.squaredNorm();
    count += 1.0;
  }
  if (count == 0.0) return {};
  errors *= options.motion_deviations * options.motion_deviations * count / strides;
  // Directions of parameters whose squares exceed the errors' share: what exceeds it is information. The prior is the
  // typical size itself.
  errors.diagonal().array() += 1e-12 * errors.trace() + 1e-300;
  const Cholesky<10> root(errors);
  const math::Matrix10d half = root.half_solve(seen);
  const SymmetricSpectrum<10> modes = spectrum_of<10>(root.half_solve(math::Matrix10d(half.transpose())));
  const math::Matrix10d dual = root.L() * modes.vectors;
  const math::Matrix10d information =
      dual * (modes.values.array() - 1.0).max(0.0).matrix().asDiagonal() * dual.transpose();
  const math::Matrix10d covariance = Cholesky<10>(information + math::Matrix10d::Identity()).inverse();
  Finding finding{FindingKind::no_excitation, Severity::warning, "", 0.0, {}};
  std::string names;
  for (int i = 0; i < 10; ++i) {
    if (covariance(i, i) < kUnknown) continue;
    finding.parameters.emplace_back(parameter_name(i));
    names += (names.empty() ? "" : ", ") + finding.parameters.back();
  }
  if (finding.parameters.empty()) return {};
  // Only for the words: gravity within 3 degrees of its mean, and turning that no eye would see [rad/s^2] [rad/s].
  const bool one_way = mean.norm() / count > 0.9986,
             still = std::sqrt(al / count) < 0.1 && std::sqrt(w / count) < 0.1;
  std::string why = "the motion is too poor";
  if (still && one_way)
    why = "the log stands still in one orientation";
  else if (still)
    why = "the log stands still in all its orientations";
  else if (one_way)
    why = "gravity comes from one side only";
  finding.sentence = why + ": it does not determine " + names;
  finding.evidence = static_cast<double>(finding.parameters.size());
  return {finding};
}

}  // namespace prehend::inertia
