#include <algorithm>
#include <cmath>
#include <string>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/diagnosis/parameter_change.h>
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
