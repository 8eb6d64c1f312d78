#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

// One way to read the log.
struct Reading {
  FindingKind kind{FindingKind::wrong_gravity};
  Eigen::Vector3d gravity_W{Eigen::Vector3d::Zero()};
  bool other_frame{false};
  bool swapped{false};
  double scale_a{1.0}, scale_force{1.0}, scale_torque{1.0};  // on the log's numbers
  std::string meaning;
};

// The log and how it is looked at.
struct Question {
  const model::WrenchLog& log;
  const SmoothedMotion& motion;
  WrenchFrame frame;
  const DiagnosisOptions& options;
  const std::vector<bool>& use;
};

std::vector<Sample> read(const Question& question, const Reading& reading) {
  const auto& [log, motion, frame, options, use] = question;
  const bool in_world = (frame == WrenchFrame::world) != reading.other_frame;
  std::vector<Sample> samples(log.rows());
  for (std::size_t k = 0; k < log.rows(); ++k) {
    const Eigen::Matrix3d R_SW = motion.X_WS[k].R().transpose();
    Sample& sample = samples[k];
    sample.t = log.t[k];
    sample.gravity = R_SW * reading.gravity_W;
    sample.motion.a = R_SW * (reading.scale_a * motion.a_W[k] - reading.gravity_W);
    sample.motion.w = R_SW * motion.w_W[k];
    sample.motion.al = R_SW * motion.al_W[k];
    Eigen::Vector3d f = reading.scale_force * log.f_S[k], tau = reading.scale_torque * log.tau_S[k];
    if (reading.swapped) std::swap(f, tau);
    sample.wrench.head<3>() = in_world ? Eigen::Vector3d(R_SW * tau) : tau;
    sample.wrench.tail<3>() = in_world ? Eigen::Vector3d(R_SW * f) : f;
  }
  return samples;
}

struct Judged {
  Reading reading;
  WrenchFit fit;
  double rms_force{0.0}, rms_torque{0.0};  // in the log's own numbers
  double cost{0.0};
};

Judged judge(const Question& question, const Reading& reading) {
  Judged judged{reading, fit_wrench(read(question, reading), true, question.use), 0.0, 0.0, 0.0};
  judged.rms_force = judged.fit.rms_force / reading.scale_force;
  judged.rms_torque = judged.fit.rms_torque / reading.scale_torque;
  // Numbers scaled before the fit: back to the likelihood of the numbers as written.
  judged.cost = judged.fit.cost -
                6.0 * judged.fit.samples * (std::log(reading.scale_force) + std::log(reading.scale_torque));
  return judged;
}

// What a row is worth where residuals repeat from row to row.
double worth_of_row(const Question& question, const Judged& judged) {
  const double repeats = residual_correlation(read(question, judged.reading), judged.fit, question.use);
  return (1.0 - repeats) / (1.0 + repeats);
}

double improvement(const Judged& from, const Judged& to) {
  if (to.reading.swapped != from.reading.swapped)
    return std::max(from.rms_force, from.rms_torque) / std::max({to.rms_force, to.rms_torque, 1e-300});
  return std::max(from.rms_force / std::max(to.rms_force, 1e-9 * from.fit.signal_force + 1e-300),
                  from.rms_torque / std::max(to.rms_torque, 1e-9 * from.fit.signal_torque + 1e-300));
}

// "it fits 3.2 times better"
std::string better_text(double factor) {
  if (factor < 1.1) return "it fits better";
  return "it fits " + (factor > 1e4 ? "more than 10000" : math::number_text(factor, factor < 10.0 ? 2 : 3)) +
         " times better";
}

// Force rows alone give m, m g and m c linearly: any direction of gravity can be found at once.
struct FreeGravity {
  double rms_given{0.0}, rms_size{0.0},
      rms_free{0.0};  // [N] gravity as given; of any size; of any size and direction
  double mass{0.0}, std_mass{0.0};
  Eigen::Vector3d weight_W{Eigen::Vector3d::Zero()};  // [N] m g
  double size{1.0};                                   // of gravity along the given direction, relative
  double samples{0.0};
  // Accelerations that turning, gravity and offsets do not imitate, over the deviation of their error. About one axis they
  // imitate all: a body elsewhere does what its hinge's arm does, and then noise alone would decide.
  double own_motion{0.0};
  bool moves() const { return own_motion > 3.0; }
  // Errors of accelerations lower the inertial mass by their share of the squares: 1 % at ten deviations.
  bool shows_size() const { return own_motion > 10.0; }
};

