#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>

#include <prehend/inertia/calibration.h>
#include <prehend/inertia/methods/wrench_fit.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

// Unknowns: phi 0-9, bias 10-15, tilt of gravity 16-17, latency 18.
constexpr int kTilt = 16, kLatency = 18, kUnknowns = 19;
using VectorU = Eigen::Matrix<double, kUnknowns, 1>;
using MatrixU = Eigen::Matrix<double, kUnknowns, kUnknowns>;

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

struct Problem {
  const model::WrenchLog& log;
  const SmoothedMotion& motion;
  bool in_world;
};

std::vector<Sample> samples_at(const Problem& problem, const Vector3d& gravity_W, double latency) {
  const SmoothedMotion motion = latency == 0.0 ? problem.motion : shifted_motion(problem.motion, -latency);
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

// Rows whose motion lies outside the log are not used, whatever the latency: all candidates judge the same rows.
std::vector<bool> inner_rows(const std::vector<double>& t, double margin) {
  std::vector<bool> use(t.size());
  for (std::size_t k = 0; k < t.size(); ++k) use[k] = t[k] - margin >= t.front() && t[k] + margin <= t.back();
  return use;
}

std::string with_unit(double value, const char* unit) { return math::number_text(value, 3) + " " + unit; }

}  // namespace

void CalibrationOptions::validate() const {
  const auto positive = [](double value, const char* name) {
    if (!(value > 0.0 && std::isfinite(value)))
      throw std::invalid_argument(std::string("CalibrationOptions.") + name + " = " +
                                  math::number_text(value) + ": must be a positive number");
  };
  positive(longest_latency, "longest_latency");
  positive(coarsest_gravity, "coarsest_gravity");
  positive(coarsest_latency, "coarsest_latency");
}

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

