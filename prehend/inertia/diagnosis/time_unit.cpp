// Times in another unit than seconds. Beside velocities the poses' own are as many times too small or large; of poses alone the wrench
// tells: accelerations a million times too small leave what inertia does unexplained.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

struct TimeUnit {
  double seconds;
  const char* name;
};
constexpr std::array<TimeUnit, 4> kTimeUnits{
    {{1e-3, "milliseconds"}, {1e-6, "microseconds"}, {1e-9, "nanoseconds"}, {1e3, "thousands of seconds"}}};

// Times too long: rows half a second apart are no recording of a motion. Too short: few force sensors give 10000 rows a second. The wrench
// decides in either case.
constexpr double kLongStep = 0.5, kShortStep = 1e-4;  // [s]

double usual_step(const model::WrenchLog& log) {
  std::vector<double> steps;
  for (std::size_t k = 0; k + 1 < log.rows(); ++k)
    if (log.t[k + 1] > log.t[k]) steps.push_back(log.t[k + 1] - log.t[k]);
  if (steps.empty()) return 0.0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

// How many times `own` is `given`, where both are the same motion but for a factor.
std::optional<double> factor_of(const std::vector<Eigen::Vector3d>& given,
                                const std::vector<Eigen::Vector3d>& own) {
  constexpr double kAlike = 0.7;  // correlation: velocities with noise as large as themselves have 0.7
  double both = 0.0, a = 0.0, b = 0.0;
  for (std::size_t k = 0; k < given.size(); ++k) {
    both += given[k].dot(own[k]);
    a += given[k].squaredNorm();
    b += own[k].squaredNorm();
  }
  if (!(a > 0.0 && b > 0.0) || both < kAlike * std::sqrt(a * b)) return std::nullopt;
  return both / b;
}

// Angular velocities tell times from lengths in another unit.
const TimeUnit* unit_by_velocities(const model::WrenchLog& log, const SmoothedMotion& poses) {
  if (!log.has_twist()) return nullptr;
  const std::optional<double> turning = factor_of(log.w_WS_W, poses.w_W),
                              moving = factor_of(log.v_WS_W, poses.v_W);
  if (!turning) return nullptr;
  constexpr double kNear = 3.0;
  const auto is_near = [](double factor, double unit) {
    return factor * unit < kNear && factor * unit > 1.0 / kNear;
  };
  for (const TimeUnit& unit : kTimeUnits)
    if (is_near(*turning, unit.seconds) && (!moving || is_near(*moving, unit.seconds))) return &unit;
  return nullptr;
}

// -> how many times less the wrench leaves with times in that unit; zero where it does not decide.
double shrinks_by(const model::WrenchLog& log, const TimeUnit& unit, const WrenchFit& as_given,
                  const SampleOptions& options) {
  // e^30 to one, as residuals are correlated, and a tenth less.
  constexpr double kMargin = 60.0, kShare = 0.9;
  model::WrenchLog meant = log;
  for (double& t : meant.t) t *= unit.seconds;
  SmootherOptions poses_alone;
  poses_alone.use_twist = poses_alone.use_acceleration = false;
  const SmoothedMotion motion = smooth_motion(meant, poses_alone);
  if (motion.status != SmootherStatus::ok) return 0.0;
  const WrenchFit with = fit_wrench(smoothed_samples(meant, motion, options).samples);
  if (!(as_given.cost - with.cost > kMargin)) return 0.0;
  const double shrinks = std::max(as_given.rms_force / std::max(with.rms_force, 1e-300),
                                  as_given.rms_torque / std::max(with.rms_torque, 1e-300));
  return kShare * shrinks > 1.0 ? shrinks : 0.0;
}

}  // namespace

std::vector<Finding> check_time_unit(const model::WrenchLog& log, const SmoothedMotion& poses,
                                     const SampleOptions& options) {
  const auto finding = [](const TimeUnit& unit, const char* why, double evidence) {
    return std::vector<Finding>{{FindingKind::time_unit, Severity::blocks,
                                 std::string("the times are in ") + unit.name + ", not in seconds: " + why,
                                 evidence}};
  };
  if (const TimeUnit* unit = unit_by_velocities(log, poses))
    return finding(*unit, "the velocities say so", std::max(unit->seconds, 1.0 / unit->seconds));
  const double step = usual_step(log);
  if (poses.status != SmootherStatus::ok || (step < kLongStep && step > kShortStep)) return {};
  const WrenchFit as_given = fit_wrench(smoothed_samples(log, poses, options).samples);
  const TimeUnit* best = nullptr;
  double evidence = 0.0;
  for (const TimeUnit& unit : kTimeUnits) {
    const double meant = unit.seconds * step;
    if (meant >= kLongStep || meant <= kShortStep) continue;
    const double shrinks = shrinks_by(log, unit, as_given, options);
    if (shrinks <= evidence) continue;
    best = &unit;
    evidence = shrinks;
  }
  if (best != nullptr) return finding(*best, "the wrenches fit the motion then", evidence);
  constexpr std::size_t kManyRows = 100;  // nobody waits for as many rests
  if (step < kLongStep || log.rows() < kManyRows) return {};
  return {{FindingKind::time_unit, Severity::warning,
           "the rows are " + math::number_text(step, 3) + " s apart: are the times in seconds?", step}};
}

}  // namespace prehend::inertia
