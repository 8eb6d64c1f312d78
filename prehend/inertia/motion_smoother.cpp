// Rotation is smoothed in the tangent space of the world's axes: with R' = [w] R the
// integral Theta of w is a vector, its chain (Theta, w, al) is linear, and w and al of the log are its measured
// columns as they stand. Rotations give Theta through increments, log(R_k+1 R_k^T) less the part that comes from axes that
// do not commute (Magnus, al x w h^3 / 12); nominal rotations are moved by the smoothed correction and the
// increments taken anew until they stand, so nothing drifts. The correction converges by the angle turned within the
// smoother's memory, not within the log.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/inertia/motion/differenced_columns.h>
#include <prehend/inertia/motion/motion_chain.h>
#include <prehend/inertia/motion/motion_noise.h>
#include <prehend/inertia/motion_smoother.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

using Vectors = std::vector<Eigen::Vector3d>;

constexpr int kMostIterations =
    12;  // of the rotation; it ends when corrections are a thousandth of the noise

void check_log(const model::WrenchLog& log) {
  const std::size_t n = log.rows();
  if (n < 3)
    throw std::invalid_argument("the log has " + std::to_string(n) +
                                " rows: smoothing its motion needs three at least");
  const auto fits = [n](std::size_t size) { return size == 0 || size == n; };
  if (log.X_WS.size() != n || !fits(log.v_WS_W.size()) || log.w_WS_W.size() != log.v_WS_W.size() ||
      !fits(log.a_WS_W.size()) || log.al_WS_W.size() != log.a_WS_W.size())
    throw std::invalid_argument("the log's columns differ in length");
  for (std::size_t k = 0; k + 1 < n; ++k)
    if (!(log.t[k + 1] >= log.t[k])) throw std::invalid_argument("the log's time runs backwards");
  if (!(log.t.back() > log.t.front())) throw std::invalid_argument("the log's time stands still");
}

double typical_step(const std::vector<double>& t) {
  std::vector<double> steps;
  for (std::size_t k = 0; k + 1 < t.size(); ++k)
    if (t[k + 1] > t[k]) steps.push_back(t[k + 1] - t[k]);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  return steps[steps.size() / 2];
}

Eigen::Vector3d increment(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  return math::log_so3((to * from.conjugate()).normalized());
}

// The integral of w at every sample, from rotations, given the part of each increment that is no integral of w.
Vectors integral_of_velocity(const std::vector<Eigen::Quaterniond>& R, const Vectors& noncommuting) {
  Vectors theta(R.size(), Eigen::Vector3d::Zero());
  for (std::size_t k = 0; k + 1 < R.size(); ++k)
    theta[k + 1] = theta[k] + increment(R[k], R[k + 1]) - noncommuting[k];
  return theta;
}

// Before anything is smoothed: angular velocity and acceleration from neighbouring increments.
Vectors first_noncommuting(const std::vector<double>& t, const std::vector<Eigen::Quaterniond>& R) {
  const std::size_t steps = R.size() - 1;
  Vectors velocity(steps);  // at the middle of each step
  for (std::size_t k = 0; k < steps; ++k)
    velocity[k] = increment(R[k], R[k + 1]) / std::max(t[k + 1] - t[k], 1e-300);
  Vectors part(steps, Eigen::Vector3d::Zero());
  for (std::size_t k = 1; k + 1 < steps; ++k) {
    const double h = t[k + 1] - t[k], span = 0.5 * (t[k + 2] + t[k + 1] - t[k] - t[k - 1]);
    if (h <= 0.0 || t[k] <= t[k - 1] || t[k + 2] <= t[k + 1]) continue;
    const Eigen::Vector3d al = (velocity[k + 1] - velocity[k - 1]) / span;
    part[k] = (h * h * h / 12.0) * al.cross(velocity[k]);
  }
  return part;
}

// What measured accelerations add is bounded by their noise; beside poses that give them better than this fraction of
// it, they are left out (below a tenth in information).
constexpr double kUselessAcceleration = 0.3;

