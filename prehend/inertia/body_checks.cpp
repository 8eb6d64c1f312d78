#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <Eigen/Dense>

#include <prehend/inertia/diagnosis_checks.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

constexpr double kPi = 3.14159265358979323846;

const std::array<const char*, 10> kParameters = {"mass", "com_x", "com_y", "com_z", "I_xx",
                                                 "I_xy", "I_xz",  "I_yy",  "I_yz",  "I_zz"};

std::vector<bool> all_of(std::size_t n, const std::vector<bool>& use) {
  return use.empty() ? std::vector<bool>(n, true) : use;
}

}  // namespace

std::vector<Finding> check_body(std::span<const Sample> samples, const DiagnosisOptions& options,
                                const std::vector<bool>& use) {
  const WrenchFit fit = fit_wrench(samples, true, use);
  std::vector<Finding> findings;
  const double mass = fit.phi(0);
  if (!(mass > 5.0 * std::sqrt(fit.covariance(0, 0)))) return findings;
  const math::SpatialInertia body = math::SpatialInertia::from_parameters(fit.phi);
  const double std_arm = std::sqrt(fit.covariance.block<3, 3>(1, 1).trace()) / mass;
  if (body.com.norm() - 5.0 * std_arm > options.longest_arm) {
    findings.push_back({FindingKind::units, Severity::blocks,
                        "the centre of mass comes out " + math::number_text(body.com.norm(), 3) +
                            " m from the sensor: the torques are in N mm, or the forces in kN",
                        body.com.norm()});
    return findings;
  }
  // The densest arrangement of a mass with given second moments is the homogeneous ellipsoid, so its density is the least
  // that the material must have. Moments count as large as their errors allow: 3 standard deviations, and two
  // thousandths for what interpolated motion and axes leave.
  double std_inertia = 0.0;
  for (int i = 4; i < 10; ++i) std_inertia = std::max(std_inertia, std::sqrt(fit.covariance(i, i)));
  const Eigen::Matrix3d moments =
      (0.5 * body.I_com.trace() * Eigen::Matrix3d::Identity() - body.I_com) / mass;
  const Eigen::Vector3d eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moments).eigenvalues();
  const double slack =
      0.002 * (eigenvalues.cwiseAbs().maxCoeff() + body.com.squaredNorm()) + 3.0 * std_inertia / mass;
  double volume = 4.0 / 3.0 * kPi;
  for (double value : eigenvalues) volume *= std::sqrt(5.0 * (std::max(value, 0.0) + slack));
  const double density = mass / volume;
  if (density > options.greatest_density)
    findings.push_back({FindingKind::units, Severity::blocks,
                        "a body of " + math::number_text(mass, 3) +
                            " kg with these moments of inertia would be denser than any metal (" +
                            math::number_text(density, 2) +
                            " kg/m^3 at least): forces and torques are not in N and N m",
                        density / options.greatest_density});
  if (mass < 1e-3)
    findings.push_back(
        {FindingKind::implausible_body, Severity::warning,
         "the object weighs " + math::number_text(1e3 * mass, 2) + " g: check that forces are in N",
         1e-3 / mass});
  return findings;
}

