#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Cholesky>

#include <prehend/inertia/calibration.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/inertia/motion/low_pass.h>
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

// Unknowns: phi 0-9, bias 10-15, tilt of gravity 16-17, latency 18, square of the filter's time constant 19.
constexpr int kTilt = 16, kLatency = 18, kFilter = 19, kUnknowns = 20;
using VectorU = CalibrationVector;
using MatrixU = CalibrationMatrix;

Eigen::Matrix<double, 3, 2> plane_of(const Vector3d& normal) {
  const Vector3d u = normal.unitOrthogonal();
  Eigen::Matrix<double, 3, 2> plane;
  plane << u, normal.normalized().cross(u);
  return plane;
}

// Cubic through two values and slopes, s in [0, 1] of a step h.
Vector3d hermite(const Vector3d& x0, const Vector3d& v0, const Vector3d& x1, const Vector3d& v1, double h,
                 double s) {
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * x0 + (s3 - 2 * s2 + s) * h * v0 + (3 * s2 - 2 * s3) * x1 +
         (s3 - s2) * h * v1;
}

// Slope at row k of a column without its own, by central differences.
Vector3d slope(const std::vector<double>& t, const std::vector<Vector3d>& x, std::size_t k) {
  const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, t.size() - 1);
  const double span = t[after] - t[before];
  return span > 0.0 ? Vector3d((x[after] - x[before]) / span) : Vector3d::Zero();
}

// The motion of a recording `shift` seconds later (negative: earlier), by cubic interpolation between rows; rows beyond the
// ends take the nearest row that has a motion.
SmoothedMotion shifted_motion(const SmoothedMotion& motion, double shift) {
  SmoothedMotion result = motion;
  const std::vector<double>& t = motion.t;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double at = std::clamp(t[k] + shift, t.front(), t.back());
    auto next = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), at) - t.begin());
    next = std::clamp<std::size_t>(next, 1, t.size() - 1);
    const std::size_t i = next - 1;
    const double h = t[next] - t[i];
    if (!(h > 0.0)) continue;
    const double s = (at - t[i]) / h, dt = at - t[i];
    result.v_W[k] = hermite(motion.v_W[i], motion.a_W[i], motion.v_W[next], motion.a_W[next], h, s);
    result.w_W[k] = hermite(motion.w_W[i], motion.al_W[i], motion.w_W[next], motion.al_W[next], h, s);
    result.a_W[k] =
        hermite(motion.a_W[i], slope(t, motion.a_W, i), motion.a_W[next], slope(t, motion.a_W, next), h, s);
    result.al_W[k] = hermite(motion.al_W[i], slope(t, motion.al_W, i), motion.al_W[next],
                             slope(t, motion.al_W, next), h, s);
    const Vector3d p =
        hermite(motion.X_WS[i].p(), motion.v_W[i], motion.X_WS[next].p(), motion.v_W[next], h, s);
    // Rotation: along the mean velocity of the part of the step, exact to third order, closed at both ends.
    const Vector3d whole =
        math::log_so3((motion.X_WS[next].q() * motion.X_WS[i].q().conjugate()).normalized());
    const Vector3d turned = hermite(Vector3d::Zero(), motion.w_W[i], whole, motion.w_W[next], h, dt / h);
    result.X_WS[k] = math::Pose((math::exp_so3(turned) * motion.X_WS[i].q()).normalized(), p);
  }
  return result;
}

struct Problem {
  const model::WrenchLog& log;
  const SmoothedMotion& motion;
  bool in_world;

  // Of the wrench's instants when it is `latency` behind the poses.
  SmoothedMotion motion_at(double latency) const {
    return latency == 0.0 ? motion : shifted_motion(motion, -latency);
  }
};

