#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>

#include <prehend/math/so3.h>
#include <prehend/observation/relations/least_motion.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// A motion away from the seen pose: turn (rotation vector) about the reference point, then its shift; divided by the noise.
struct Parameters {
  const math::Pose& seen;
  const CorrectionOptions& options;
  Vector3d reference_F;  // of the seen pose

  Parameters(const math::Pose& X, const CorrectionOptions& o)
      : seen(X), options(o), reference_F(X * o.reference_M) {}

  math::Pose pose(const Vector6& x) const {
    const Eigen::Quaterniond q = math::exp_so3(turn_of(x, options)) * seen.q();
    const Vector3d reference = reference_F + shift_of(x, options);
    return math::Pose(q.normalized(), reference - q.normalized() * options.reference_M);
  }
};

struct Evaluation {
  std::vector<RowVector6d> slopes;
  std::vector<double> gaps;
  double largest{0.0};
};

// Slopes by the parameters: a change of the rotation vector turns by the left Jacobian times it.
void evaluate_rows(const std::vector<ContactRow>& rows, const Parameters& parameters, const Vector6& x,
                   Evaluation& evaluation) {
  const math::Pose X = parameters.pose(x);
  const Eigen::Matrix3d R = X.R();
  const Vector3d centre = X * parameters.options.reference_M;
  const Eigen::Matrix3d jacobian = math::left_jacobian_so3(turn_of(x, parameters.options));
  evaluation.slopes.clear();
  evaluation.gaps.clear();
  evaluation.largest = 0.0;
  for (const ContactRow& row : rows) {
    const RowValue value = evaluate(row, R, X.p(), centre);
    RowVector6d slope;
    slope << value.slope.head<3>() * jacobian, value.slope.tail<3>();
    evaluation.slopes.push_back(per_noise_unit(slope, parameters.options));
    evaluation.gaps.push_back(value.gap);
    evaluation.largest = std::max(evaluation.largest, std::abs(value.gap));
  }
}

void finish(const Parameters& parameters, const Vector6& x, const Evaluation& evaluation, double met,
            Correction& correction) {
  correction.X_FM = parameters.pose(x);
  correction.residual_m = evaluation.largest;
  correction.cost = x.squaredNorm();
  correction.moved_m = shift_of(x, parameters.options).norm();
  correction.turned_rad =
      2.0 * std::asin(std::min(1.0, (correction.X_FM.q() * parameters.seen.q().conjugate()).vec().norm()));
  correction.status = evaluation.largest <= met ? CorrectionStatus::ok : CorrectionStatus::not_converged;
}

// [m] Contact equations are met to this; those that follow from others only to `slack`.
constexpr double kMet = 1e-9;

// Of rows that were chosen because they do not depend on each other, in the units of the noise: a turn may count next to nothing there.
constexpr double kVanishing = 1e-7;

Vector6 step_across(const Evaluation& now, ShortestStep& step) {
  std::vector<double> wanted(now.gaps.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k] = -now.gaps[k];
  step = shortest_step(now.slopes, wanted, kVanishing);
  return step.x;
}

// Rows that do not depend on others, where turns count as much as shifts whatever the noise is.
ShortestStep independent_rows(const Evaluation& now, const TrackNoise& noise) {
  double lever = 0.0;
  for (const RowVector6d& slope : now.slopes) lever = std::max(lever, slope.head<3>().norm() / noise.angle);
  std::vector<RowVector6d> slopes = now.slopes;
  for (RowVector6d& slope : slopes) {
    slope.head<3>() /= noise.angle * (lever > 0.0 ? lever : 1.0);
    slope.tail<3>() /= noise.position;
  }
  return shortest_step(slopes, now.gaps);
}

// The shortest x on the equations, iterated from zero; the rows that were used last.
struct LeastRun {
  Vector6 x{Vector6::Zero()};
  ShortestStep last;
  int iterations{0};
  double change{0.0};  // [noise units] of the last step
};