// Standard deviations of v and a where the model's own are far too large (positions interpolated).
struct Chain {
  NoiseSearch search;
  double scale_v{1.0}, scale_a{1.0};
};

Chain analyse(ChainData& data, const StatedNoise& stated, double unit, double window) {
  Chain chain;
  chain.search = estimate_chain_noise(data, stated, unit, window);
  if (!chain.search.interpolates || stated.jerk || stated.x) return chain;
  const HalvingError error = halving_error(data, chain.search.noise, unit);
  if (!data.a.empty() && error.a < kUselessAcceleration * chain.search.noise.a) data.a.clear();
  double v = 0.0, a = 0.0;
  for (const Eigen::Matrix3d& P : smooth_chain(data, chain.search.noise, unit).covariance) {
    v += P(1, 1);
    a += P(2, 2);
  }
  const double n = static_cast<double>(data.t.size());
  chain.scale_v = std::min(1.0, error.v / std::sqrt(v / n));
  chain.scale_a = std::min(1.0, error.a / std::sqrt(a / n));
  return chain;
}

struct Rotation {
  std::vector<Eigen::Quaterniond> R;
  ChainStates states;
  Chain chain;
  int iterations{0};
};

std::vector<Eigen::Quaterniond> measured_rotations(const model::WrenchLog& log) {
  std::vector<Eigen::Quaterniond> measured;
  for (const math::Pose& X : log.X_WS) measured.push_back(X.q());
  return measured;
}

Rotation smooth_rotation(const model::WrenchLog& log, ChainData data, const StatedNoise& stated, double unit,
                         double window) {
  const std::size_t n = log.rows();
  const std::vector<Eigen::Quaterniond> measured = measured_rotations(log);
  Rotation result;
  result.R = measured;
  Vectors noncommuting = first_noncommuting(data.t, measured);
  data.x = integral_of_velocity(measured, noncommuting);
  result.chain = analyse(data, stated, unit, window);
  const ChainNoise& noise = result.chain.search.noise;
  Vectors nominal = data.x;
  for (int i = 0; i < kMostIterations; ++i) {
    ++result.iterations;
    result.states = smooth_chain(data, noise, unit);
    const auto& state = result.states.state;
    double moved = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const Eigen::Vector3d correction = state[k].row(0).transpose() - nominal[k];
      moved = std::max(moved, correction.norm());
      result.R[k] = (math::exp_so3(correction) * result.R[k]).normalized();
    }
    // Below a thousandth of the noise nothing is gained; the first round only sets up the noncommuting parts.
    if (i > 0 && moved < 1e-3 * noise.x + 1e-14) break;
    for (std::size_t k = 0; k + 1 < n; ++k)
      noncommuting[k] = noncommuting_part(state[k].row(1), state[k].row(2), state[k + 1].row(1),
                                          state[k + 1].row(2), data.t[k + 1] - data.t[k]);
    nominal = integral_of_velocity(result.R, noncommuting);
    for (std::size_t k = 0; k < n; ++k) data.x[k] = nominal[k] + increment(result.R[k], measured[k]);
  }
  return result;
}

// Columns that repeat `x` or each other are no measurements.
void leave_out_differences(const Vectors& x, ChainData& data) {
  if (is_difference_of(data.a, data.v, data.t)) data.a.clear();
  if (is_difference_of(data.v, x, data.t)) data.v.clear();
}