std::vector<Sample> samples_of(const Problem& problem, const SmoothedMotion& motion,
                               const Vector3d& gravity_W) {
  std::vector<Sample> samples(problem.log.rows());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const Eigen::Matrix3d R_SW = motion.X_WS[k].R().transpose();
    // World's axes: whoever wrote the file turned the sensor's numbers with the pose of the same row.
    const Eigen::Matrix3d R_row = problem.motion.X_WS[k].R().transpose();
    samples[k].t = problem.log.t[k];
    samples[k].gravity = R_SW * gravity_W;
    samples[k].motion = {R_SW * (motion.a_W[k] - gravity_W), R_SW * motion.w_W[k], R_SW * motion.al_W[k]};
    samples[k].wrench.head<3>() =
        problem.in_world ? Vector3d(R_row * problem.log.tau_S[k]) : problem.log.tau_S[k];
    samples[k].wrench.tail<3>() =
        problem.in_world ? Vector3d(R_row * problem.log.f_S[k]) : problem.log.f_S[k];
  }
  return samples;
}

// `latency` is the mean delay: what the filter delays by is part of it.
std::vector<Sample> samples_at(const Problem& problem, const Vector3d& gravity_W, double latency,
                               double time_constant = 0.0) {
  std::vector<Sample> samples = samples_of(problem, problem.motion_at(latency - time_constant), gravity_W);
  low_pass(time_constant, samples);
  return samples;
}

// Rows whose motion lies outside the log are not used, whatever the latency: all candidates judge the same rows.
std::vector<bool> inner_rows(const std::vector<double>& t, double margin) {
  std::vector<bool> use(t.size());
  for (std::size_t k = 0; k < t.size(); ++k) use[k] = t[k] - margin >= t.front() && t[k] + margin <= t.back();
  return use;
}

// [rows] What interpolation between rows may leave in the latency: those of forty arms of identification_sweep.py (100 Hz) are off by 0.010 to
// 0.013 rows rms, without bias. With 0.03 intervals of centre and inertia are too wide (0.98), those of the mass do not change.
constexpr double kInterpolated = 0.01;

// [s] For the derivative of the wrench by the latency: three rows to either side, whose noise is not that of the row itself. With a small
// step the derivative would hold the noise that the residual holds, and since interpolation damps noise between rows, latencies
// were drawn there, by up to a tenth of a row. Motion faster than 20 rad/s would be lost in more than 50 ms.
double derivative_step(const model::WrenchLog& log) {
  return std::min(3.0 * log.duration() / static_cast<double>(log.rows() - 1), 0.05);
}

// [s] For the derivative by the square of the filter's time constant, half of the wrench's second derivative: from rows this far and twice as far to
// either side, beyond what errors of a smoothed motion last. With the row itself a filter would be found that takes those errors out (25 ms without any).
double filter_step(const model::WrenchLog& log) {
  return std::max(0.04, 2.0 * log.duration() / static_cast<double>(log.rows() - 1));
}
// Deviations by which a filter must stand out: without one, errors of a smoothed motion, which last, seem to be one of up to three.
constexpr double kFilterDeviations = 5.0;

std::string with_unit(double value, const char* unit) { return math::number_text(value, 3) + " " + unit; }

// The likelihood has one broad valley but is flat far away from it: the best of some thirty latencies.
double scan_latency(const Problem& problem, const Vector3d& gravity_W, double longest, bool bias,
                    const std::vector<bool>& use) {
  const double step =
      std::max(problem.log.duration() / static_cast<double>(problem.log.rows() - 1), longest / 15.0);
  double best = 0.0, at = 0.0;
  bool first = true;
  for (double latency = -longest; latency <= longest + 0.5 * step; latency += step) {
    math::check_interrupt();
    const double cost = fit_wrench(samples_at(problem, gravity_W, latency), bias, use).cost;
    if (first || cost < best) {
      best = cost;
      at = latency;
    }
    first = false;
  }
  return at;
}

// What is estimated beside the ten parameters.
struct Asked {
  bool bias, tilt, latency, filter;

  std::vector<int> unknowns() const {
    std::vector<int> list;
    for (int i = 0; i < 10; ++i) list.push_back(i);
    for (int i = 10; i < 16 && bias; ++i) list.push_back(i);
    if (tilt) list.insert(list.end(), {kTilt, kTilt + 1});
    if (latency) list.push_back(kLatency);
    if (filter) list.push_back(kFilter);
    return list;
  }
};

