// Forces alone give m and m c. Torques about a point p are those about the origin of the poses less p x f: with m c and f of the forces, p follows from them
// together with the inertia. It is the origin where all is right.
#include <algorithm>
#include <cmath>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

// [m] [deviations] A centre of mass that is off by less is near enough, and a point less certain may be none.
constexpr double kNearest = 5e-3, kPointDeviations = 10.0;
// Residuals of right readings are noise and errors of smoothed motion, which pass within a tenth of a second. Latency, filters and another gravity pull the
// point away, too, and leave residuals that last longer (correlated by 0.5 and more; noise over 300 rows scatters by 0.03).
constexpr double kLasts = 0.1, kMostRepeats = 0.15;  // [s]
constexpr double kSumRounding = 1e-11;  // of squares summed over a log, relative to a unit diagonal

struct PointFit {
  WrenchFit force;                                 // m, m c and offset, of forces alone
  Eigen::Matrix<double, 12, 1> torque;             // inertia, offset, m p
  Eigen::Vector3d point{Eigen::Vector3d::Zero()};  // [m]
  double std{0.0};                                 // [m] residuals that last allowed for
  double worth{1.0};                               // of a row, by those
  double rms_force{0.0}, rms_torque{0.0};
};

struct TorqueRows {
  Eigen::Matrix<double, 3, 12> J;
  Eigen::Vector3d right;
};

TorqueRows torque_rows(const Sample& sample, const WrenchFit& force) {
  const Regressor A = wrench_regressor(sample.motion);
  TorqueRows rows;
  rows.J.leftCols<6>() = A.block<3, 6>(0, 4);
  rows.J.block<3, 3>(0, 6).setIdentity();
  const Eigen::Vector3d f = predicted_wrench(force, sample).tail<3>() - force.bias.tail<3>();
  rows.J.rightCols<3>() = math::skew(f) / force.phi(0);
  rows.right = sample.wrench.head<3>() - A.block<3, 3>(0, 1) * force.phi.segment<3>(1);
  return rows;
}

// [s] Residuals are summed over so much, and over a thirtieth of short logs: errors of a smoothed motion, filters and delays leave some that last.
constexpr double kPointSpan = 0.2, kFewestPointSpans = 30.0;

// Variances as residuals scatter them that last (White 1980, by spans of time), at least `white` ones.
struct SpreadSums {
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(12, 12), force_spread = Eigen::MatrixXd::Zero(7, 7);
  Eigen::VectorXd of_span = Eigen::VectorXd::Zero(12), force_of_span = Eigen::VectorXd::Zero(7);

  void end_span() {
    spread.noalias() += of_span * of_span.transpose();
    force_spread.noalias() += force_of_span * force_of_span.transpose();
    of_span.setZero();
    force_of_span.setZero();
  }
};

SpreadSums point_spread(std::span<const Sample> samples, const PointFit& fit, const std::vector<bool>& use) {
  SpreadSums sums;
  const double span = std::min(kPointSpan, (samples.back().t - samples.front().t) / kFewestPointSpans);
  double begun = samples.front().t;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    if (samples[k].t - begun > span) {
      sums.end_span();
      begun = samples[k].t;
    }
    const TorqueRows rows = torque_rows(samples[k], fit.force);
    sums.of_span += rows.J.transpose() * (rows.right - rows.J * fit.torque);
    const Eigen::Vector3d rest = (samples[k].wrench - predicted_wrench(fit.force, samples[k])).tail<3>();
    sums.force_of_span.head<4>() += wrench_regressor(samples[k].motion).block<3, 4>(3, 0).transpose() * rest;
    sums.force_of_span.tail<3>() += rest;
  }
  sums.end_span();
  return sums;
}

// The part of p in directions in which forces tell where the mass is: of rotation about one axis they say nothing along it.
Eigen::Vector3d told_by_forces(const Eigen::Vector3d& p, std::span<const Sample> samples,
                               const std::vector<bool>& use) {
  constexpr double kTold = 1e-3;  // of the squares: below, errors of the motion may be all there is
  Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    const Eigen::Matrix3d W = math::skew(samples[k].motion.w);
    const Eigen::Matrix3d S = math::skew(samples[k].motion.al) + W * W;
    squares += S.transpose() * S;
  }
  const SymmetricSpectrum<3> spectrum = spectrum_of<3>(squares);
  Eigen::Vector3d told = Eigen::Vector3d::Zero();
  for (int i = 0; i < 3; ++i)
    if (spectrum.values(i) > kTold * spectrum.values.maxCoeff())
      told += spectrum.vectors.col(i).dot(p) * spectrum.vectors.col(i);
  return told;
}