double solve_rows(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, Eigen::VectorXd& x,
                  Eigen::MatrixXd& covariance) {
  constexpr double kRounding = 1e-11;  // of squares summed over a log, relative to a unit diagonal
  covariance = ScaledSymmetric(A.transpose() * A, 1e-300).pseudo_inverse(kRounding);
  x = covariance * (A.transpose() * b);
  const double rms = std::sqrt((b - A * x).squaredNorm() / static_cast<double>(b.size()));
  covariance *= rms * rms;
  return rms;
}

FreeGravity free_gravity(const std::vector<Sample>& samples, const SmoothedMotion& motion,
                         const std::vector<bool>& use) {
  Eigen::Index rows = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) rows += use.empty() || use[k] ? 3 : 0;
  Eigen::MatrixXd free = Eigen::MatrixXd::Zero(rows, 10), given = Eigen::MatrixXd::Zero(rows, 7),
                  apart = Eigen::MatrixXd::Zero(rows, 8);
  Eigen::VectorXd b(rows);
  Eigen::Index row = 0;
  double error = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use.empty() && !use[k]) continue;
    const Sample& sample = samples[k];
    const Regressor A = wrench_regressor(sample.motion);
    const Eigen::Matrix3d R_SW = motion.X_WS[k].R().transpose();
    free.block<3, 1>(row, 0) = sample.motion.a + sample.gravity;
    free.block<3, 3>(row, 1) = -R_SW;
    free.block<3, 3>(row, 4) = A.block<3, 3>(3, 1);
    free.block<3, 3>(row, 7).setIdentity();
    given.block<3, 1>(row, 0) = sample.motion.a;
    given.block<3, 3>(row, 1) = A.block<3, 3>(3, 1);
    given.block<3, 3>(row, 4).setIdentity();
    apart.block<3, 1>(row, 0) = sample.motion.a + sample.gravity;
    apart.block<3, 1>(row, 1) = -sample.gravity;
    apart.block<3, 6>(row, 2) = given.block<3, 6>(row, 1);
    b.segment<3>(row) = sample.wrench.tail<3>();
    error += motion.std_a[k] * motion.std_a[k];
    row += 3;
  }
  FreeGravity result;
  result.samples = static_cast<double>(rows) / 3.0;
  Eigen::VectorXd x;
  Eigen::MatrixXd covariance;
  constexpr double kStill = 3e-5;  // [m/s^2] a third of DiagnosisOptions.still_acceleration
  const double own = solve_rows(apart.rightCols(7), apart.col(0), x, covariance);
  result.own_motion = own / (std::sqrt(error / std::max(1.0, result.samples)) + kStill);
  result.rms_given = solve_rows(given, b, x, covariance);
  result.rms_size = solve_rows(apart, b, x, covariance);
  result.mass = x(0);
  result.std_mass = std::sqrt(covariance(0, 0));
  result.size = x(1) / x(0);
  result.rms_free = solve_rows(free, b, x, covariance);
  result.weight_W = x.segment<3>(1);
  return result;
}

// Gravity along every other axis, in the given axes of the wrench and in the others.
void add_gravity_readings(const Reading& as_given, const std::string& other_frame_text,
                          std::vector<Reading>& readings) {
  const Eigen::Vector3d g = as_given.gravity_W;
  std::vector<Eigen::Vector3d> directions = {-g};
  for (int i = 0; i < 3; ++i)
    for (double sign : {1.0, -1.0}) {
      const Eigen::Vector3d axis = sign * g.norm() * Eigen::Vector3d::Unit(i);
      // Nearer than 17 degrees to the line of gravity as given it is the same reading.
      if (axis.cross(g).norm() > 0.3 * g.squaredNorm()) directions.push_back(axis);
    }
  for (const Eigen::Vector3d& direction : directions) {
    Reading reading = as_given;
    reading.gravity_W = direction;
    reading.meaning = "the log fits gravity " + vector_text(direction);
    readings.push_back(reading);
    reading.other_frame = true;
    reading.meaning += ", and " + other_frame_text;
    readings.push_back(reading);
  }
}

