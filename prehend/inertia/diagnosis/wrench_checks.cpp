#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <Eigen/Dense>

#include <prehend/inertia/diagnosis/diagnosis_checks.h>
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

std::vector<Sample> read(const model::WrenchLog& log, const SmoothedMotion& motion, WrenchFrame frame,
                         const Reading& reading) {
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

Judged judge(const model::WrenchLog& log, const SmoothedMotion& motion, WrenchFrame frame,
             const Reading& reading, const std::vector<bool>& use) {
  const std::vector<Sample> samples = read(log, motion, frame, reading);
  Judged judged{reading, fit_wrench(samples, true, use), 0.0, 0.0, 0.0};
  judged.rms_force = judged.fit.rms_force / reading.scale_force;
  judged.rms_torque = judged.fit.rms_torque / reading.scale_torque;
  // Numbers scaled before the fit: back to the likelihood of the numbers as written.
  judged.cost = judged.fit.cost -
                6.0 * judged.fit.samples * (std::log(reading.scale_force) + std::log(reading.scale_torque));
  return judged;
}

// What a row is worth where residuals repeat from row to row.
double worth_of_row(const model::WrenchLog& log, const SmoothedMotion& motion, WrenchFrame frame,
                    const Judged& judged, const std::vector<bool>& use) {
  const double repeats = residual_correlation(read(log, motion, frame, judged.reading), judged.fit, use);
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

// Force rows alone tell m, m g and m c linearly: any direction of gravity can be found at once.
struct FreeGravity {
  double rms_given{0.0}, rms_free{0.0};  // [N]
  double mass{0.0}, std_mass{0.0};
  Eigen::Vector3d weight_W{Eigen::Vector3d::Zero()};  // [N] m g
  double samples{0.0};
};

double solve_rows(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, Eigen::VectorXd& x,
                  Eigen::MatrixXd& covariance) {
  const Eigen::MatrixXd normal = A.transpose() * A;
  Eigen::VectorXd scale = normal.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * normal * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  Eigen::VectorXd inverse = solver.eigenvalues();
  for (double& value : inverse) value = value > 1e-11 ? 1.0 / value : 0.0;
  covariance = scale.asDiagonal() * solver.eigenvectors() * inverse.asDiagonal() *
               solver.eigenvectors().transpose() * scale.asDiagonal();
  x = covariance * (A.transpose() * b);
  const double rms = std::sqrt((b - A * x).squaredNorm() / static_cast<double>(b.size()));
  covariance *= rms * rms;
  return rms;
}

FreeGravity free_gravity(const std::vector<Sample>& samples, const SmoothedMotion& motion,
                         const std::vector<bool>& use) {
  Eigen::Index rows = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) rows += use.empty() || use[k] ? 3 : 0;
  Eigen::MatrixXd free = Eigen::MatrixXd::Zero(rows, 10), given = Eigen::MatrixXd::Zero(rows, 7);
  Eigen::VectorXd b(rows);
  Eigen::Index row = 0;
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
    b.segment<3>(row) = sample.wrench.tail<3>();
    row += 3;
  }
  FreeGravity result;
  result.samples = static_cast<double>(rows) / 3.0;
  Eigen::VectorXd x;
  Eigen::MatrixXd covariance;
  result.rms_given = solve_rows(given, b, x, covariance);
  result.rms_free = solve_rows(free, b, x, covariance);
  result.mass = x(0);
  result.std_mass = std::sqrt(covariance(0, 0));
  result.weight_W = x.segment<3>(1);
  return result;
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
  const WrenchFrame frame = sample_options.wrench_frame;
  const Eigen::Vector3d g = sample_options.gravity_W;
  const bool in_world = frame == WrenchFrame::world;
  Reading as_given;
  as_given.gravity_W = g;
  const std::string other_frame_text = in_world ? "the wrench is in the sensor's axes, not in the world's"
                                                : "the wrench is in the world's axes, not in the sensor's";
  const Judged given = judge(log, motion, frame, as_given, use);
  if (given.fit.samples < options.fewest_samples) return {};

  std::vector<Reading> readings;
  std::vector<Eigen::Vector3d> directions = {-g};
  for (int i = 0; i < 3; ++i)
    for (double sign : {1.0, -1.0}) {
      const Eigen::Vector3d axis = sign * g.norm() * Eigen::Vector3d::Unit(i);
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

  std::optional<Judged> best, opposite;
  for (const Reading& candidate : readings) {
    const Judged judged = judge(log, motion, frame, candidate, use);
    if (&candidate == &readings.front()) opposite = judged;
    if (judged.fit.phi(0) > 0.0 && (!best || judged.cost < best->cost)) best = judged;
  }
  std::vector<Finding> findings;
  const double std_mass = std::sqrt(given.fit.covariance(0, 0));
  const bool negative = given.fit.phi(0) < -5.0 * std_mass;
  const auto beats = [&](const Judged& from, const Judged& to) {
    const double gain = from.cost - to.cost, ratio = improvement(from, to);
    // White residuals: likelihood alone decides, and weak signals under noise count. Otherwise it must be substantial too.
    if (gain <= options.likelihood_margin || ratio <= 1.01) return false;
    if (ratio > options.residual_ratio) return true;
    const double worth = worth_of_row(log, motion, frame, to, use);
    return worth > 0.5 && gain * worth > options.likelihood_margin;
  };
  const std::string mass_text = math::number_text(given.fit.phi(0), 3) + " kg";
  if (negative && (!best || !beats(given, *best) ||
                   (best->reading.kind == FindingKind::wrong_gravity && !best->reading.other_frame &&
                    best->reading.gravity_W == -g))) {
    // Weighed negative: gravity or the wrench is turned round. Accelerations tell which, if there were any.
    const double prefers_gravity = given.cost - opposite->cost;
    const double ratio = improvement(given, *opposite);
    if (prefers_gravity > 0.4 * options.likelihood_margin) {
      findings.push_back({FindingKind::wrong_gravity, Severity::blocks,
                          "the log fits gravity " + vector_text(-g) + ", not " + vector_text(g) +
                              ": with the opposite sign " + better_text(ratio) + ", and the mass is positive",
                          ratio});
    } else if (prefers_gravity < -0.4 * options.likelihood_margin) {
      findings.push_back({FindingKind::wrench_sign, Severity::blocks,
                          "the wrench has the wrong sign: it is what the object exerts on the sensor (the "
                          "mass comes out as " +
                              mass_text + ")",
                          1.0 / ratio});
    } else {
      findings.push_back({FindingKind::gravity_or_wrench_sign, Severity::blocks,
                          "the mass comes out as " + mass_text + ": gravity is " + vector_text(-g) +
                              ", or the wrench has the wrong sign; the motion is too slow to tell which",
                          ratio});
    }
    return findings;
  }
  if (best && beats(given, *best)) {
    const double ratio = improvement(given, *best);
    findings.push_back(
        {best->reading.kind, Severity::blocks,
         best->reading.meaning +
             (best->reading.kind == FindingKind::wrong_gravity ? ", not " + vector_text(g) : std::string()) +
             ": " + better_text(ratio),
         ratio});
    return findings;
  }

  // Any other direction or size of gravity.
  const FreeGravity free = free_gravity(read(log, motion, frame, as_given), motion, use);
  const double tiny = 1e-6 * given.fit.signal_force + 1e-300;
  const double gain = 6.0 * free.samples * std::log((free.rms_given + tiny) / (free.rms_free + tiny));
  const double ratio = (free.rms_given + tiny) / (free.rms_free + tiny);
  // Three more unknowns explain a little of anything: a twentieth less residual at least.
  bool decided = gain > options.likelihood_margin && ratio > 1.05;
  if (decided && ratio <= options.residual_ratio) {
    const double worth = worth_of_row(log, motion, frame, given, use);
    decided = worth > 0.5 && gain * worth > options.likelihood_margin;
  }
  if (decided && free.weight_W.norm() > 0.0) {
    const double cosine = free.weight_W.dot(g) / (free.weight_W.norm() * g.norm());
    const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
    const bool told = free.mass > 20.0 * free.std_mass;
    const double size = told ? free.weight_W.norm() / free.mass : g.norm();
    const bool other_size = told && std::abs(size / g.norm() - 1.0) > 0.1;
    if (angle > options.gravity_angle || other_size)
      findings.push_back({FindingKind::wrong_gravity, Severity::blocks,
                          "the log fits gravity " + vector_text(size * free.weight_W.normalized()) +
                              ", not " + vector_text(g) + ": " + better_text(ratio),
                          ratio});
  }
  return findings;
}

}  // namespace prehend::inertia
