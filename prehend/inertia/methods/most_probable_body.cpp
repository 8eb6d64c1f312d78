#include <cmath>
#include <limits>

#include <Eigen/LU>

#include <prehend/inertia/methods/most_probable_body.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {
namespace {

using Eigen::Matrix4d;
using math::Vector10d;

Matrix4d pseudo(const Vector10d& phi) {
  Matrix4d J;
  const double half_trace = 0.5 * (phi[4] + phi[7] + phi[9]);
  J << half_trace - phi[4], -phi[5], -phi[6], phi[1],  //
      -phi[5], half_trace - phi[7], -phi[8], phi[2],   //
      -phi[6], -phi[8], half_trace - phi[9], phi[3],   //
      phi[1], phi[2], phi[3], phi[0];
  return J;
}

Vector10d body_parameters_of(const Matrix4d& J) {
  const double trace = J.topLeftCorner<3, 3>().trace();
  Vector10d phi;
  phi << J(3, 3), J(0, 3), J(1, 3), J(2, 3),  //
      trace - J(0, 0), -J(0, 1), -J(0, 2), trace - J(1, 1), -J(1, 2), trace - J(2, 2);
  return phi;
}

}  // namespace

BodyChart::BodyChart(const PriorComponent& component)
    : mean(component.mean), log_weight(component.log_weight) {
  // The mass is free: the whole body may be several times heavier or lighter than the present guess.
  constexpr double kFreeMass = 9.0;
  math::Matrix10d S = component.covariance + kFreeMass * mean * mean.transpose();
  const Vector10d scale = S.diagonal().cwiseSqrt();
  S = scale.cwiseInverse().asDiagonal() * S * scale.cwiseInverse().asDiagonal();
  S.diagonal().array() += 1e-12;  // what the shape holds exactly is held almost exactly
  L = scale.asDiagonal() * Cholesky<10>(S).L();
  const Cholesky<4> root(pseudo(mean));
  for (int k = 0; k < 10; ++k) {
    const Matrix4d half = root.half_solve(pseudo(L.col(k)));
    J_of[static_cast<std::size_t>(k)] = root.half_solve(Matrix4d(half.transpose()));
  }
}

Matrix4d BodyChart::J(const Vector10d& z) const {
  Matrix4d sum = Matrix4d::Identity();
  for (int k = 0; k < 10; ++k) sum += z[k] * J_of[static_cast<std::size_t>(k)];
  return sum;
}

PriorComponent moved(const PriorComponent& component, const Eigen::Vector3d& shift) {
  Matrix4d T = Matrix4d::Identity();
  T.topRightCorner<3, 1>() = shift;
  math::Matrix10d X;
  for (int k = 0; k < 10; ++k) X.col(k) = body_parameters_of(T * pseudo(Vector10d::Unit(k)) * T.transpose());
  PriorComponent result = component;
  result.mean = X * component.mean;
  result.covariance = X * component.covariance * X.transpose();
  return result;
}

BodyAnswer most_probable_body(const BodyChart& chart, const BodyInformation& data, double mass, double nu) {
  const math::Matrix10d root = mass * chart.L;
  math::Matrix10d M = root.transpose() * data.H * root;
  M.diagonal().array() += 1.0;
  const Vector10d r = root.transpose() * (data.g - data.H * (mass * chart.mean - data.origin));
  Cholesky<10> factor(M);
  Vector10d z = factor.solve(r);
  BodyAnswer answer;
  double log_det_J = 0.0;
  const auto objective = [&](const Vector10d& at, double& log_det) {
    const Cholesky<4> J(chart.J(at));
    if (!J.is_positive()) return std::numeric_limits<double>::infinity();
    log_det = J.log_determinant();
    return std::isfinite(log_det) ? 0.5 * at.dot(M * at) - r.dot(at) - nu * log_det
                                  : std::numeric_limits<double>::infinity();
  };
  double f = 0.5 * z.dot(M * z) - r.dot(z);
  if (nu > 0.0) {
    f = objective(z, log_det_J);
    if (!std::isfinite(f)) {
      z.setZero();  // the homogeneous body exists
      f = objective(z, log_det_J);
    }
    constexpr int kMaxSteps = 60;  // a bound on the time
    for (; answer.steps < kMaxSteps; ++answer.steps) {
      const Matrix4d inverse = chart.J(z).inverse();
      std::array<Matrix4d, 10> P;
      Vector10d gradient = M * z - r;
      for (int k = 0; k < 10; ++k) {
        P[static_cast<std::size_t>(k)] = inverse * chart.J_of[static_cast<std::size_t>(k)];
        gradient[k] -= nu * P[static_cast<std::size_t>(k)].trace();
      }
      math::Matrix10d hessian = M;
      for (int k = 0; k < 10; ++k)
        for (int l = 0; l <= k; ++l) {
          const double curvature =
              nu *
              P[static_cast<std::size_t>(k)].cwiseProduct(P[static_cast<std::size_t>(l)].transpose()).sum();
          hessian(k, l) += curvature;
          if (l < k) hessian(l, k) += curvature;
        }
      factor.compute(hessian);
      const Vector10d step = -factor.solve(gradient);
      const double decrement = -gradient.dot(step);
      // An error of a hundredth of a standard deviation is nothing beside one.
      if (!(decrement > 1e-8)) break;
      double length = 1.0;
      for (int halvings = 0; halvings < 60; ++halvings, length *= 0.5) {
        double log_det = 0.0;
        const double value = objective(z + length * step, log_det);
        if (value <= f - 1e-4 * length * decrement) {
          z += length * step;
          f = value;
          log_det_J = log_det;
          break;
        }
        if (halvings == 59) length = 0.0;
      }
      if (length == 0.0) break;  // rounding: no further progress
    }
  }
  const double log_det = factor.log_determinant();
  answer.phi = mass * chart.mean + root * z;
  const Vector10d d = answer.phi - data.origin;
  answer.log_evidence = chart.log_weight + data.g.dot(d) - 0.5 * d.dot(data.H * d) - 0.5 * z.squaredNorm() +
                        nu * log_det_J - 0.5 * log_det;
  const math::Matrix10d half = factor.half_solve(math::Matrix10d(root.transpose()));
  answer.covariance = half.transpose() * half;
  return answer;
}

}  // namespace prehend::inertia