// Every other way to read the log; the first is gravity turned round.
std::vector<Reading> other_readings(const Reading& as_given, bool in_world) {
  const std::string other_frame_text = in_world ? "the wrench is in the sensor's axes, not in the world's"
                                                : "the wrench is in the world's axes, not in the sensor's";
  std::vector<Reading> readings;
  add_gravity_readings(as_given, other_frame_text, readings);
  Reading reading = as_given;
  reading.kind = FindingKind::wrench_frame;
  reading.other_frame = true;
  reading.meaning = other_frame_text;
  readings.push_back(reading);
  reading = as_given;
  reading.kind = FindingKind::swapped_columns;
  reading.swapped = true;
  reading.meaning = "the columns of force and torque are exchanged";
  readings.push_back(reading);
  const auto scaled = [&](double a, double f, double tau, const char* meaning) {
    Reading unit = as_given;
    unit.kind = FindingKind::units;
    unit.scale_a = a;
    unit.scale_force = f;
    unit.scale_torque = tau;
    unit.meaning = meaning;
    readings.push_back(unit);
  };
  scaled(1e-3, 1.0, 1.0, "the positions are in millimetres, not in metres");
  scaled(1.0, 1.0, 1e-3, "the torques are in N mm, not in N m");
  scaled(1.0, 1e-3, 1.0, "the forces are in mN, not in N");
  scaled(1.0, 9.80665e-3, 1.0, "the forces are in grams, not in N");
  return readings;
}

// Rows whose residuals repeat are worth fewer: below this share likelihood alone decides nothing.
constexpr double kLeastWorth = 0.5;

// White residuals: likelihood alone decides, and weak signals under noise count. Otherwise it must be substantial too.
bool is_decided(const Question& question, double gain, double ratio, const Judged& residuals_of) {
  if (ratio > question.options.residual_ratio) return true;
  const double worth = worth_of_row(question, residuals_of);
  return worth > kLeastWorth && gain * worth > question.options.likelihood_margin;
}

// Of the likelihood margin, where the log as it stands is known to be wrong (a mass that is negative, or none): which of the causes
// needs less evidence than whether there is any.
constexpr double kShareOfMargin = 0.4;

// The mass over its deviation; rows that repeat are worth fewer.
double mass_in_deviations(const Question& question, const Judged& judged) {
  return judged.fit.phi(0) / std::sqrt(judged.fit.covariance(0, 0) / worth_of_row(question, judged));
}

// Nothing is weighed as the log stands, and an object is there in other axes, columns or under other gravity. A light object under noise shrinks no
// residual by much in any reading. Six deviations: one of some twenty readings by chance once in 10^8 logs; four where the whole margin is met.
// Seen on a plate of 10 g under 0.33 N of noise (generated tool 5): 0.4 and 9 deviations.
bool weighs_only_in(const Question& question, const Judged& from, const Judged& to) {
  constexpr double kNothing = 3.0, kClearlyThere = 6.0, kThere = 4.0;
  const double gain = (from.cost - to.cost) * worth_of_row(question, to);
  if (to.reading.kind == FindingKind::units || gain < kShareOfMargin * question.options.likelihood_margin)
    return false;
  const double least = gain < question.options.likelihood_margin ? kClearlyThere : kThere;
  return std::abs(mass_in_deviations(question, from)) < kNothing && mass_in_deviations(question, to) > least;
}

bool beats(const Question& question, const Judged& from, const Judged& to) {
  constexpr double kLeastRatio = 1.01;  // below, the other reading says the same
  const double gain = from.cost - to.cost, ratio = improvement(from, to);
  if (weighs_only_in(question, from, to)) return true;
  if (gain <= question.options.likelihood_margin || ratio <= kLeastRatio) return false;
  return is_decided(question, gain, ratio, to);
}

// Units are off by factors of a hundred and more, and forces and torques then share no centre of mass: read as they stand, rows that still
// fit to a small part of the signal are in the right units, however well another reading follows what errors of the motion leave.
bool fits_as_given(const Judged& given) {
  constexpr double kOfForce = 0.02,
                   kOfTorque = 0.1;  // of the signals; rows in wrong units leave most of the torque
  return given.fit.rms_force < kOfForce * given.fit.signal_force &&
         given.fit.rms_torque < kOfTorque * given.fit.signal_torque;
}

