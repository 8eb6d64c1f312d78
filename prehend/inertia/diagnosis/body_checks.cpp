#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

// Half a millimetre and a third of a degree are nothing to worry about; noise of poses is not motion: eight deviations of a
// block's mean.
constexpr double kMoved = 5e-4, kTurned = 6e-3, kPoseDeviations = 8.0;  // [m] [rad]
// Two fits of ten parameters and six offsets each want some redundancy.
constexpr std::size_t kFewestForChange = 120;
constexpr int kFewestOnOneSide = 60;  // samples
constexpr std::size_t kBlocks = 24;   // moments at which the object may have moved

// The object's pose in the sensor, where the log has it: means of blocks against the first, and against the scatter.
std::vector<Finding> check_pose_in_grasp(const model::WrenchLog& log) {
  const std::size_t n = log.rows();
  if (!log.has_object() || n < 20) return {};
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
  if (!(moved > kMoved + kPoseDeviations * std::sqrt(scatter_p) / root ||
        turned > kTurned + kPoseDeviations * std::sqrt(scatter_R) / root))
    return {};
  return {{FindingKind::object_moved, Severity::blocks,
           "the object moved in the grasp: its pose in the sensor changes by " +
               math::number_text(1e3 * moved, 2) + " mm and " + math::number_text(math::degrees(turned), 2) +
               " degrees",
           moved}};
}

// One set of parameters before a moment and another after it, the sensor's offsets being the same.
struct Change {
  math::Vector6d bias{math::Vector6d::Zero()};
  WrenchFit joint;        // one set for all
  WrenchFit left, right;  // best two
  double gain{0.0};       // minus twice the log likelihood, lower by this
  double ratio{0.0};      // of residuals
  std::size_t split{0};   // of kBlocks
};

Change best_change(std::span<const Sample> samples, const std::vector<bool>& use) {
  const std::size_t n = samples.size();
  std::vector<WrenchSums> blocks(kBlocks);
  WrenchSums whole;
  for (std::size_t k = 0; k < n; ++k)
    if (use.empty() || use[k]) blocks[k * kBlocks / n].add(samples[k]);
  for (const WrenchSums& block : blocks) whole += block;
  Change best;
  best.bias = fit_wrench(whole, true).bias;
  best.joint = fit_wrench(whole.less(best.bias), false);
  const WrenchFit& joint = best.joint;
  for (WrenchSums& block : blocks) block = block.less(best.bias);
  const auto floor_of = [](double rms, double signal) { return std::max(rms, 1e-6 * signal + 1e-300); };
  for (std::size_t split = 1; split < kBlocks; ++split) {
    WrenchSums before, after;
    for (std::size_t b = 0; b < kBlocks; ++b) (b < split ? before : after) += blocks[b];
    if (before.samples < kFewestOnOneSide || after.samples < kFewestOnOneSide) continue;
    const WrenchFit left = fit_wrench(before, false), right = fit_wrench(after, false);
    const double l = left.samples, r = right.samples;
    const double force =
        std::sqrt((l * left.rms_force * left.rms_force + r * right.rms_force * right.rms_force) / (l + r));
    const double torque = std::sqrt(
        (l * left.rms_torque * left.rms_torque + r * right.rms_torque * right.rms_torque) / (l + r));
    const double ratio_force =
        floor_of(joint.rms_force, joint.signal_force) / floor_of(force, joint.signal_force);
    const double ratio_torque =
        floor_of(joint.rms_torque, joint.signal_torque) / floor_of(torque, joint.signal_torque);
    const double gain = 6.0 * (l + r) * (std::log(ratio_force) + std::log(ratio_torque));
    if (gain <= best.gain) continue;
    best.gain = gain;
    best.ratio = std::max(ratio_force, ratio_torque);
    best.split = split;
    best.left = left;
    best.right = right;
  }
  return best;
}

// How far the change can be believed, and what it does to the wrench.
struct ChangeWeight {
  double worth{0.0};  // of a row: residuals that repeat from row to row are an error of the motion's
  double effect{
      0.0};  // on the wrench of either side's own motion in half of its rows, the smaller one, as a share of the signal
};