LeastRun run_least(const std::vector<ContactRow>& rows, const Parameters& parameters) {
  LeastRun run;
  Evaluation now;
  std::vector<double> wanted;
  double former = 1e300, share = 1.0;
  for (int i = 0; i < parameters.options.most_iterations; ++i) {
    run.iterations = i + 1;
    evaluate_rows(rows, parameters, run.x, now);
    wanted.resize(now.gaps.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k] = now.slopes[k].dot(run.x) - now.gaps[k];
    run.last = shortest_step(now.slopes, wanted, kVanishing);
    const double change = (run.last.x - run.x).norm();
    // Damped where it swings.
    if (i > 3) share = change > 0.8 * former ? std::max(0.5 * share, 1.0 / 64.0) : std::min(1.0, 1.5 * share);
    former = change;
    run.change = change;
    run.x += share * (run.last.x - run.x);
    if (change <= parameters.options.convergence * (1.0 + run.x.norm())) break;
    if (!(run.x.norm() * parameters.options.noise.angle < 10.0)) break;
  }
  return run;
}

std::vector<ContactRow> chosen_rows(const std::vector<ContactRow>& rows, const ShortestStep& step) {
  std::vector<ContactRow> chosen;
  for (int k = 0; k < step.rank; ++k)
    chosen.push_back(rows[static_cast<std::size_t>(step.used[static_cast<std::size_t>(k)])]);
  return chosen;
}

// Steps 3 and 4 of section 2.7.3: the linearised equations, all of them, solved by the singular value decomposition: least squares where they contradict
// each other, the shortest such step where they leave freedoms. What counts as a zero singular value is not printed; here rounding, 1e-9 of the largest.
Vector6 svd_step(const Evaluation& now) {
  Eigen::Matrix<double, Eigen::Dynamic, 6> slopes(static_cast<Eigen::Index>(now.slopes.size()), 6);
  Eigen::VectorXd wanted(slopes.rows());
  for (Eigen::Index k = 0; k < slopes.rows(); ++k) {
    slopes.row(k) = now.slopes[static_cast<std::size_t>(k)];
    wanted[k] = -now.gaps[static_cast<std::size_t>(k)];
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(slopes, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9);
  return svd.solve(wanted);
}

}  // namespace

Correction solve_least(const std::vector<ContactRow>& rows, const math::Pose& X_FM_seen,
                       const CorrectionOptions& options, double slack) {
  const Parameters parameters(X_FM_seen, options);
  Correction correction;
  Evaluation now;
  // Rows that depend on others are chosen once: a mesh's rounding must not make the choice swing.
  evaluate_rows(rows, parameters, Vector6::Zero(), now);
  std::vector<ContactRow> chosen = chosen_rows(rows, independent_rows(now, options.noise));
  ShortestStep step;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const LeastRun run = run_least(chosen, parameters);
    Vector6 x = run.x;
    correction.iterations += run.iterations;
    correction.restricted = run.last.rank;
    chosen = chosen_rows(chosen, run.last);
    // What is left is rounding and the last bit of curvature: Newton steps across the equations.
    for (int i = 0; i < 8; ++i) {
      evaluate_rows(chosen, parameters, x, now);
      if (now.largest <= 1e-15) break;
      x += step_across(now, step);
    }
    evaluate_rows(chosen, parameters, x, now);
    finish(parameters, x, now, kMet, correction);
    // On the equations, but not at the least motion.
    constexpr double kSettled = 1e-3;
    if (run.change > kSettled * (1.0 + x.norm())) correction.status = CorrectionStatus::not_converged;
    evaluate_rows(rows, parameters, x, now);
    if (correction.status != CorrectionStatus::ok || now.largest <= slack) break;
    correction.status = CorrectionStatus::not_converged;
    correction.residual_m = now.largest;
    // Dependent to first order at the start only: chosen again.
    chosen = chosen_rows(rows, independent_rows(now, options.noise));
  }
  return correction;
}