// Whether the log as it stands leaves more than errors of the motion would: twice what they do to the wrench of the body that `best` finds (root mean
// square; once is what a right log should leave), in units of the residuals of `best`. Generated tools 0 to 11, turned by a wrist, leave 2.4 times that and more.
bool exceeds_errors_of_motion(const Question& question, const Judged& given, const Judged& best) {
  constexpr double kDeviations = 2.0;
  const double force = std::max(best.rms_force, 1e-6 * given.fit.signal_force + 1e-300),
               torque = std::max(best.rms_torque, 1e-6 * given.fit.signal_torque + 1e-300);
  const double mass = best.fit.phi(0), arm = best.fit.phi.segment<3>(1).norm(),
               inertia = best.fit.phi.segment<3>(4).cwiseAbs().maxCoeff();
  const double f_scale = force * best.reading.scale_force, tau_scale = torque * best.reading.scale_torque;
  const std::vector<Sample> samples = read(question, given.reading);
  WrenchSums sums;
  double errors = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!question.use.empty() && !question.use[k]) continue;
    sums.add(samples[k]);
    const double a = question.motion.std_a[k], al = question.motion.std_al[k];
    errors += 3.0 * (std::pow(mass * a, 2) + std::pow(arm * al, 2)) / (f_scale * f_scale) +
              3.0 * (std::pow(arm * a, 2) + std::pow(inertia * al, 2)) / (tau_scale * tau_scale);
  }
  const double noise = 6.0 * best.fit.samples;
  return weighted_squares(sums, force, torque) - noise > kDeviations * kDeviations * errors;
}

// Weighed negative: gravity or the wrench is turned round. Accelerations decide which, if there were any.
Finding turned_round(const Question& question, const Judged& given, const Judged& opposite) {
  const double margin = kShareOfMargin * question.options.likelihood_margin;
  const Eigen::Vector3d& g = given.reading.gravity_W;
  const std::string mass_text = math::number_text(given.fit.phi(0), 3) + " kg";
  const double prefers_gravity = given.cost - opposite.cost;
  const double ratio = improvement(given, opposite);
  if (prefers_gravity > margin)
    return {FindingKind::wrong_gravity, Severity::blocks,
            "the log fits gravity " + vector_text(-g) + ", not " + vector_text(g) +
                ": with the opposite sign " + better_text(ratio) + ", and the mass is positive",
            ratio};
  if (prefers_gravity < -margin)
    return {FindingKind::wrench_sign, Severity::blocks,
            "the wrench has the wrong sign: it is what the object exerts on the sensor (the mass comes out "
            "as " +
                mass_text + ")",
            1.0 / ratio};
  return {FindingKind::gravity_or_wrench_sign, Severity::blocks,
          "the mass comes out as " + mass_text + ": gravity is " + vector_text(-g) +
              ", or the wrench has the wrong sign; the motion is too slow to decide which",
          ratio};
}

// Any other direction or size of gravity. Along an axis about which all turning goes, gravity and an offset look alike: a
// direction must explain what a size does not.
std::vector<Finding> check_free_gravity(const Question& question, const Judged& given,
                                        const FreeGravity& free) {
  constexpr double kLeastRatio = 1.05;  // three more unknowns explain a little of anything
  constexpr double kMassDeviations = 20.0,
                   kOtherSize = 0.1;  // for a size of gravity that is not the given one
  constexpr double kLargest = 30.0;   // times the given one: beyond, lengths are in other units
  const Eigen::Vector3d& g = given.reading.gravity_W;
  const double tiny = 1e-6 * given.fit.signal_force + 1e-300;
  const auto explains = [&](double from, double to) {
    const double ratio = (from + tiny) / (to + tiny), gain = 6.0 * free.samples * std::log(ratio);
    return gain > question.options.likelihood_margin && ratio > kLeastRatio &&
           is_decided(question, gain, ratio, given);
  };
  const double ratio = (free.rms_given + tiny) / (free.rms_free + tiny);
  if (!explains(free.rms_given, free.rms_free) || !(free.weight_W.norm() > 0.0)) return {};
  const double cosine = free.weight_W.dot(g) / (free.weight_W.norm() * g.norm());
  const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
  const bool has_mass = free.shows_size() && free.mass > kMassDeviations * free.std_mass;
  const bool other_direction =
      angle > question.options.gravity_angle && explains(free.rms_size, free.rms_free);
  // Errors of the accelerations, too, make gravity seem larger, and leave as much as they explain.
  const bool substantial =
      free.size < 1.0 || free.rms_given + tiny > question.options.residual_ratio * (free.rms_size + tiny);
  const bool other_size = has_mass && substantial && std::abs(free.size - 1.0) > kOtherSize &&
                          free.size > 0.0 && free.size < kLargest && explains(free.rms_given, free.rms_size);
  if (!other_direction && !other_size) return {};
  const double size = has_mass ? free.size * g.norm() : g.norm();
  const Eigen::Vector3d direction = other_direction ? free.weight_W.normalized() : g.normalized();
  // From poses alone, times in another measure scale all accelerations: what that leaves is what gravity of another size leaves.
  std::string or_times;
  if (!other_direction && !question.log.has_twist() && !question.log.has_acceleration())
    or_times = "; or its times are " + math::number_text(std::sqrt(std::max(free.size, 1.0 / free.size)), 3) +
               " times too " + (free.size < 1.0 ? "long" : "short");
  return {{FindingKind::wrong_gravity, Severity::blocks,
           "the log fits gravity " + vector_text(size * direction) + ", not " + vector_text(g) + ": " +
               better_text(ratio) + or_times,
           ratio}};
}

}  // namespace