// Where Gauss-Newton has come to.
struct State {
  VectorU x{VectorU::Zero()};  // phi and bias; tilt and latency are kept as
  Vector3d gravity_W{Vector3d::Zero()};
  double latency{0.0};
  double filter{0.0};                            // [s^2] square of the time constant
  double rms_force{0.0}, rms_torque{0.0};        // residuals so far
  double signal_force{0.0}, signal_torque{0.0};  // measured
  MatrixU covariance{MatrixU::Zero()};
};

struct Linearisation {
  MatrixU normal{MatrixU::Zero()};
  VectorU right{VectorU::Zero()};
  MatrixU spread{
      MatrixU::Zero()};  // of the right side's sums over spans of time: `normal` where residuals are white
  double spans{0.0};
  double rms_force{0.0}, rms_torque{0.0};
};

// [s] Residuals that last (errors of the motion, of the filter's model) are summed over so much, and over a thirtieth of short logs.
constexpr double kScoreSpan = 0.2, kFewestScoreSpans = 30.0;

// One pass over the log: normal equations of all unknowns at the present state, rows divided by their residuals so far.
Linearisation linearise(const Problem& problem, const State& state, const Asked& asked,
                        const std::vector<bool>& use) {
  const double shift = derivative_step(problem.log);
  const double time_constant = std::sqrt(state.filter);
  const SmoothedMotion moved = problem.motion_at(state.latency);
  const std::vector<Sample> now = samples_at(problem, state.gravity_W, state.latency, time_constant);
  const auto at = [&](bool is_asked, double by) {
    return is_asked ? samples_at(problem, state.gravity_W, state.latency + by, time_constant)
                    : std::vector<Sample>{};
  };
  const std::vector<Sample> sooner = at(asked.latency, -shift), later = at(asked.latency, shift);
  const double apart = filter_step(problem.log);
  const std::vector<Sample> near[] = {at(asked.filter, -apart), at(asked.filter, apart)},
                            far[] = {at(asked.filter, -2.0 * apart), at(asked.filter, 2.0 * apart)};
  // A millionth of the signal is rounding of the file.
  const double sigma_force = std::max({state.rms_force, 1e-6 * state.signal_force, 1e-12});
  const double sigma_torque = std::max({state.rms_torque, 1e-6 * state.signal_torque, 1e-12});
  const Eigen::Matrix<double, 3, 2> plane = plane_of(state.gravity_W);
  const double size = state.gravity_W.norm();
  Linearisation sums;
  double force = 0.0, torque = 0.0, count = 0.0, begun = problem.log.t.front();
  const double span = std::min(kScoreSpan, problem.log.duration() / kFewestScoreSpans);
  VectorU of_span = VectorU::Zero();
  const auto end_span = [&] {
    sums.spread.noalias() += of_span * of_span.transpose();
    sums.spans += of_span.isZero(0.0) ? 0.0 : 1.0;
    of_span.setZero();
  };
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (!use[k]) continue;
    if (problem.log.t[k] - begun > span) {
      end_span();
      begun = problem.log.t[k];
    }
    Eigen::Matrix<double, 6, kUnknowns> J = Eigen::Matrix<double, 6, kUnknowns>::Zero();
    const Regressor A = wrench_regressor(now[k].motion);
    J.leftCols<10>() = A;
    J.block<6, 6>(0, 10).setIdentity();
    // a = R (a_W - g): d tau = m c x da, d f = m da.
    const Eigen::Matrix3d R_SW = moved.X_WS[k].R().transpose();
    const Eigen::Matrix<double, 3, 2> da = -(R_SW * plane) * size;
    J.block<3, 2>(0, kTilt) = math::skew(state.x.segment<3>(1)) * da;
    J.block<3, 2>(3, kTilt) = state.x(0) * da;
    if (asked.latency)
      J.col(kLatency) = (wrench_regressor(later[k].motion) - wrench_regressor(sooner[k].motion)) *
                        state.x.head<10>() / (2.0 * shift);
    if (asked.filter)
      J.col(kFilter) = (wrench_regressor(far[0][k].motion) + wrench_regressor(far[1][k].motion) -
                        wrench_regressor(near[0][k].motion) - wrench_regressor(near[1][k].motion)) *
                       state.x.head<10>() / (6.0 * apart * apart);
    math::Vector6d rest = now[k].wrench - A * state.x.head<10>() - state.x.segment<6>(10);
    torque += rest.head<3>().squaredNorm();
    force += rest.tail<3>().squaredNorm();
    count += 3.0;
    J.topRows<3>() /= sigma_torque;
    J.bottomRows<3>() /= sigma_force;
    rest.head<3>() /= sigma_torque;
    rest.tail<3>() /= sigma_force;
    sums.normal.noalias() += J.transpose().lazyProduct(J);
    of_span.noalias() += J.transpose().lazyProduct(rest);
    sums.right.noalias() += J.transpose().lazyProduct(rest);
  }
  end_span();
  sums.rms_force = std::sqrt(force / count);
  sums.rms_torque = std::sqrt(torque / count);
  return sums;
}