Correction solve_newton(const std::vector<ContactRow>& rows, const math::Pose& X_FM_seen,
                        const CorrectionOptions& options, double slack) {
  // Millimetres and radians count alike.
  CorrectionOptions source = options;
  source.noise = {1e-3, 1.0};
  source.directions = {};
  Correction correction;
  math::Pose X = X_FM_seen;
  Evaluation now;
  ShortestStep step;
  for (int i = 0; i < options.most_iterations; ++i) {
    correction.iterations = i + 1;
    const Parameters here(X, source);
    evaluate_rows(rows, here, Vector6::Zero(), now);
    if (now.largest <= 1e-14) break;
    step_across(now, step);
    correction.restricted = step.rank;
    const Vector6 x = svd_step(now);
    if (!(x.norm() < 1e6)) break;
    X = here.pose(x);
    if (x.norm() <= 1e-14) break;
  }
  evaluate_rows(rows, Parameters(X, source), Vector6::Zero(), now);
  const bool is_met = now.largest <= slack;
  evaluate_rows(chosen_rows(rows, step), Parameters(X, source), Vector6::Zero(), now);
  const Parameters from_seen(X_FM_seen, options);
  finish(from_seen, motion_between(X_FM_seen, X, options), now, kMet, correction);
  correction.X_FM = X;
  if (!is_met) correction.status = CorrectionStatus::not_converged;
  return correction;
}

Eigen::Matrix<double, 6, 1> in_noise_units(const Eigen::Vector3d& turn, const Eigen::Vector3d& shift,
                                           const CorrectionOptions& options) {
  Eigen::Matrix<double, 6, 1> x;
  if (options.directions.is_even) {
    x << turn / options.noise.angle, shift / options.noise.position;
  } else {
    x << options.directions.angle.inverse() * turn / options.noise.angle,
        options.directions.position.inverse() * shift / options.noise.position;
  }
  return x;
}

Eigen::Vector3d turn_of(const Eigen::Matrix<double, 6, 1>& x, const CorrectionOptions& options) {
  const Eigen::Vector3d turn = options.noise.angle * x.head<3>();
  return options.directions.is_even ? turn : Eigen::Vector3d(options.directions.angle * turn);
}

Eigen::Vector3d shift_of(const Eigen::Matrix<double, 6, 1>& x, const CorrectionOptions& options) {
  const Eigen::Vector3d shift = options.noise.position * x.tail<3>();
  return options.directions.is_even ? shift : Eigen::Vector3d(options.directions.position * shift);
}

RowVector6d per_noise_unit(const RowVector6d& slope, const CorrectionOptions& options) {
  RowVector6d row;
  row << options.noise.angle * slope.head<3>(), options.noise.position * slope.tail<3>();
  if (options.directions.is_even) return row;
  RowVector6d turned;
  turned << row.head<3>() * options.directions.angle, row.tail<3>() * options.directions.position;
  return turned;
}

Eigen::Matrix<double, 6, 1> motion_between(const math::Pose& X_FM_seen, const math::Pose& X_FM,
                                           const CorrectionOptions& options) {
  return in_noise_units(math::log_so3(X_FM.q() * X_FM_seen.q().conjugate()),
                        X_FM * options.reference_M - X_FM_seen * options.reference_M, options);
}

TrackNoise largest_factors(const NoiseDirections& directions) {
  if (directions.is_even) return {1.0, 1.0};
  // Symmetric and positive: no vector becomes longer than by the Frobenius norm, and the longest by that over sqrt(3) at least.
  return {directions.position.norm(), directions.angle.norm()};
}

double log_spread(const std::vector<ContactRow>& rows, const math::Pose& X_FM,
                  const CorrectionOptions& options) {
  if (options.directions.is_even) return 0.0;
  CorrectionOptions even = options;
  even.directions = {};
  const Eigen::Matrix3d R = X_FM.R();
  const Eigen::Vector3d centre = X_FM * options.reference_M;
  // Orthonormal directions that are restricted, in units of even noise, and what the noise is along them.
  std::vector<RowVector6d> basis;
  for (const ContactRow& row : rows) {
    RowVector6d slope = per_noise_unit(evaluate(row, R, X_FM.p(), centre).slope, even);
    const double size = slope.norm();
    for (const RowVector6d& b : basis) slope -= b.dot(slope) * b;
    if (basis.size() < 6 && slope.norm() > 1e-3 * size) basis.push_back(slope.normalized());
  }
  if (basis.empty()) return 0.0;
  Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6> along(static_cast<Eigen::Index>(basis.size()), 6);
  for (std::size_t k = 0; k < basis.size(); ++k)
    along.row(static_cast<Eigen::Index>(k)) << basis[k].head<3>() * options.directions.angle,
        basis[k].tail<3>() * options.directions.position;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> covariance = along * along.transpose();
  return 0.5 * std::log(covariance.determinant());
}

}  // namespace prehend::observation
