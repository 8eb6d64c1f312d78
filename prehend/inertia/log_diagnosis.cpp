#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>

namespace prehend::inertia {
namespace {

void append(std::vector<Finding>& to, std::vector<Finding> from) {
  for (Finding& finding : from) to.push_back(std::move(finding));
}

// What else torques about another point look like (another gravity, a moved object) is a consequence, unless axes or signs are wrong:
// other units are where they leave less.
std::vector<Finding> point_rather(std::vector<Finding> wrench, std::span<const Sample> samples,
                                  const DiagnosisOptions& options, const std::vector<bool>& use) {
  double by_units = 0.0;
  for (const Finding& finding : wrench) {
    if (finding.kind == FindingKind::units)
      by_units = std::max(by_units, finding.evidence);
    else if (finding.kind != FindingKind::wrong_gravity)
      return wrench;
  }
  // A point is three numbers that may be anything: it imitates another unit of force to a thousandth (generated tools, 6 of 12 logs at the second level of noise).
  constexpr double kClearly = 1.05;
  std::vector<Finding> point = check_torque_point(samples, options, use);
  return !point.empty() && point.front().evidence > kClearly * by_units ? point : wrench;
}

}  // namespace

const char* to_string(FindingKind kind) { return enum_text(kind); }

void DiagnosisOptions::validate() const {
  const math::OptionCheck check("DiagnosisOptions");
  check.above("fewest_samples", fewest_samples, 0);
  check.above("likelihood_margin", likelihood_margin, 0.0);
  check.above("gravity_angle", gravity_angle, 0.0, "rad");
  check.above("greatest_density", greatest_density, 0.0, "kg/m^3");
  check.above("longest_arm", longest_arm, 0.0, "m");
  check.above("least_mass", least_mass, 0.0, "kg");
  check.above("greatest_mass", greatest_mass, 0.0, "kg");
  check.above("change_margin", change_margin, 0.0);
  check.above("change_effect", change_effect, 0.0);
  check.above("wrench_exactness", wrench_exactness, 0.0);
  check.above("motion_deviations", motion_deviations, 0.0);
  check.above("still_acceleration", still_acceleration, 0.0, "m/s^2");
  check.above("still_turning", still_turning, 0.0, "rad/s");
  check.above("still_turning_acceleration", still_turning_acceleration, 0.0, "rad/s^2");
  check.above("noisy_share", noisy_share, 0.0);
  check.at_least("residual_ratio", residual_ratio, 1.0);
}

std::vector<Finding> diagnose(const model::WrenchLog& log, const SampleOptions& sample_options,
                              const DiagnosisOptions& options) {
  options.validate();
  std::vector<Finding> findings = check_times(log);
  const auto n = static_cast<int>(log.rows());
  if (n < options.fewest_samples || !(log.duration() > 0.0)) {
    findings.insert(findings.begin(),
                    {FindingKind::too_few_samples, Severity::blocks,
                     "the log has " + std::to_string(n) + " rows; ten parameters need " +
                         std::to_string(options.fewest_samples) + " at least, over some time",
                     static_cast<double>(n)});
    return findings;
  }
  std::vector<Finding> result = check_order(log);
  if (!result.empty()) {  // no motion to speak of
    append(result, findings);
    return result;
  }
  SmootherOptions poses_alone;
  poses_alone.use_twist = poses_alone.use_acceleration = false;
  SmoothedMotion motion = smooth_motion(log, poses_alone);
  for (Finding& finding : check_time_unit(log, motion, sample_options)) {
    const bool blocks = finding.severity == Severity::blocks;
    findings.insert(findings.begin(), std::move(finding));
    if (blocks) return findings;  // all else is a consequence
  }
  ColumnTrust trust;
  append(result, check_motion_columns(log, motion, trust));
  if (trust.positions_in_millimetres) {
    // The cause is known: what else is wrong is asked of the log as it was meant.
    model::WrenchLog meant = log;
    for (math::Pose& X : meant.X_WS) X = math::Pose(X.q(), 1e-3 * X.p());
    for (math::Pose& X : meant.X_WO) X = math::Pose(X.q(), 1e-3 * X.p());
    append(result, diagnose(meant, sample_options, options));
    return result;
  }
  if (trust.columns && (log.has_twist() || log.has_acceleration())) motion = smooth_motion(log);
  if (motion.status != SmootherStatus::ok)
    throw std::invalid_argument("the log's numbers are not finite or too large");
  const Samples samples = smoothed_samples(log, motion, sample_options);

  std::vector<bool> use(log.rows(), true);
  const std::vector<Finding> sensor = check_sensor(log, samples.samples, sample_options, options, use);
  const bool stuck = std::any_of(sensor.begin(), sensor.end(), [](const Finding& finding) {
    return finding.kind == FindingKind::stuck_sensor;
  });
  std::vector<Finding> wrench;
  // A wrench with a dead channel fits no reading well: which fits least badly says nothing.
  if (!stuck) wrench = check_wrench(log, motion, sample_options, options, use);
  if (!stuck) wrench = point_rather(std::move(wrench), samples.samples, options, use);
  // An object that moved looks like another gravity, too, to whoever fits one body: what leaves less is named.
  if (!stuck && wrench.size() == 1 && wrench.front().kind == FindingKind::wrong_gravity)
    if (std::vector<Finding> moved =
            check_grasp_rather(log, samples.samples, options, use, wrench.front().evidence);
        !moved.empty())
      wrench = std::move(moved);
  const bool read_rightly = result.empty() && wrench.empty();
  append(result, wrench);
  append(result, sensor);
  // The body is judged only where the log is read rightly: otherwise its oddities are consequences.
  if (read_rightly) {
    if (!stuck) append(result, check_body(samples.samples, options, use));
    if (result.empty()) append(result, check_grasp(log, samples.samples, options, use));
    append(result, check_excitation(samples.samples, *samples.noise, options, use));
  }
  append(result, findings);
  std::stable_sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
    return static_cast<int>(a.severity) > static_cast<int>(b.severity);
  });
  return result;
}

std::vector<std::string> sentences(const std::vector<Finding>& findings) {
  std::vector<std::string> text;
  for (const Finding& finding : findings) text.push_back(finding.sentence);
  return text;
}

}  // namespace prehend::inertia