// A covariance for white residuals, wider in each unknown by what residuals that last make of it (White 1980, by spans of time). Of six slow
// sums a span the fit has taken as many as there are unknowns.
Eigen::MatrixXd widened_by(const Eigen::MatrixXd& white, const Eigen::MatrixXd& spread, double spans) {
  const double sums = 6.0 * spans, taken = std::min(0.5 * sums, static_cast<double>(white.rows()));
  if (!(sums > 0.0)) return white;
  const Eigen::VectorXd seen = (white * spread * white).diagonal() * (sums / (sums - taken));
  const Eigen::VectorXd factor =
      seen.cwiseQuotient(white.diagonal().cwiseMax(1e-300)).cwiseMax(1.0).cwiseSqrt();
  return factor.asDiagonal() * white * factor.asDiagonal();
}

// One step, with the covariance it rests on; false when it is nothing beside the standard deviations.
bool step(const Linearisation& sums, const Asked& asked, double size, double longest, State& state) {
  // Of a unit diagonal: below the first a direction gets a vast deviation, below the second no step. Rounding of squares.
  constexpr double kVast = 1e-13, kNone = 1e-12;
  constexpr double kNothing = 1e-3;  // in standard deviations
  const std::vector<int> unknown = asked.unknowns();
  const Eigen::MatrixXd N = sums.normal(unknown, unknown);
  const Eigen::VectorXd b = sums.right(unknown);
  const ScaledSymmetric solver(N, 1e-24 * N.diagonal().maxCoeff());
  const Eigen::VectorXd dx = solver.solve(b, kNone);
  VectorU all = VectorU::Zero();
  all(unknown) = dx;
  state.covariance.setZero();
  state.covariance(unknown, unknown) =
      widened_by(solver.inverse(kVast), sums.spread(unknown, unknown), sums.spans);
  state.x.head<16>() += all.head<16>();
  if (asked.tilt)
    state.gravity_W =
        size * (state.gravity_W + size * plane_of(state.gravity_W) * all.segment<2>(kTilt)).normalized();
  if (asked.latency) state.latency = std::clamp(state.latency + all(kLatency), -longest, longest);
  if (asked.filter) state.filter = std::clamp(state.filter + all(kFilter), 0.0, longest * longest);
  return dx.cwiseQuotient(solver.scale()).norm() >= kNothing;
}

void gauss_newton(const Problem& problem, const Asked& asked, double size, double longest,
                  const std::vector<bool>& use, State& state) {
  constexpr int kMostIterations = 12, kFewestIterations = 4;  // the weights need some rounds to settle
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    math::check_interrupt();
    const Linearisation sums = linearise(problem, state, asked, use);
    state.rms_force = sums.rms_force;
    state.rms_torque = sums.rms_torque;
    if (!step(sums, asked, size, longest, state) && iteration + 1 >= kFewestIterations) break;
  }
}