Calibration calibrate(const model::WrenchLog& log, const SampleOptions& sample_options,
                      const CalibrationOptions& options, const SmootherOptions& smoother_options) {
  options.validate();
  const SmoothedMotion motion = smooth_motion(log, smoother_options);
  if (motion.status != SmootherStatus::ok) throw std::invalid_argument("the log's motion cannot be smoothed");
  const Problem problem{log, motion, sample_options.wrench_frame == WrenchFrame::world};
  Calibration result;
  result.gravity_W = sample_options.gravity_W;
  const double size = result.gravity_W.norm();
  const double longest = std::min(options.longest_latency, 0.2 * log.duration());
  const std::vector<bool> use = inner_rows(log.t, options.latency ? longest : 0.0);

  // Latency by scan, then parabola: the likelihood has one broad valley but is flat far away from it.
  if (options.latency) {
    const double step = std::max(log.duration() / static_cast<double>(log.rows() - 1), longest / 15.0);
    double best = 0.0, at = 0.0;
    bool first = true;
    for (double latency = -longest; latency <= longest + 0.5 * step; latency += step) {
      const double cost = fit_wrench(samples_at(problem, result.gravity_W, latency), options.bias, use).cost;
      if (first || cost < best) {
        best = cost;
        at = latency;
      }
      first = false;
    }
    result.latency = at;
  }

  WrenchFit fit = fit_wrench(samples_at(problem, result.gravity_W, result.latency), options.bias, use);
  std::vector<int> unknown;
  MatrixU covariance = MatrixU::Zero();
  VectorU x = VectorU::Zero();
  x.head<10>() = fit.phi;
  x.segment<6>(10) = fit.bias;
  bool tilt = options.gravity_direction, late = options.latency;
  for (int round = 0; round < 3; ++round) {
    unknown.clear();
    for (int i = 0; i < 10; ++i) unknown.push_back(i);
    for (int i = 10; i < 16 && options.bias; ++i) unknown.push_back(i);
    if (tilt) unknown.insert(unknown.end(), {kTilt, kTilt + 1});
    if (late) unknown.push_back(kLatency);
    const auto u = static_cast<Eigen::Index>(unknown.size());
    for (int iteration = 0; iteration < 12; ++iteration) {
      const std::vector<Sample> now = samples_at(problem, result.gravity_W, result.latency);
      constexpr double kShift = 1e-4;  // [s] for the derivative of the motion
      std::vector<Sample> sooner, later;
      if (late) {
        sooner = samples_at(problem, result.gravity_W, result.latency - kShift);
        later = samples_at(problem, result.gravity_W, result.latency + kShift);
      }
      const double sigma_force = std::max({fit.rms_force, 1e-6 * fit.signal_force, 1e-12});
      const double sigma_torque = std::max({fit.rms_torque, 1e-6 * fit.signal_torque, 1e-12});
      const Eigen::Matrix<double, 3, 2> plane = plane_of(result.gravity_W);
      const SmoothedMotion moved = result.latency == 0.0 ? motion : shifted_motion(motion, -result.latency);
      MatrixU normal = MatrixU::Zero();
      VectorU right = VectorU::Zero();
      double force = 0.0, torque = 0.0, count = 0.0;
      for (std::size_t k = 0; k < now.size(); ++k) {
        if (!use[k]) continue;
        Eigen::Matrix<double, 6, kUnknowns> J = Eigen::Matrix<double, 6, kUnknowns>::Zero();
        const Regressor A = wrench_regressor(now[k].motion);
        J.leftCols<10>() = A;
        J.block<6, 6>(0, 10).setIdentity();
        // a = R (a_W - g): d tau = m c x da, d f = m da.
        const Eigen::Matrix3d R_SW = moved.X_WS[k].R().transpose();
        const Eigen::Matrix<double, 3, 2> da = -(R_SW * plane) * size;
        J.block<3, 2>(0, kTilt) = math::skew(x.segment<3>(1)) * da;
        J.block<3, 2>(3, kTilt) = x(0) * da;
        if (late)
          J.col(kLatency) = (wrench_regressor(later[k].motion) - wrench_regressor(sooner[k].motion)) *
                            x.head<10>() / (2.0 * kShift);
        math::Vector6d rest = now[k].wrench - A * x.head<10>() - x.segment<6>(10);
        torque += rest.head<3>().squaredNorm();
        force += rest.tail<3>().squaredNorm();
        count += 3.0;
        J.topRows<3>() /= sigma_torque;
        J.bottomRows<3>() /= sigma_force;
        rest.head<3>() /= sigma_torque;
        rest.tail<3>() /= sigma_force;
        normal += J.transpose() * J;
        right += J.transpose() * rest;
      }
      fit.rms_force = std::sqrt(force / count);
      fit.rms_torque = std::sqrt(torque / count);
      Eigen::MatrixXd N(u, u);
      Eigen::VectorXd b(u);
      for (Eigen::Index i = 0; i < u; ++i) {
        b(i) = right(unknown[static_cast<std::size_t>(i)]);
        for (Eigen::Index j = 0; j < u; ++j)
          N(i, j) = normal(unknown[static_cast<std::size_t>(i)], unknown[static_cast<std::size_t>(j)]);
      }
      const Eigen::VectorXd scale =
          N.diagonal().cwiseMax(1e-24 * N.diagonal().maxCoeff()).cwiseSqrt().cwiseInverse();
      const Eigen::MatrixXd scaled = scale.asDiagonal() * N * scale.asDiagonal();
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
      Eigen::VectorXd inverse = solver.eigenvalues();
      Eigen::VectorXd bounded = inverse;
      for (Eigen::Index i = 0; i < u; ++i) {
        bounded(i) = 1.0 / std::max(inverse(i), 1e-13);  // what is not told gets a vast deviation
        inverse(i) = inverse(i) > 1e-12 ? 1.0 / inverse(i) : 0.0;
      }
      const Eigen::MatrixXd V = scale.asDiagonal() * solver.eigenvectors();
      const Eigen::VectorXd dx = V * inverse.asDiagonal() * V.transpose() * b;
      const Eigen::MatrixXd C = V * bounded.asDiagonal() * V.transpose();
      VectorU step = VectorU::Zero();
      covariance.setZero();
      for (Eigen::Index i = 0; i < u; ++i) {
        step(unknown[static_cast<std::size_t>(i)]) = dx(i);
        for (Eigen::Index j = 0; j < u; ++j)
          covariance(unknown[static_cast<std::size_t>(i)], unknown[static_cast<std::size_t>(j)]) = C(i, j);
      }
      x.head<16>() += step.head<16>();
      if (tilt)
        result.gravity_W = size * (result.gravity_W + size * plane * step.segment<2>(kTilt)).normalized();
      if (late) result.latency = std::clamp(result.latency + step(kLatency), -longest, longest);
      if (iteration > 2 && dx.cwiseProduct(scale.cwiseInverse()).norm() < 1e-3) break;
    }
    result.std_gravity =
        tilt ? std::sqrt(std::max(covariance(kTilt, kTilt), covariance(kTilt + 1, kTilt + 1))) : 0.0;
    result.std_latency = late ? std::sqrt(covariance(kLatency, kLatency)) : 0.0;
    // What is not told goes back to what was given, and the rest is found again without it.
    bool again = false;
    if (tilt && result.std_gravity > options.coarsest_gravity) {
      result.undetermined.push_back("the direction of gravity: known to " +
                                    with_unit(result.std_gravity, "rad") +
                                    " only; more orientations tell it");
      result.gravity_W = sample_options.gravity_W;
      tilt = false;
      again = true;
    }
    if (late && result.std_latency > options.coarsest_latency) {
      result.undetermined.push_back("the latency: known to " + with_unit(result.std_latency, "s") +
                                    " only; faster motion tells it");
      result.latency = 0.0;
      late = false;
      again = true;
    }
    if (!again) break;
  }
  result.body = math::SpatialInertia::from_parameters(x.head<10>());
  result.bias = x.segment<6>(10);
  result.std_mass = std::sqrt(covariance(0, 0));
  for (int i = 0; i < 6; ++i) result.std_bias(i) = options.bias ? std::sqrt(covariance(10 + i, 10 + i)) : 0.0;
  result.residual_force = fit.rms_force;
  result.residual_torque = fit.rms_torque;
  // An offset that may be as large as the weight is no answer.
  const double weight = std::abs(x(0)) * size;
  if (options.bias && result.std_bias.tail<3>().maxCoeff() > 0.2 * weight)
    result.undetermined.push_back(
        "the sensor's offsets: weight and offset look alike in the orientations of this log");

  // Size of gravity: force rows with weight and inertial mass apart.
  Eigen::Matrix<double, 8, 8> N = Eigen::Matrix<double, 8, 8>::Zero();
  Eigen::Matrix<double, 8, 1> b = Eigen::Matrix<double, 8, 1>::Zero();
  const std::vector<Sample> final_samples = samples_at(problem, result.gravity_W, result.latency);
  for (std::size_t k = 0; k < final_samples.size(); ++k) {
    if (!use[k]) continue;
    const Sample& sample = final_samples[k];
    Eigen::Matrix<double, 3, 8> J = Eigen::Matrix<double, 3, 8>::Zero();
    J.col(0) = sample.motion.a + sample.gravity;  // inertial mass
    J.col(1) = -sample.gravity;                   // gravitational mass
    J.block<3, 3>(0, 2) = wrench_regressor(sample.motion).block<3, 3>(3, 1);
    if (options.bias) J.block<3, 3>(0, 5).setIdentity();
    N += J.transpose() * J;
    b += J.transpose() * sample.wrench.tail<3>();
  }
  const int rank = options.bias ? 8 : 5;
  const Eigen::MatrixXd sub = N.topLeftCorner(rank, rank);
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(sub);
  const Eigen::MatrixXd inverse =
      ldlt.solve(Eigen::MatrixXd::Identity(rank, rank)) * result.residual_force * result.residual_force;
  const Eigen::VectorXd masses = ldlt.solve(b.head(rank));
  if (ldlt.info() == Eigen::Success && inverse(0, 0) >= 0.0 && masses(0) > 10.0 * std::sqrt(inverse(0, 0)) &&
      masses(0) > 0.0) {
    const double ratio = masses(1) / masses(0);
    result.gravity_size = size * ratio;
    const double relative =
        std::sqrt(std::max(0.0, inverse(0, 0) + inverse(1, 1) - 2.0 * inverse(0, 1))) / masses(0);
    result.std_gravity_size = size * relative;
  }
  const bool finite = x.allFinite() && covariance.allFinite();
  result.status = !finite                       ? CalibrationStatus::failed
                  : result.undetermined.empty() ? CalibrationStatus::ok
                                                : CalibrationStatus::partly;
  return result;
}