double rms(const std::vector<double>& values) {
  double sum = 0.0;
  for (double value : values) sum += value * value;
  return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

// A motion that never rises above its own error is none: the regressor would be full of noise, and no estimator can take
// more noise out of it than there is signal. What stands still is exact then.
void set_at_rest(Samples& samples) {
  constexpr double kDeviations = 3.0;                                // of the smoother's own error
  constexpr double kLeastA = 1e-4, kLeastW = 1e-4, kLeastAl = 1e-3;  // as DiagnosisOptions.still_*
  double a = 0.0, w = 0.0, al = 0.0;
  for (const Sample& sample : samples.samples) {
    a += (sample.motion.a + sample.gravity).squaredNorm();
    w += sample.motion.w.squaredNorm();
    al += sample.motion.al.squaredNorm();
  }
  const double count = 3.0 * static_cast<double>(samples.samples.size());
  const auto rests = [&](double squares, double& deviation, double least) {
    if (std::sqrt(squares / count) > kDeviations * deviation + least) return false;
    deviation = 0.0;
    return true;
  };
  SampleNoise& noise = *samples.noise;
  const bool still_a = rests(a, noise.a, kLeastA), still_w = rests(w, noise.w, kLeastW),
             still_al = rests(al, noise.al, kLeastAl);
  for (Sample& sample : samples.samples) {
    if (still_a) sample.motion.a = -sample.gravity;
    if (still_w) sample.motion.w.setZero();
    if (still_al) sample.motion.al.setZero();
  }
}

}  // namespace

void SmootherOptions::validate() const {
  const math::OptionCheck check("SmootherOptions");
  const auto above_zero = [&](const char* field, const std::optional<double>& value, const char* unit) {
    if (value) check.above(field, *value, 0.0, unit);
  };
  above_zero("noise.position", noise.position, "m");
  above_zero("noise.rotation", noise.rotation, "rad");
  above_zero("noise.linear_velocity", noise.linear_velocity, "m/s");
  above_zero("noise.angular_velocity", noise.angular_velocity, "rad/s");
  above_zero("noise.linear_acceleration", noise.linear_acceleration, "m/s^2");
  above_zero("noise.angular_acceleration", noise.angular_acceleration, "rad/s^2");
  above_zero("noise.linear_jerk", noise.linear_jerk, "m/s^2.5");
  above_zero("noise.angular_jerk", noise.angular_jerk, "rad/s^2.5");
  check.at_least("window", window, 0.0, "s");
}

Eigen::Vector3d noncommuting_part(const Eigen::Vector3d& w0, const Eigen::Vector3d& al0,
                                  const Eigen::Vector3d& w1, const Eigen::Vector3d& al1, double h) {
  if (!(h > 0.0)) return Eigen::Vector3d::Zero();
  // Values in the middle of the step, of the cubic through both ends; odd powers of h alone remain (Magnus).
  const Eigen::Vector3d w = 0.5 * (w0 + w1) + (h / 8.0) * (al0 - al1);
  const Eigen::Vector3d al = (1.5 / h) * (w1 - w0) - 0.25 * (al0 + al1);
  return (h * h * h / 12.0) * al.cross(w);
}