// What is not determined goes back to what was given; true when the rest must be found again without it.
bool leave_undetermined(const CalibrationOptions& options, const Vector3d& given_W, Asked& asked,
                        State& state, Calibration& result) {
  result.std_gravity =
      asked.tilt ? std::sqrt(std::max(state.covariance(kTilt, kTilt), state.covariance(kTilt + 1, kTilt + 1)))
                 : 0.0;
  result.std_latency = asked.latency ? std::sqrt(state.covariance(kLatency, kLatency)) : 0.0;
  bool again = false;
  if (asked.filter && state.filter < kFilterDeviations * std::sqrt(state.covariance(kFilter, kFilter))) {
    state.filter = 0.0;
    asked.filter = false;
    again = true;
  }
  if (asked.tilt && result.std_gravity > options.coarsest_gravity) {
    result.undetermined.push_back("the direction of gravity: known to " +
                                  with_unit(result.std_gravity, "rad") +
                                  " only; more orientations determine it");
    state.gravity_W = given_W;
    asked.tilt = false;
    again = true;
  }
  if (asked.latency && result.std_latency > options.coarsest_latency) {
    result.undetermined.push_back("the latency: known to " + with_unit(result.std_latency, "s") +
                                  " only; faster motion determines it");
    state.latency = state.filter = 0.0;
    asked.latency = asked.filter = false;
    again = true;
  }
  return again;
}

// Force rows with weight and inertial mass apart.
void find_gravity_size(const Problem& problem, bool bias, double size, const std::vector<bool>& use,
                       Calibration& result) {
  constexpr double kDeviations = 10.0;  // by which the inertial mass must stand out from its error
  Eigen::Matrix<double, 8, 8> N = Eigen::Matrix<double, 8, 8>::Zero();
  Eigen::Matrix<double, 8, 1> b = Eigen::Matrix<double, 8, 1>::Zero();
  const std::vector<Sample> samples =
      samples_at(problem, result.gravity_W, result.latency, result.time_constant);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!use[k]) continue;
    const Sample& sample = samples[k];
    Eigen::Matrix<double, 3, 8> J = Eigen::Matrix<double, 3, 8>::Zero();
    J.col(0) = sample.motion.a + sample.gravity;  // inertial mass
    J.col(1) = -sample.gravity;                   // gravitational mass
    J.block<3, 3>(0, 2) = wrench_regressor(sample.motion).block<3, 3>(3, 1);
    if (bias) J.block<3, 3>(0, 5).setIdentity();
    N.noalias() += J.transpose().lazyProduct(J);
    b += J.transpose().lazyProduct(sample.wrench.tail<3>());
  }
  const int rank = bias ? 8 : 5;
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(N.topLeftCorner(rank, rank));
  const Eigen::MatrixXd inverse =
      ldlt.solve(Eigen::MatrixXd::Identity(rank, rank)) * result.residual_force * result.residual_force;
  const Eigen::VectorXd masses = ldlt.solve(b.head(rank));
  if (ldlt.info() != Eigen::Success || !(inverse(0, 0) >= 0.0) || !(masses(0) > 0.0) ||
      !(masses(0) > kDeviations * std::sqrt(inverse(0, 0))))
    return;
  result.gravity_size = size * masses(1) / masses(0);
  const double relative =
      std::sqrt(std::max(0.0, inverse(0, 0) + inverse(1, 1) - 2.0 * inverse(0, 1))) / masses(0);
  result.std_gravity_size = size * relative;
}

}  // namespace

const char* to_string(CalibrationStatus status) { return enum_text(status); }

void CalibrationOptions::validate() const {
  const math::OptionCheck check("CalibrationOptions");
  check.above("longest_latency", longest_latency, 0.0, "s");
  check.above("coarsest_gravity", coarsest_gravity, 0.0, "rad");
  check.above("coarsest_latency", coarsest_latency, 0.0, "s");
}