std::string Calibration::brief_report() const {
  if (status == CalibrationStatus::failed) return "not calibrated";
  std::string text =
      "offset " + with_unit(bias.tail<3>().norm(), "N") + " and " + with_unit(bias.head<3>().norm(), "N m") +
      ", gravity (" + math::number_text(gravity_W(0), 4) + ", " + math::number_text(gravity_W(1), 4) + ", " +
      math::number_text(gravity_W(2), 4) + ") m/s^2, latency " + with_unit(1e3 * latency, "ms") + " (+- " +
      with_unit(1e3 * std_latency, "ms") + "), mass " + with_unit(body.mass, "kg");
  for (const std::string& sentence : undetermined) text += "; cannot tell " + sentence;
  return text;
}

Samples calibrated_samples(const model::WrenchLog& log, const Calibration& calibration,
                           const SampleOptions& sample_options, const SmootherOptions& smoother_options,
                           const math::SpatialInertia* tool) {
  const SmoothedMotion motion = smooth_motion(log, smoother_options);
  if (motion.status != SmootherStatus::ok) throw std::invalid_argument("the log's motion cannot be smoothed");
  SampleOptions found = sample_options;
  found.gravity_W = calibration.gravity_W;
  Samples samples = smoothed_samples(log, motion, found);
  const Problem problem{log, motion, sample_options.wrench_frame == WrenchFrame::world};
  samples.samples = samples_at(problem, calibration.gravity_W, calibration.latency);
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
