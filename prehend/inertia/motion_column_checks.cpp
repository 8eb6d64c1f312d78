#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <prehend/inertia/diagnosis_checks.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using Vectors = std::vector<Eigen::Vector3d>;

constexpr double kDegrees = 57.29577951308232;

struct Reading {
  double scale{1.0};
  bool sensor_axes{false};
  const char* meaning{""};
  FindingKind kind{FindingKind::motion_columns};
};

double squares(const Vectors& given, const Vectors& own, const SmoothedMotion& motion,
               const Reading& reading) {
  double sum = 0.0;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const Eigen::Vector3d value =
        reading.sensor_axes ? Eigen::Vector3d(motion.X_WS[k].q() * given[k]) : given[k];
    sum += (value - reading.scale * own[k]).squaredNorm();
  }
  return sum;
}

double energy(const Vectors& column) {
  double sum = 0.0;
  for (const Eigen::Vector3d& value : column) sum += value.squaredNorm();
  return sum;
}

// How much of a residual repeats from row to row: white noise 0, a systematic difference near 1.
double repetition(const Vectors& given, const Vectors& own) {
  double now = 0.0, next = 0.0;
  for (std::size_t k = 0; k + 1 < given.size(); ++k) {
    const Eigen::Vector3d d = given[k] - own[k];
    now += d.squaredNorm();
    next += d.dot(given[k + 1] - own[k + 1]);
  }
  return now > 0.0 ? next / now : 0.0;
}

// `own_std` is the standard deviation of the poses' own values.
void check_column(const Vectors& given, const Vectors& own, double own_std, const SmoothedMotion& motion,
                  bool angular, const std::string& name, std::vector<Finding>& findings) {
  const double n = 3.0 * static_cast<double>(given.size());
  const double as_given = squares(given, own, motion, {}), size = energy(given), truth = energy(own);
  // Nothing moves beyond what the poses can tell: nothing to compare.
  if (!(std::sqrt(truth / n) > 3.0 * own_std) || size == 0.0) return;
  std::vector<Reading> readings = {
      {-1.0, false, "have the wrong sign", FindingKind::motion_columns},
      {1.0, true, "are in the sensor's axes, not in the world's", FindingKind::motion_columns}};
  if (angular) {
    readings.push_back({kDegrees, false, "are in degrees, not in radians", FindingKind::units});
    readings.push_back(
        {1.0 / kDegrees, false, "are 57.3 times too small: check radians and degrees", FindingKind::units});
  } else {
    readings.push_back(
        {1000.0, false, "are 1000 times those of the poses: millimetres beside metres", FindingKind::units});
    readings.push_back({1e-3, false,
                        "are a thousandth of those of the poses: the positions are in millimetres",
                        FindingKind::units});
  }
  double best = std::numeric_limits<double>::infinity();
  const Reading* winner = nullptr;
  for (const Reading& reading : readings) {
    const double value = squares(given, own, motion, reading);
    if (value < best) {
      best = value;
      winner = &reading;
    }
  }
  // The other reading must explain a fair part of the column, and much better than the column as it stands.
  const double tiny = 1e-24 * size;
  if (winner && best < 0.7 * size && best < 0.7 * as_given &&
      n * std::log((as_given + tiny) / (best + tiny)) > 60.0 && as_given > 4.0 * n * own_std * own_std) {
    findings.push_back({winner->kind, Severity::blocks, name + " " + winner->meaning,
                        std::sqrt((as_given + tiny) / (best + tiny))});
    return;
  }
  // A part of the difference that stays from row to row is no noise; a fifth of the motion's size is no rounding.
  const double repeats = repetition(given, own);
  if (as_given * std::max(0.0, repeats) > 0.1 * truth && repeats > 0.5 &&
      as_given > 25.0 * n * own_std * own_std)
    findings.push_back({FindingKind::motion_columns, Severity::blocks,
                        name + " do not fit the poses: they differ by " +
                            math::number_text(100.0 * std::sqrt(as_given / truth), 2) + " % of the motion",
                        std::sqrt(as_given / truth)});
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

std::vector<Finding> check_motion_columns(const model::WrenchLog& log, const SmoothedMotion& poses,
                                          bool& trusted) {
  std::vector<Finding> findings;
  if (log.has_twist()) {
    // Velocities from positions are known to about what accelerations are, times the smoother's memory of some rows.
    const double step = log.duration() / static_cast<double>(log.rows() - 1);
    check_column(log.v_WS_W, poses.v_W, 3.0 * step * root_mean_square(poses.std_a), poses, false,
                 "velocities vx vy vz", findings);
    check_column(log.w_WS_W, poses.w_W, root_mean_square(poses.std_w), poses, true,
                 "angular velocities wx wy wz", findings);
  }
  if (log.has_acceleration()) {
    check_column(log.a_WS_W, poses.a_W, root_mean_square(poses.std_a), poses, false, "accelerations ax ay az",
                 findings);
    check_column(log.al_WS_W, poses.al_W, root_mean_square(poses.std_al), poses, true,
                 "angular accelerations alx aly alz", findings);
  }
  trusted = findings.empty();
  return findings;
}

}  // namespace prehend::inertia