Calibration calibrate(const model::WrenchLog& log, const SampleOptions& sample_options,
                      const CalibrationOptions& options, const SmootherOptions& smoother_options) {
  options.validate();
  const SmoothedMotion motion = smooth_motion(log, smoother_options);
  if (motion.status != SmootherStatus::ok) throw std::invalid_argument("the log's motion cannot be smoothed");
  const Problem problem{log, motion, sample_options.wrench_frame == WrenchFrame::world};
  const double size = sample_options.gravity_W.norm();
  // A fifth of the log: more would leave too few rows that have a motion at every latency.
  const double longest = std::min(options.longest_latency, 0.2 * log.duration());
  const std::vector<bool> use = inner_rows(log.t, options.latency ? longest : 0.0);

  State state;
  state.gravity_W = sample_options.gravity_W;
  if (options.latency) state.latency = scan_latency(problem, state.gravity_W, longest, options.bias, use);
  const WrenchFit fit = fit_wrench(samples_at(problem, state.gravity_W, state.latency), options.bias, use);
  state.x.head<10>() = fit.phi;
  state.x.segment<6>(10) = fit.bias;
  state.rms_force = fit.rms_force;
  state.rms_torque = fit.rms_torque;
  state.signal_force = fit.signal_force;
  state.signal_torque = fit.signal_torque;
  Calibration result;
  Asked asked{options.bias, options.gravity_direction, options.latency, options.latency && options.filter};
  for (bool again = true; again;) {
    gauss_newton(problem, asked, size, longest, use, state);
    again = leave_undetermined(options, sample_options.gravity_W, asked, state, result);
  }
  if (asked.latency) {
    const double interval = log.duration() / static_cast<double>(log.rows() - 1);
    state.covariance(kLatency, kLatency) += std::pow(kInterpolated * interval, 2);
    result.std_latency = std::sqrt(state.covariance(kLatency, kLatency));
  }
  result.gravity_W = state.gravity_W;
  result.latency = state.latency;
  result.time_constant = std::sqrt(state.filter);
  if (asked.filter)
    result.std_time_constant = std::sqrt(state.covariance(kFilter, kFilter)) / (2.0 * result.time_constant);
  result.body = math::SpatialInertia::from_parameters(state.x.head<10>());
  result.bias = state.x.segment<6>(10);
  result.std_mass = std::sqrt(state.covariance(0, 0));
  result.covariance = state.covariance;
  for (int i = 0; i < 6; ++i)
    result.std_bias(i) = options.bias ? std::sqrt(state.covariance(10 + i, 10 + i)) : 0.0;
  result.residual_force = state.rms_force;
  result.residual_torque = state.rms_torque;
  // An offset that may be a fifth of the weight and more is no answer.
  const double weight = std::abs(state.x(0)) * size;
  if (options.bias && result.std_bias.tail<3>().maxCoeff() > 0.2 * weight)
    result.undetermined.push_back(
        "the sensor's offsets: weight and offset look alike in the orientations of this log");
  find_gravity_size(problem, options.bias, size, use, result);
  const bool finite = state.x.allFinite() && state.covariance.allFinite();
  result.status = !finite                       ? CalibrationStatus::failed
                  : result.undetermined.empty() ? CalibrationStatus::ok
                                                : CalibrationStatus::undetermined;
  return result;
}

double Calibration::cut_off() const { return 1.0 / (2.0 * math::kPi * time_constant); }

std::string Calibration::brief_report() const {
  if (status == CalibrationStatus::failed) return "not calibrated";
  std::string text = "offset " + with_unit(bias.tail<3>().norm(), "N") + " and " +
                     with_unit(bias.head<3>().norm(), "N m") + ", gravity (" +
                     math::number_text(gravity_W(0), 4) + ", " + math::number_text(gravity_W(1), 4) + ", " +
                     math::number_text(gravity_W(2), 4) + ") m/s^2, latency " +
                     with_unit(1e3 * latency, "ms") + " (+- " + with_unit(1e3 * std_latency, "ms") + ")" +
                     (time_constant > 0.0 ? ", of it a low-pass of " + with_unit(cut_off(), "Hz") : "") +
                     ", mass " + with_unit(body.mass, "kg");
  for (const std::string& sentence : undetermined) text += "; undetermined: " + sentence;
  return text;
}