SmoothedMotion smooth_motion(const model::WrenchLog& log, const SmootherOptions& options) {
  options.validate();
  check_log(log);
  const std::size_t n = log.rows();
  const bool twist = options.use_twist && log.has_twist();
  const bool acceleration = options.use_acceleration && log.has_acceleration();
  const double unit = typical_step(log.t), window = options.window / unit;

  ChainData linear{log.t, {}, {}, {}}, angular{log.t, {}, {}, {}};
  const Eigen::Vector3d origin = log.X_WS.front().p();
  for (const math::Pose& X : log.X_WS) linear.x.push_back(X.p() - origin);
  if (twist) {
    linear.v = log.v_WS_W;
    angular.v = log.w_WS_W;
  }
  if (acceleration) {
    linear.a = log.a_WS_W;
    angular.a = log.al_WS_W;
  }
  leave_out_differences(linear.x, linear);
  leave_out_differences(integral_of_velocity(measured_rotations(log), Vectors(n, Eigen::Vector3d::Zero())),
                        angular);
  const MotionNoise& known = options.noise;
  const Chain chain =
      analyse(linear, {known.position, known.linear_velocity, known.linear_acceleration, known.linear_jerk},
              unit, window);
  const ChainStates translation = smooth_chain(linear, chain.search.noise, unit);
  const Rotation rotation = smooth_rotation(
      log, angular, {known.rotation, known.angular_velocity, known.angular_acceleration, known.angular_jerk},
      unit, window);

  SmoothedMotion motion;
  motion.status = SmootherStatus::ok;
  motion.t = log.t;
  motion.iterations = rotation.iterations;
  for (std::size_t k = 0; k < n; ++k) {
    const Eigen::Matrix3d &s = translation.state[k], &r = rotation.states.state[k];
    const Eigen::Matrix3d &P = translation.covariance[k], &Q = rotation.states.covariance[k];
    motion.X_WS.emplace_back(rotation.R[k], origin + s.row(0).transpose());
    motion.v_W.emplace_back(s.row(1));
    motion.a_W.emplace_back(s.row(2));
    motion.w_W.emplace_back(r.row(1));
    motion.al_W.emplace_back(r.row(2));
    motion.std_p.push_back(std::sqrt(P(0, 0)));
    motion.std_a.push_back(chain.scale_a * std::sqrt(P(2, 2)));
    motion.std_R.push_back(std::sqrt(Q(0, 0)));
    motion.std_w.push_back(rotation.chain.scale_v * std::sqrt(Q(1, 1)));
    motion.std_al.push_back(rotation.chain.scale_a * std::sqrt(Q(2, 2)));
    if (!s.allFinite() || !r.allFinite() || !P.allFinite() || !Q.allFinite())
      motion.status = SmootherStatus::failed;
  }
  const ChainNoise &p = chain.search.noise, &R = rotation.chain.search.noise;
  motion.noise.position = p.x;
  motion.noise.rotation = R.x;
  if (twist) {
    motion.noise.linear_velocity = p.v;
    motion.noise.angular_velocity = R.v;
  }
  if (acceleration) {
    motion.noise.linear_acceleration = p.a;
    motion.noise.angular_acceleration = R.a;
  }
  motion.noise.linear_jerk = p.jerk;
  motion.noise.angular_jerk = R.jerk;
  return motion;
}

std::string SmoothedMotion::brief_report() const {
  if (status != SmootherStatus::ok) return "motion not smoothed: the log's numbers are not finite";
  std::string text = std::to_string(t.size()) + " poses; noise found: position " +
                     math::number_text(noise.position.value_or(0.0), 3) + " m, rotation " +
                     math::number_text(noise.rotation.value_or(0.0), 3) + " rad";
  if (noise.linear_velocity)
    text += ", velocity " + math::number_text(*noise.linear_velocity, 3) + " m/s and " +
            math::number_text(noise.angular_velocity.value_or(0.0), 3) + " rad/s";
  if (noise.linear_acceleration)
    text += ", acceleration " + math::number_text(*noise.linear_acceleration, 3) + " m/s^2 and " +
            math::number_text(noise.angular_acceleration.value_or(0.0), 3) + " rad/s^2";
  return text + "; smoothed acceleration to " + math::number_text(rms(std_a), 3) + " m/s^2 and " +
         math::number_text(rms(std_al), 3) + " rad/s^2";
}

Samples smoothed_samples(const model::WrenchLog& log, const SmoothedMotion& motion,
                         const SampleOptions& options) {
  model::WrenchLog smoothed = log;
  smoothed.X_WS = motion.X_WS;
  smoothed.v_WS_W = motion.v_W;
  smoothed.w_WS_W = motion.w_W;
  smoothed.a_WS_W = motion.a_W;
  smoothed.al_WS_W = motion.al_W;
  Samples samples = prepare_samples(smoothed, options);
  samples.noise = SampleNoise{rms(motion.std_a), rms(motion.std_w), rms(motion.std_al), 0.0, 0.0, true};
  set_at_rest(samples);
  return samples;
}

Samples smooth_samples(const model::WrenchLog& log, const SampleOptions& sample_options,
                       const SmootherOptions& smoother_options) {
  const SmoothedMotion motion = smooth_motion(log, smoother_options);
  if (motion.status != SmootherStatus::ok)
    throw std::invalid_argument(
        "the log's motion cannot be smoothed: its numbers are not finite or too large");
  return smoothed_samples(log, motion, sample_options);
}

}  // namespace prehend::inertia