std::vector<Finding> check_grasp(const model::WrenchLog& log, std::span<const Sample> samples,
                                 const DiagnosisOptions& options, const std::vector<bool>& use) {
  std::vector<Finding> findings;
  const std::size_t n = samples.size();
  // The object's pose in the sensor, where the log has it: means of blocks against the first, and against the scatter.
  if (log.has_object() && n >= 20) {
    const std::size_t blocks = std::min<std::size_t>(20, n / 10), length = n / blocks;
    const math::Pose X_OS0 = (log.X_WS[0].inverse() * log.X_WO[0]).inverse();
    std::vector<math::Vector6d> offset(n);
    double scatter_R = 0.0, scatter_p = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const math::Pose X = X_OS0 * (log.X_WS[k].inverse() * log.X_WO[k]);
      offset[k] << math::log_so3(X.q()), X.p();
      if (k == 0) continue;
      scatter_R += (offset[k] - offset[k - 1]).head<3>().squaredNorm() / (6.0 * static_cast<double>(n - 1));
      scatter_p += (offset[k] - offset[k - 1]).tail<3>().squaredNorm() / (6.0 * static_cast<double>(n - 1));
    }
    std::vector<math::Vector6d> means(blocks, math::Vector6d::Zero());
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t k = b * length; k < (b + 1) * length; ++k)
        means[b] += offset[k] / static_cast<double>(length);
    double turned = 0.0, moved = 0.0;
    for (const math::Vector6d& mean : means) {
      turned = std::max(turned, (mean - means[0]).head<3>().norm());
      moved = std::max(moved, (mean - means[0]).tail<3>().norm());
    }
    const double root = std::sqrt(static_cast<double>(length));
    // Half a millimetre and a third of a degree are nothing to worry about; noise of poses is not motion.
    if (moved > 5e-4 + 8.0 * std::sqrt(scatter_p) / root ||
        turned > 6e-3 + 8.0 * std::sqrt(scatter_R) / root) {
      findings.push_back({FindingKind::object_moved, Severity::blocks,
                          "the object moved in the grasp: its pose in the sensor changes by " +
                              math::number_text(1e3 * moved, 2) + " mm and " +
                              math::number_text(turned * 180.0 / kPi, 2) + " degrees",
                          moved});
      return findings;
    }
  }
  // Parameters before and after a moment, against one set for all, offsets of the sensor being the same.
  if (n < 120) return findings;
  const std::vector<bool> rows = all_of(n, use);
  const WrenchFit joint_with_bias = fit_wrench(samples, true, rows);
  std::vector<Sample> centred(samples.begin(), samples.end());
  for (Sample& sample : centred) sample.wrench -= joint_with_bias.bias;
  const WrenchFit joint = fit_wrench(centred, false, rows);
  const auto floor_of = [](double rms, double signal) { return std::max(rms, 1e-6 * signal + 1e-300); };
  double best_gain = 0.0, best_ratio = 0.0, best_effect = 0.0, best_time = 0.0;
  std::string change;
  constexpr int kSplits = 12;
  for (int split = 1; split < kSplits; ++split) {
    const std::size_t at = n * static_cast<std::size_t>(split) / kSplits;
    if (at < 60 || n - at < 60) continue;
    std::vector<bool> before = rows, after = rows;
    std::fill(before.begin() + static_cast<std::ptrdiff_t>(at), before.end(), false);
    std::fill(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(at), false);
    const WrenchFit left = fit_wrench(centred, false, before), right = fit_wrench(centred, false, after);
    const double l = left.samples, r = right.samples;
    if (l < 40 || r < 40) continue;
    const double force =
        std::sqrt((l * left.rms_force * left.rms_force + r * right.rms_force * right.rms_force) / (l + r));
    const double torque = std::sqrt(
        (l * left.rms_torque * left.rms_torque + r * right.rms_torque * right.rms_torque) / (l + r));
    const double ratio_force =
        floor_of(joint.rms_force, joint.signal_force) / floor_of(force, joint.signal_force);
    const double ratio_torque =
        floor_of(joint.rms_torque, joint.signal_torque) / floor_of(torque, joint.signal_torque);
    const double gain = 6.0 * (l + r) * (std::log(ratio_force) + std::log(ratio_torque));
    if (gain <= best_gain) continue;
    // What the change means for the wrench of this very motion.
    WrenchFit difference = left;
    difference.phi = left.phi - right.phi;
    double force_change = 0.0, torque_change = 0.0;
    for (const Sample& sample : centred) {
      const math::Vector6d wrench = predicted_wrench(difference, sample);
      torque_change += wrench.head<3>().squaredNorm();
      force_change += wrench.tail<3>().squaredNorm();
    }
    const double count = 3.0 * static_cast<double>(n);
    best_gain = gain;
    best_ratio = std::max(ratio_force, ratio_torque);
    best_effect = std::max(std::sqrt(force_change / count) / joint.signal_force,
                           std::sqrt(torque_change / count) / joint.signal_torque);
    best_time = samples[at].t;
    change =
        "mass " + math::number_text(left.phi(0), 3) + " to " + math::number_text(right.phi(0), 3) +
        " kg, centre of mass by " +
        math::number_text(
            1e3 * (left.phi.segment<3>(1) / left.phi(0) - right.phi.segment<3>(1) / right.phi(0)).norm(), 2) +
        " mm";
  }
  // Ten further unknowns at one of eleven moments.
  if (best_gain > 2.0 * options.likelihood_margin && best_ratio > 1.25 && best_effect > 0.01)
    findings.push_back({FindingKind::object_moved, Severity::blocks,
                        "the parameters change at about t = " + math::number_text(best_time, 3) + " s (" +
                            change +
                            "): the object moved in the grasp, touched something, or the sensor drifted",
                        best_ratio});
  return findings;
}