PointFit fit_point(std::span<const Sample> samples, const WrenchSums& sums, const std::vector<bool>& use) {
  PointFit fit;
  const double count = 3.0 * sums.samples;
  const Eigen::MatrixXd of_force = ScaledSymmetric(sums.force, 1e-300).pseudo_inverse(kSumRounding);
  const Eigen::VectorXd x = of_force * sums.force_right;
  fit.force.phi.head<4>() = x.head<4>();
  fit.force.bias.tail<3>() = x.tail<3>();
  fit.rms_force = std::sqrt(std::max(0.0, sums.force_square - sums.force_right.dot(x)) / count);
  if (!(x(0) > 0.0)) return fit;
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(12, 12);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(12);
  double square = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    const TorqueRows rows = torque_rows(samples[k], fit.force);
    N.noalias() += rows.J.transpose().lazyProduct(rows.J);
    b.noalias() += rows.J.transpose().lazyProduct(rows.right);
    square += rows.right.squaredNorm();
  }
  const Eigen::MatrixXd of_torque = ScaledSymmetric(N, 1e-300).pseudo_inverse(kSumRounding);
  fit.torque = of_torque * b;
  fit.rms_torque = std::sqrt(std::max(0.0, square - b.dot(fit.torque)) / count);
  fit.point = told_by_forces(fit.torque.tail<3>() / x(0), samples, use);
  // Where m c of the forces is off, the point is off by as much.
  const double white = fit.rms_force * std::sqrt(of_force.diagonal().segment<3>(1).maxCoeff()) +
                       fit.rms_torque * std::sqrt(of_torque.diagonal().tail<3>().maxCoeff());
  const SpreadSums spread = point_spread(samples, fit, use);
  const Eigen::MatrixXd force = of_force * spread.force_spread * of_force,
                        torque = of_torque * spread.spread * of_torque;
  const double seen = std::sqrt(force.diagonal().segment<3>(1).maxCoeff()) +
                      std::sqrt(torque.diagonal().tail<3>().maxCoeff());
  fit.std = std::max(white, seen) / x(0);
  fit.worth = std::min(1.0, white * white / std::max(seen * seen, 1e-300));
  return fit;
}

// Correlation of residuals a tenth of a second apart, forces or torques, the larger one.
double lasting_correlation(std::span<const Sample> samples, const PointFit& fit,
                           const std::vector<bool>& use) {
  std::vector<math::Vector6d> rests;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    const TorqueRows rows = torque_rows(samples[k], fit.force);
    math::Vector6d rest;
    rest << rows.right - rows.J * fit.torque,
        samples[k].wrench.tail<3>() - predicted_wrench(fit.force, samples[k]).tail<3>();
    rests.push_back(rest);
  }
  const double step = (samples.back().t - samples.front().t) / static_cast<double>(samples.size() - 1);
  const std::size_t lag = std::clamp<std::size_t>(
      step > 0.0 ? static_cast<std::size_t>(std::lround(kLasts / step)) : 1, 1, rests.size() / 4);
  Eigen::Vector2d now = Eigen::Vector2d::Zero(), next = Eigen::Vector2d::Zero();
  for (std::size_t k = lag; k < rests.size(); ++k) {
    const math::Vector6d &rest = rests[k], &last = rests[k - lag];
    now += Eigen::Vector2d(rest.head<3>().squaredNorm(), rest.tail<3>().squaredNorm());
    next += Eigen::Vector2d(rest.head<3>().dot(last.head<3>()), rest.tail<3>().dot(last.tail<3>()));
  }
  return next.cwiseQuotient(now.cwiseMax(1e-300)).maxCoeff();
}

}  // namespace

std::vector<Finding> check_torque_point(std::span<const Sample> samples, const DiagnosisOptions& options,
                                        const std::vector<bool>& use) {
  WrenchSums sums;
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (use.empty() || use[k]) sums.add(samples[k]);
  if (sums.samples < 100) return {};
  const PointFit fit = fit_point(samples, sums, use);
  const double distance = fit.point.norm();
  if (!(distance > kNearest && distance < options.longest_arm && distance > kPointDeviations * fit.std))
    return {};
  const WrenchFit given = fit_wrench(sums, true);
  const auto ratio_of = [](double from, double to, double signal) {
    const double least = 1e-6 * signal + 1e-300;
    return std::max(from, least) / std::max(to, least);
  };
  const double ratio_force = ratio_of(given.rms_force, fit.rms_force, given.signal_force),
               ratio_torque = ratio_of(given.rms_torque, fit.rms_torque, given.signal_torque);
  const double gain = 6.0 * sums.samples * (std::log(ratio_force) + std::log(ratio_torque));
  if (!(gain * fit.worth > options.likelihood_margin) ||
      lasting_correlation(samples, fit, use) > kMostRepeats)
    return {};
  const double ratio = std::max(ratio_force, ratio_torque);
  return {{FindingKind::torque_point, Severity::blocks,
           "the torques are not about the origin of the poses but about a point " +
               vector_text(1e3 * fit.point) +
               " mm from it in the sensor's axes: with that the wrenches fit " + math::number_text(ratio, 2) +
               " times better; give the poses of the point that the torques are about",
           ratio}};
}

}  // namespace prehend::inertia
