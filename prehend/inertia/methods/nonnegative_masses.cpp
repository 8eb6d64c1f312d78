#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <prehend/inertia/methods/nonnegative_masses.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {
namespace {

using math::Vector10d;

// The minimum of the dual along y + t step, t > 0. Its derivative `slope + t |step|^2 + sum over positive masses` is
// piecewise linear and rising: walk over the kinks in order of t.
double exact_step(const MassProblem& problem, const Eigen::VectorXd& mass_free, const Eigen::VectorXd& change,
                  double y_slope, double curvature) {
  // Derivative at t: y_slope + t curvature + sum_i d_i max(0, a_i + t b_i) b_i, a = mass_free, b = change.
  double value = y_slope, rate = curvature;
  std::vector<std::pair<double, int>> kinks;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    const double a = mass_free[i], b = change[i];
    if (a > 0.0 || (a == 0.0 && b > 0.0)) {
      value += problem.d[i] * a * b;
      rate += problem.d[i] * b * b;
    }
    if (a * b < 0.0) kinks.emplace_back(-a / b, static_cast<int>(i));
  }
  if (value >= 0.0) return 0.0;
  std::sort(kinks.begin(), kinks.end());
  double at = 0.0;
  for (const auto& [t, i] : kinks) {
    if (value + (t - at) * rate >= 0.0) break;
    value += (t - at) * rate;
    at = t;
    const double b = change[i];
    rate += (b > 0.0 ? 1.0 : -1.0) * problem.d[i] * b * b;
  }
  return at - value / rate;
}

}  // namespace

MassSolution solve_masses(const MassProblem& problem, Vector10d* warm) {
  const Eigen::Index n = problem.Q.cols();
  const Eigen::VectorXd inverse_d = problem.d.cwiseInverse();
  Vector10d y = Vector10d::Zero();
  if (warm) y = *warm;
  MassSolution solution;
  Eigen::VectorXd free = problem.m0 + inverse_d.cwiseProduct(problem.Q.transpose() * y);
  MassData positive(10, n);
  // With m = max(0, free): the gradient of the dual is y + Q m - r.
  for (; solution.iterations < 200 && !solution.converged; ++solution.iterations) {
    Vector10d gradient = y - problem.r;
    Eigen::Index count = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (free[i] <= 0.0) continue;
      gradient += free[i] * problem.Q.col(i);
      positive.col(count++) = std::sqrt(inverse_d[i]) * problem.Q.col(i);
    }
    math::Matrix10d hessian = math::Matrix10d::Identity();
    hessian.selfadjointView<Eigen::Lower>().rankUpdate(positive.leftCols(count));
    const Vector10d step = -Cholesky<10>(hessian).solve(gradient);
    const Eigen::VectorXd change = inverse_d.cwiseProduct(problem.Q.transpose() * step);
    // The full step is exact when no mass changes sides.
    bool same = true;
    for (Eigen::Index i = 0; i < n && same; ++i) same = (free[i] > 0.0) == (free[i] + change[i] > 0.0);
    double length = 1.0;
    if (!same) {
      length = exact_step(problem, free, change, (y - problem.r).dot(step), step.squaredNorm());
      // No descent is left but rounding.
      if (length <= 1e-14) same = true;
    }
    y += length * step;
    free = problem.m0 + inverse_d.cwiseProduct(problem.Q.transpose() * y);
    solution.converged = same;
  }
  solution.m = free.cwiseMax(0.0);
  solution.objective = 0.5 * (problem.Q * solution.m - problem.r).squaredNorm() +
                       0.5 * problem.d.cwiseProduct((solution.m - problem.m0).cwiseAbs2()).sum();
  if (warm) *warm = y;
  return solution;
}

}  // namespace prehend::inertia