std::vector<Finding> check_excitation(std::span<const Sample> samples, const SampleNoise& noise,
                                      const std::vector<bool>& use) {
  const WrenchFit fit = fit_wrench(samples, false, use);
  // The motion is judged, not the sensor: information with a wrench exact to 1e-5 of its size, for a body of this
  // mass and a tenth of a metre of size. A parameter is told when it is known better than to half its typical size.
  const double lever = 0.1,
               weight = std::abs(fit.phi(0)) * (samples.empty() ? 0.0 : samples.front().gravity.norm());
  const double force = 1e-5 * weight, torque = lever * force;
  const double mass = std::abs(fit.phi(0));
  std::vector<Finding> findings;
  if (!(mass > 0.0) || !(force > 0.0)) return findings;
  Eigen::Matrix<double, 10, 1> size;
  size << mass, math::Vector10d::Constant(mass * lever).segment<3>(0),
      math::Vector10d::Constant(mass * lever * lever).segment<6>(0);
  Eigen::Matrix<double, 10, 10> information =
      Eigen::Matrix<double, 10, 10>::Identity();  // prior: the typical size itself
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double al = 0.0, w = 0.0, count = 0.0;
  // What does not rise above the smoother's own uncertainty is no motion.
  double a_rms = 0.0, w_rms = 0.0, al_rms = 0.0;
  for (const Sample& sample : samples) {
    a_rms += (sample.motion.a + sample.gravity).squaredNorm();
    w_rms += sample.motion.w.squaredNorm();
    al_rms += sample.motion.al.squaredNorm();
  }
  const auto moves = [&](double sum, double std, double least) {
    return std::sqrt(sum / (3.0 * static_cast<double>(samples.size()))) > 3.0 * std + least;
  };
  const bool a_moves = moves(a_rms, noise.a, 1e-4), w_moves = moves(w_rms, noise.w, 1e-4),
             al_moves = moves(al_rms, noise.al, 1e-3);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    Motion motion = samples[k].motion;
    if (!a_moves) motion.a = -samples[k].gravity;
    if (!w_moves) motion.w.setZero();
    if (!al_moves) motion.al.setZero();
    Regressor A = wrench_regressor(motion) * size.asDiagonal();
    A.topRows<3>() /= torque;
    A.bottomRows<3>() /= force;
    information += A.transpose() * A;
    mean += samples[k].gravity.normalized();
    al += samples[k].motion.al.squaredNorm();
    w += samples[k].motion.w.squaredNorm();
    count += 1.0;
  }
  const Eigen::Matrix<double, 10, 10> covariance = information.inverse();
  std::string names;
  int untold = 0;
  for (int i = 0; i < 10; ++i) {
    if (covariance(i, i) < 0.25) continue;
    names += (names.empty() ? "" : ", ") + std::string(kParameters[static_cast<std::size_t>(i)]);
    ++untold;
  }
  if (untold == 0) return findings;
  const bool one_way = mean.norm() / count > std::cos(3.0 * kPi / 180.0),
             still = std::sqrt(al / count) < 0.1 && std::sqrt(w / count) < 0.1;
  std::string why = "the motion is too poor";
  if (one_way && still)
    why = "the log stands still in one orientation";
  else if (still)
    why = "the log stands still in all its orientations";
  else if (one_way)
    why = "gravity comes from one side only";
  findings.push_back({FindingKind::no_excitation, Severity::warning, why + ": it cannot tell " + names,
                      static_cast<double>(untold)});
  return findings;
}

}  // namespace prehend::inertia
