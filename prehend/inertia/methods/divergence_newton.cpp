#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <prehend/inertia/methods/divergence_newton.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

using math::Vector10d;

namespace {

// Orthonormal basis of symmetric 4x4 matrices: (i, i) and, with a root of two, (i, j).
struct Entry {
  int i, j;
};
constexpr std::array<Entry, 10> kEntries{
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
const double kRootHalf = std::sqrt(0.5);

// Second derivative of -log det in the basis above, P the inverse: trace(P B_k P B_l).
math::Matrix10d log_det_hessian(const Eigen::Matrix4d& P) {
  math::Matrix10d H;
  for (int k = 0; k < 10; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    const double first = i == j ? kRootHalf : 1.0;
    for (int l = 0; l <= k; ++l) {
      const auto [p, q] = kEntries[static_cast<std::size_t>(l)];
      const double second = p == q ? kRootHalf : 1.0;
      H(k, l) = H(l, k) = first * second * (P(i, p) * P(j, q) + P(i, q) * P(j, p));
    }
  }
  return H;
}

// How far along D: the exact minimum on the line, by Newton in one unknown on
//   t^2 |M D|^2 + 2 t r.(M D) + t trace D - sum log(1 + t e),  e the eigenvalues of Y^-1 D.
double line_minimum(double curvature, double slope, const Eigen::Vector4d& e) {
  const double largest = e.minCoeff() < 0.0 ? -1.0 / e.minCoeff() : std::numeric_limits<double>::infinity();
  double low = 0.0, high = largest, t = std::min(1.0, 0.9 * largest);
  for (int i = 0; i < 30; ++i) {
    const Eigen::Array4d ratio = e.array() / (1.0 + t * e.array());
    const double first = 2.0 * curvature * t + slope - ratio.sum();
    const double second = 2.0 * curvature + ratio.square().sum();
    (first > 0.0 ? high : low) = t;
    const double next = t - first / second;
    const double step =
        next > low && next < high ? next : (std::isfinite(high) ? 0.5 * (low + high) : 2.0 * t);
    if (std::abs(step - t) <= 1e-3 * t) return step;  // more would be lost on the next direction
    t = step;
  }
  return t;
}

}  // namespace

Eigen::Matrix4d symmetric_of(const Vector10d& y) {
  Eigen::Matrix4d Y;
  for (int k = 0; k < 10; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    Y(i, j) = Y(j, i) = i == j ? y[k] : kRootHalf * y[k];
  }
  return Y;
}

Vector10d coordinates_of(const Eigen::Matrix4d& Y) {
  Vector10d y;
  for (int k = 0; k < 10; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    y[k] = i == j ? Y(i, i) : 2.0 * kRootHalf * Y(i, j);
  }
  return y;
}

// From the prior the rows' weight is raised fivefold at a time, whenever the minimum of the last weight is near: strong data
// pulled on at once would throw the body against the boundary, where Newton's steps are short.
DivergenceMinimum minimise_divergence(const DivergenceProblem& problem, double tolerance,
                                      int max_iterations) {
  DivergenceMinimum result;
  const math::Matrix10d data_hessian = 2.0 * problem.M.transpose() * problem.M;
  const Vector10d trace_slope = coordinates_of(Eigen::Matrix4d::Identity());
  result.y = trace_slope;  // the prior
  double share = std::min(1.0, 5.0 / (problem.M * result.y - problem.z).squaredNorm());
  for (result.iterations = 0; result.iterations < max_iterations; ++result.iterations) {
    const Eigen::Matrix4d Y = symmetric_of(result.y);
    const Eigen::Matrix4d C_inverse = Cholesky<4>(Y).half_solve(Eigen::Matrix4d(Eigen::Matrix4d::Identity()));
    const Eigen::Matrix4d P = C_inverse.transpose() * C_inverse;
    const Vector10d residual = problem.M * result.y - problem.z;
    const Vector10d data_gradient = 2.0 * problem.M.transpose() * residual;
    const Vector10d prior_gradient = trace_slope - coordinates_of(P);
    const math::Matrix10d prior_hessian = log_det_hessian(P);
    Vector10d step;
    double decrement = 0.0;  // twice what a full step promises
    while (true) {
      const Vector10d gradient = share * data_gradient + prior_gradient;
      result.hessian = share * data_hessian + prior_hessian;
      step = -Cholesky<10>(result.hessian).solve(gradient);
      decrement = -gradient.dot(step);
      if (share == 1.0 || !(decrement < 1.0)) break;
      share = std::min(1.0, 5.0 * share);
    }
    const double log_det = -2.0 * C_inverse.diagonal().array().log().sum();
    const double objective = residual.squaredNorm() + problem.rest + Y.trace() - log_det - 4.0;
    if (share == 1.0 && decrement <= 2.0 * tolerance * std::max(objective, tolerance)) {
      result.converged = true;
      break;
    }
    double t = 1.0;
    if (decrement > 1e-4) {
      const Eigen::Matrix4d D = symmetric_of(step);
      const Eigen::Matrix4d E = C_inverse * D * C_inverse.transpose();
      const Eigen::Vector4d e = eigenvalues_of<4>(E);
      const Vector10d along = problem.M * step;
      t = line_minimum(share * along.squaredNorm(), 2.0 * share * residual.dot(along) + D.trace(), e);
    }
    result.y += t * step;
  }
  return result;
}

}  // namespace prehend::inertia