std::string vector_text(const Eigen::Vector3d& v) {
  std::string text = "(";
  for (int i = 0; i < 3; ++i) {
    const double value = std::abs(v(i)) < 5e-4 * v.norm() ? 0.0 : v(i);
    text += std::string(i ? ", " : "") + (value > 0.0 ? "+" : "") + math::number_text(value, 3);
  }
  return text + ")";
}

std::vector<Finding> check_wrench(const model::WrenchLog& log, const SmoothedMotion& motion,
                                  const SampleOptions& sample_options, const DiagnosisOptions& options,
                                  const std::vector<bool>& use) {
  const Question question{log, motion, sample_options.wrench_frame, options, use};
  Reading as_given;
  as_given.gravity_W = sample_options.gravity_W;
  const Judged given = judge(question, as_given);
  if (given.fit.samples < options.fewest_samples) return {};

  const std::vector<Reading> readings =
      other_readings(as_given, sample_options.wrench_frame == WrenchFrame::world);
  const Judged opposite = judge(question, readings.front());
  const FreeGravity free = free_gravity(read(question, as_given), motion, use);
  std::optional<Judged> best;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Judged judged = i == 0 ? opposite : judge(question, readings[i]);
    if (judged.fit.phi(0) > 0.0 && (!best || judged.cost < best->cost)) best = judged;
  }
  // Accelerations that turning imitates in the forces may still part the centre of mass of forces from that of torques. Without either a log cannot show
  // units; and what explains less than a reading that is not to be believed explains too little.
  if (best && best->reading.kind == FindingKind::units &&
      (fits_as_given(given) || !(free.moves() || exceeds_errors_of_motion(question, given, *best))))
    best.reset();
  const bool is_better = best && beats(question, given, *best);
  // An object whose weight is at least one deviation weighs as little as this once in 30 000 logs; rows that repeat are worth fewer.
  constexpr double kNegativeDeviations = 3.0;
  const bool is_negative = mass_in_deviations(question, given) < -kNegativeDeviations;
  if (is_negative &&
      (!is_better || (best->reading.kind == FindingKind::wrong_gravity && !best->reading.other_frame &&
                      best->reading.gravity_W == -as_given.gravity_W)))
    return {turned_round(question, given, opposite)};
  if (!is_better) return check_free_gravity(question, given, free);
  // Gravity of another size spoils the ratio of weight and acceleration as other units of length do, by a smaller factor.
  if (best->reading.scale_a != 1.0)
    if (const std::vector<Finding> gravity = check_free_gravity(question, given, free); !gravity.empty())
      return gravity;
  const double ratio = improvement(given, *best);
  const bool is_gravity = best->reading.kind == FindingKind::wrong_gravity;
  return {{best->reading.kind, Severity::blocks,
           best->reading.meaning + (is_gravity ? ", not " + vector_text(as_given.gravity_W) : std::string()) +
               ": " + better_text(ratio),
           ratio}};
}

}  // namespace prehend::inertia
