#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using Vectors = std::vector<Eigen::Vector3d>;

constexpr double kDegrees = math::degrees(1.0);  // in one radian

struct ColumnReading {
  double scale{1.0};
  bool sensor_axes{false};
  const char* meaning{""};
  FindingKind kind{FindingKind::motion_columns};
};

double squares(const Vectors& given, const Vectors& own, const SmoothedMotion& motion,
               const ColumnReading& reading) {
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

// What is wrong with one column.
struct Verdict {
  std::string name;     // of the column
  std::string meaning;  // what is wrong with it; columns of the same meaning share a sentence
  FindingKind kind{FindingKind::motion_columns};
  double evidence{0.0};
};

// Another reading of a column must leave less than this share of the column, and of what the column as it stands leaves; by
// minus twice the log likelihood it must be this much better (e^30 to one: residuals of a smoothed motion are correlated).
constexpr double kFairShare = 0.7, kMargin = 60.0;
// Differences count above these multiples of the variance that the poses' own values have.
constexpr double kBeyondNoise = 4.0, kFarBeyondNoise = 25.0;
// Differences that repeat from row to row by this correlation, and whose repeating part is this share of the motion (a third of
// its size), are no noise.
constexpr double kRepeats = 0.5, kRepeatingShare = 0.1;

constexpr const char* kPositionsInMillimetres = "are a thousandth of the positions' own";

// `own_std` is the standard deviation of the poses' own values.
void check_column(const Vectors& given, const Vectors& own, double own_std, const SmoothedMotion& motion,
                  bool angular, const std::string& name, std::vector<Verdict>& verdicts) {
  const double n = 3.0 * static_cast<double>(given.size());
  const double as_given = squares(given, own, motion, {}), size = energy(given), truth = energy(own);
  // Nothing moves beyond the error of the poses: nothing to compare.
  if (!(std::sqrt(truth / n) > 3.0 * own_std) || size == 0.0) return;
  std::vector<ColumnReading> readings = {
      {-1.0, false, "have the wrong sign", FindingKind::motion_columns},
      {1.0, true, "are in the sensor's axes, not in the world's", FindingKind::motion_columns}};
  if (angular) {
    readings.push_back({kDegrees, false, "are in degrees, not in radians", FindingKind::units});
    readings.push_back(
        {1.0 / kDegrees, false, "are 57.3 times too small: check radians and degrees", FindingKind::units});
  } else {
    readings.push_back({1000.0, false, "are in millimetres, not in metres", FindingKind::units});
    readings.push_back({1e-3, false, kPositionsInMillimetres, FindingKind::units});
  }
  double best = std::numeric_limits<double>::infinity();
  const ColumnReading* winner = nullptr;
  for (const ColumnReading& reading : readings) {
    const double value = squares(given, own, motion, reading);
    if (value < best) {
      best = value;
      winner = &reading;
    }
  }
  // The other reading must explain a fair part of the column, and much better than the column as it stands.
  const double tiny = 1e-24 * size;
  if (winner && best < kFairShare * size && best < kFairShare * as_given &&
      n * std::log((as_given + tiny) / (best + tiny)) > kMargin &&
      as_given > kBeyondNoise * n * own_std * own_std) {
    verdicts.push_back({name, winner->meaning, winner->kind, std::sqrt((as_given + tiny) / (best + tiny))});
    return;
  }
  const double repeats = repetition(given, own);
  if (as_given * std::max(0.0, repeats) > kRepeatingShare * truth && repeats > kRepeats &&
      as_given > kFarBeyondNoise * n * own_std * own_std)
    verdicts.push_back(
        {name, "do not fit the poses", FindingKind::motion_columns, std::sqrt(as_given / truth)});
}

double root_mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

std::vector<Finding> check_order(const model::WrenchLog& log) {
  const std::size_t n = log.rows();
  double turned = 0.0, stated = 0.0, speed = 0.0;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double h = log.t[k + 1] - log.t[k];
    if (!(h > 0.0)) continue;
    const double angle = log.X_WS[k].q().angularDistance(log.X_WS[k + 1].q()),
                 count = static_cast<double>(n - 1);
    turned += angle * angle / count;
    speed += angle * angle / (h * h * count);
    if (log.has_twist()) stated += log.w_WS_W[k].squaredNorm() * h * h / count;
  }
  turned = std::sqrt(turned);
  speed = std::sqrt(speed);
  stated = std::sqrt(stated);
  // 12 degrees a row is no noise. Poses at rest in turn, one row each, have velocities of zero: those are no disorder.
  const bool contradicts = log.has_twist() && stated > 1e-6 && turned > 0.2 && turned > 10.0 * stated;
  // No arm turns its hand five times a second all the time.
  if (!contradicts && !(turned > 0.2 && speed > 30.0)) return {};
  return {{FindingKind::motion_columns, Severity::blocks,
           "the poses jump by " + math::number_text(turned * kDegrees, 2) +
               " degrees from row to row: the rows are not in the order of time",
           turned}};
}

std::vector<Finding> check_motion_columns(const model::WrenchLog& log, const SmoothedMotion& poses,
                                          ColumnTrust& trust) {
  std::vector<Verdict> verdicts;
  if (log.has_twist()) {
    // Velocities from positions are known to about what accelerations are, times the smoother's memory of some rows.
    const double step = log.duration() / static_cast<double>(log.rows() - 1);
    check_column(log.v_WS_W, poses.v_W, 3.0 * step * root_mean_square(poses.std_a), poses, false,
                 "velocities", verdicts);
    check_column(log.w_WS_W, poses.w_W, root_mean_square(poses.std_w), poses, true, "angular velocities",
                 verdicts);
  }
  if (log.has_acceleration()) {
    check_column(log.a_WS_W, poses.a_W, root_mean_square(poses.std_a), poses, false, "accelerations",
                 verdicts);
    check_column(log.al_WS_W, poses.al_W, root_mean_square(poses.std_al), poses, true,
                 "angular accelerations", verdicts);
  }
  trust.columns = verdicts.empty();
  // One sentence a cause.
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].name.empty()) continue;
    std::string names = verdicts[i].name;
    for (std::size_t j = i + 1; j < verdicts.size(); ++j)
      if (verdicts[j].meaning == verdicts[i].meaning) {
        names += " and " + verdicts[j].name;
        verdicts[j].name.clear();
      }
    const bool positions = verdicts[i].meaning == kPositionsInMillimetres;
    trust.positions_in_millimetres = trust.positions_in_millimetres || positions;
    findings.push_back({verdicts[i].kind, Severity::blocks,
                        (positions ? "the positions are in millimetres, not in metres: the " : "the ") +
                            names + " " + verdicts[i].meaning,
                        verdicts[i].evidence});
  }
  return findings;
}

}  // namespace prehend::inertia