ChangeWeight weigh(const Change& change, std::span<const Sample> samples, std::size_t at,
                   const std::vector<bool>& use) {
  const std::size_t n = samples.size();
  double now = 0.0, next = 0.0;
  WrenchFit difference = change.left;
  difference.phi = change.left.phi - change.right.phi;
  difference.bias.setZero();
  // Parameters that one side does not determine differ for no reason, and show on the other side alone; and what shows in a few rows only is an error of
  // the motion at the ends of a log or of a stop.
  std::array<std::vector<double>, 2> forces, torques;
  math::Vector6d last = math::Vector6d::Zero();
  for (std::size_t k = 0; k < n; ++k) {
    const math::Vector6d effect = predicted_wrench(difference, samples[k]);
    torques[k < at ? 0 : 1].push_back(effect.head<3>().norm());
    forces[k < at ? 0 : 1].push_back(effect.tail<3>().norm());
    if (!use.empty() && !use[k]) continue;
    const WrenchFit& fit = k < at ? change.left : change.right;
    math::Vector6d rest = samples[k].wrench - change.bias - predicted_wrench(fit, samples[k]);
    rest.head<3>() /= std::max(change.joint.rms_torque, 1e-300);
    rest.tail<3>() /= std::max(change.joint.rms_force, 1e-300);
    now += rest.squaredNorm();
    next += rest.dot(last);
    last = rest;
  }
  const double repeats = now > 0.0 ? std::clamp(next / now, 0.0, 0.999) : 0.0;
  const auto half = [](std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle / std::sqrt(3.0);
  };
  const auto share = [&](std::size_t side) {
    return std::max(half(torques[side]) / change.joint.signal_torque,
                    half(forces[side]) / change.joint.signal_force);
  };
  return {(1.0 - repeats) / (1.0 + repeats), std::min(share(0), share(1))};
}

std::vector<Finding> check_parameter_change(std::span<const Sample> samples, const DiagnosisOptions& options,
                                            const std::vector<bool>& use) {
  const Change change = best_change(samples, use);
  const double margin = options.likelihood_margin + options.change_margin;
  if (!(change.gain > margin)) return {};
  const std::size_t at = (samples.size() * change.split + kBlocks - 1) / kBlocks;
  const ChangeWeight weight = weigh(change, samples, at, use);
  const bool is_decided =
      change.ratio > options.residual_ratio || (weight.worth > 0.5 && change.gain * weight.worth > margin);
  if (!is_decided || !(weight.effect > options.change_effect)) return {};
  const auto com = [](const WrenchFit& fit) { return Eigen::Vector3d(fit.phi.segment<3>(1) / fit.phi(0)); };
  return {{FindingKind::object_moved, Severity::blocks,
           "the object moved in the grasp, or touched something, at about t = " +
               math::number_text(samples[at].t, 3) + " s: mass " + math::number_text(change.left.phi(0), 3) +
               " to " + math::number_text(change.right.phi(0), 3) + " kg, centre of mass by " +
               math::number_text(1e3 * (com(change.left) - com(change.right)).norm(), 2) + " mm",
           change.ratio}};
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
  const Eigen::Vector3d eigenvalues = spectrum_of<3>(moments).values;
  const double slack =
      0.002 * (eigenvalues.cwiseAbs().maxCoeff() + body.com.squaredNorm()) + 3.0 * std_inertia / mass;
  double volume = 4.0 / 3.0 * math::kPi;
  for (double value : eigenvalues) volume *= std::sqrt(5.0 * (std::max(value, 0.0) + slack));
  const double density = mass / volume;
  if (density > options.greatest_density)
    findings.push_back({FindingKind::units, Severity::blocks,
                        "a body of " + math::number_text(mass, 3) +
                            " kg with these moments of inertia would be denser than any metal (" +
                            math::number_text(density, 2) +
                            " kg/m^3 at least): forces and torques are not in N and N m",
                        density / options.greatest_density});
  if (findings.empty() && (mass < options.least_mass || mass > options.greatest_mass))
    findings.push_back(
        {FindingKind::implausible_body, Severity::warning,
         "the object would weigh " + math::number_text(mass, 3) +
             " kg: check that forces are in N and torques in N m",
         mass < options.least_mass ? options.least_mass / mass : mass / options.greatest_mass});
  return findings;
}

std::vector<Finding> check_grasp(const model::WrenchLog& log, std::span<const Sample> samples,
                                 const DiagnosisOptions& options, const std::vector<bool>& use) {
  std::vector<Finding> findings = check_pose_in_grasp(log);
  if (!findings.empty() || samples.size() < kFewestForChange) return findings;
  return check_parameter_change(samples, options, use);
}

std::vector<Finding> check_grasp_rather(const model::WrenchLog& log, std::span<const Sample> samples,
                                        const DiagnosisOptions& options, const std::vector<bool>& use,
                                        double ratio) {
  if (samples.size() < kFewestForChange) return {};
  const std::vector<Finding> change = check_parameter_change(samples, options, use);
  if (change.empty() || !(change.front().evidence > options.residual_ratio * ratio)) return {};
  const std::vector<Finding> seen = check_pose_in_grasp(log);
  return seen.empty() ? change : seen;
}

}  // namespace prehend::inertia