Calibration changed(const Calibration& calibration, const CalibrationVector& change) {
  Calibration result = calibration;
  result.body = math::SpatialInertia::from_parameters(
      math::Vector10d(calibration.body.parameters() + change.head<10>()));
  result.bias += change.segment<6>(10);
  const double size = calibration.gravity_W.norm();
  if (size > 0.0) {
    const Vector3d tilted =
        calibration.gravity_W + size * plane_of(calibration.gravity_W) * change.segment<2>(kTilt);
    result.gravity_W = size * tilted.normalized();
  }
  result.latency += change(kLatency);
  result.time_constant =
      std::sqrt(std::max(0.0, calibration.time_constant * calibration.time_constant + change(kFilter)));
  return result;
}

model::WrenchLog calibrated_log(const model::WrenchLog& log, const Calibration& calibration,
                                WrenchFrame wrench_frame) {
  const std::size_t n = log.rows();
  const bool in_world = wrench_frame == WrenchFrame::world;
  std::vector<math::Vector6d> wrench(n);  // in the sensor's axes
  for (std::size_t k = 0; k < n; ++k) {
    const Eigen::Matrix3d R =
        in_world ? Eigen::Matrix3d(log.X_WS[k].R().transpose()) : Eigen::Matrix3d::Identity();
    wrench[k] << R * log.tau_S[k], R * log.f_S[k];
    wrench[k] -= calibration.bias;
  }
  model::WrenchLog result;
  result.columns = log.columns;
  const auto keep = [](const auto& from, std::size_t k, auto& to) {
    if (!from.empty()) to.push_back(from[k]);
  };
  for (std::size_t k = 0; k < n; ++k) {
    const double at = log.t[k] + calibration.latency;
    if (at < log.t.front() || at > log.t.back()) continue;
    auto next = static_cast<std::size_t>(std::upper_bound(log.t.begin(), log.t.end(), at) - log.t.begin());
    next = std::clamp<std::size_t>(next, 1, n - 1);
    const double step = log.t[next] - log.t[next - 1];
    const double share = step > 0.0 ? (at - log.t[next - 1]) / step : 0.0;
    const math::Vector6d now = (1.0 - share) * wrench[next - 1] + share * wrench[next];
    const Eigen::Matrix3d R = in_world ? log.X_WS[k].R() : Eigen::Matrix3d::Identity();
    result.t.push_back(log.t[k]);
    result.X_WS.push_back(log.X_WS[k]);
    keep(log.v_WS_W, k, result.v_WS_W);
    keep(log.w_WS_W, k, result.w_WS_W);
    keep(log.a_WS_W, k, result.a_WS_W);
    keep(log.al_WS_W, k, result.al_WS_W);
    keep(log.X_WO, k, result.X_WO);
    result.tau_S.push_back(R * now.head<3>());
    result.f_S.push_back(R * now.tail<3>());
  }
  return result;
}

Samples calibrated_samples(const model::WrenchLog& log, const Calibration& calibration,
                           const SampleOptions& sample_options, const SmootherOptions& smoother_options,
                           const math::SpatialInertia* tool) {
  return calibrated_samples(log, smooth_motion(log, smoother_options), calibration, sample_options, tool);
}

Samples calibrated_samples(const model::WrenchLog& log, const SmoothedMotion& motion,
                           const Calibration& calibration, const SampleOptions& sample_options,
                           const math::SpatialInertia* tool) {
  if (motion.status != SmootherStatus::ok) throw std::invalid_argument("the log's motion cannot be smoothed");
  SampleOptions found = sample_options;
  found.gravity_W = calibration.gravity_W;
  Samples samples = smoothed_samples(log, motion, found);
  const Problem problem{log, motion, sample_options.wrench_frame == WrenchFrame::world};
  samples.samples =
      samples_at(problem, calibration.gravity_W, calibration.latency, calibration.time_constant);
  for (Sample& sample : samples.samples) {
    sample.wrench -= calibration.bias;
    if (tool) sample.wrench -= wrench_of(*tool, sample.motion);
  }
  // Rows whose motion lies beyond the ends of the log have none.
  std::erase_if(samples.samples, [&](const Sample& sample) {
    const double at = sample.t - calibration.latency;
    return at < log.t.front() - 1e-12 || at > log.t.back() + 1e-12;
  });
  return samples;
}

}  // namespace prehend::inertia
