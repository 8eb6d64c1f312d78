#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <prehend/articulation/circle_fit.h>
#include <prehend/articulation/residual_functions.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

Circle algebraic_circle(std::span<const Eigen::Vector3d> p, const Eigen::Matrix3d& axes) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : p) mean += x / static_cast<double>(p.size());
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : p) {
    const Eigen::Vector3d u = axes.transpose() * (x - mean);
    const Eigen::Vector3d row(2 * u.x(), 2 * u.y(), 1);
    A += row * row.transpose();
    b += row * (u.x() * u.x() + u.y() * u.y());
  }
  A.diagonal().head<2>().array() += 1e-12 * A.diagonal().head<2>().maxCoeff();
  const Eigen::Vector3d x = A.ldlt().solve(b);
  Circle circle;
  circle.R = axes;
  circle.centre = mean + axes * Eigen::Vector3d(x[0], x[1], 0);
  circle.radius = std::sqrt(std::max(x[2] + x[0] * x[0] + x[1] * x[1], 1e-300));
  return circle;
}

CircleFit fit_circle(std::span<const Eigen::Vector3d> p, const Circle& start,
                     const CircleSettings& settings) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  CircleFit fit;
  fit.circle = start;
  fit.weights.assign(p.size(), 1.0);
  double variance = settings.variance;
  double damping = 1e-3, best_cost = std::numeric_limits<double>::infinity();
  Circle best = start;
  Matrix6 H = Matrix6::Zero();
  Vector6 g = Vector6::Zero();
  // Normal equations at a circle; false where it is worse than the best.
  const auto accumulate = [&](const Circle& circle, bool update_noise) {
    std::vector<Eigen::Vector2d> e(p.size());
    std::vector<double> squared(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Eigen::Vector3d u = circle.R.transpose() * (p[i] - circle.centre);
      e[i] = {std::hypot(u.x(), u.y()) - circle.radius, u.z()};
      squared[i] = e[i].squaredNorm();
    }
    if (update_noise && settings.variance == 0.0) {
      if (variance == 0.0) {  // median of chi-squared with two freedoms
        std::vector<double> sorted = squared;
        std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
        variance = sorted[sorted.size() / 2] / 1.386;
      }
      variance = std::max(variance, settings.variance_floor);
      for (int pass = 0; pass < 3; ++pass) {
        double sum = 0, weight = 1e-300;
        for (std::size_t i = 0; i < p.size(); ++i) {
          const double w = settings.robust ? engine::weight_of(squared[i] / variance, 20.0, 60.0) : 1.0;
          sum += w * squared[i];
          weight += w;
        }
        variance = std::max(sum / (2 * weight), settings.variance_floor);
      }
    }
    H.setZero();
    g.setZero();
    double cost = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double s2 = squared[i] / variance;
      const double w = settings.robust ? engine::weight_of(s2, 20.0, 60.0) : 1.0;
      fit.weights[i] = w;
      cost += 0.5 * std::min(s2, settings.robust ? 60.0 : s2) + std::log(variance);
      if (w == 0) continue;
      const Eigen::Vector3d u = circle.R.transpose() * (p[i] - circle.centre);
      const double rho = std::max(std::hypot(u.x(), u.y()), 1e-300);
      // Turning the axes by (wx, wy): z changes by w . (z x u) with sign of the coordinates' own turn.
      Vector6 J0, J1;
      J1 << u.y(), -u.x(), 0, 0, -1, 0;
      J0 << -u.z() * u.y() / rho, u.z() * u.x() / rho, -u.x() / rho, -u.y() / rho, 0, -1;
      H += w / variance * (J0 * J0.transpose() + J1 * J1.transpose());
      g += w / variance * (J0 * e[i][0] + J1 * e[i][1]);
    }
    if (std::isfinite(settings.radius_scale)) {
      const double r = circle.radius / settings.radius_scale;
      cost += 0.5 * r * r;
      H(5, 5) += 1.0 / (settings.radius_scale * settings.radius_scale);
      g[5] += r / settings.radius_scale;
    }
    return cost;
  };
  for (; fit.iterations < settings.max_iterations; ++fit.iterations) {
    const double cost = accumulate(fit.circle, fit.iterations == 0 || fit.iterations % 3 == 0);
    if (cost > best_cost + 1e-9 * std::abs(best_cost) && fit.iterations % 3 != 0) {
      fit.circle = best;
      damping = std::min(damping * 10, 1e9);
      accumulate(fit.circle, false);
    } else {
      best = fit.circle;
      best_cost = cost;
      damping *= 0.2;
    }
    Matrix6 A = H;
    A.diagonal() *= 1 + damping;
    A.diagonal().array() += 1e-300;
    Vector6 step = A.ldlt().solve(-g);
    if (!step.allFinite()) break;
    const double size = step.dot(H * step);
    const double turn = step.head<2>().norm();
    if (turn > 0.3) step *= 0.3 / turn;
    fit.circle.centre += fit.circle.R * Eigen::Vector3d(step[2], step[3], step[4]);
    fit.circle.R = fit.circle.R * math::exp_so3(Eigen::Vector3d(step[0], step[1], 0)).toRotationMatrix();
    fit.circle.radius = std::abs(fit.circle.radius + step[5]);
    if (fit.iterations > 2 && damping < 1 && size < settings.tolerance * settings.tolerance) {
      fit.converged = true;
      break;
    }
  }
  fit.cost = accumulate(fit.circle, true);
  fit.variance = variance;
  Vector6 scale;
  for (int k = 0; k < 6; ++k) scale[k] = H(k, k) > 0 ? 1 / std::sqrt(H(k, k)) : 0;
  const Eigen::LDLT<Matrix6> ldlt(scale.asDiagonal() * H * scale.asDiagonal());
  fit.covariance = scale.asDiagonal() * Matrix6(ldlt.solve(Matrix6::Identity())) * scale.asDiagonal();
  if (!fit.covariance.allFinite() || ldlt.vectorD().minCoeff() < 1e-13)
    fit.covariance.setConstant(std::numeric_limits<double>::infinity());
  return fit;
}

}  // namespace prehend::articulation
