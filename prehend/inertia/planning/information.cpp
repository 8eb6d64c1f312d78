#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/inertia/planning/information.h>
#include <prehend/math/infinity.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;

// Rounding of sums of squares: what is smaller, relative to a unit diagonal, is no information.
constexpr double kSmallestShare = 1e-13;

// Inverse; infinite where rank is lost.
template <int N>
Eigen::Matrix<double, N, N> covariance_of(const Eigen::Matrix<double, N, N>& information) {
  using Matrix = Eigen::Matrix<double, N, N>;
  const Eigen::Matrix<double, N, 1> diagonal = information.diagonal();
  if (!(diagonal.minCoeff() > 0.0) || !diagonal.allFinite()) return Matrix::Constant(kInfinity);
  const Eigen::Matrix<double, N, 1> scale = diagonal.cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
  if (!(solver.eigenvalues()[0] > kSmallestShare)) return Matrix::Constant(kInfinity);
  return scale.asDiagonal() * solver.eigenvectors() * solver.eigenvalues().cwiseInverse().asDiagonal() *
         solver.eigenvectors().transpose() * scale.asDiagonal();
}

template <int N>
double condition_of(const Eigen::Matrix<double, N, N>& information) {
  using Matrix = Eigen::Matrix<double, N, N>;
  const Eigen::Matrix<double, N, 1> diagonal = information.diagonal();
  if (!(diagonal.minCoeff() > 0.0)) return kInfinity;
  const Eigen::Matrix<double, N, 1> scale = diagonal.cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled, Eigen::EigenvaluesOnly);
  const double smallest = solver.eigenvalues()[0];
  return smallest > kSmallestShare ? std::sqrt(solver.eigenvalues()[N - 1] / smallest) : kInfinity;
}

// com = (m c) / m: first order in the covariance of [m, m c].
void set_com(const Eigen::Matrix4d& covariance, const math::SpatialInertia& expected_S,
             PredictedDeviation& deviation) {
  Eigen::Matrix<double, 3, 4> J;
  J << -expected_S.com, Eigen::Matrix3d::Identity();
  J /= expected_S.mass;
  deviation.com_covariance = J * covariance * J.transpose();
  deviation.com = deviation.com_covariance.diagonal().cwiseSqrt();
  if (!covariance.allFinite()) deviation.com.setConstant(kInfinity);
}

}  // namespace

void WrenchNoise::validate() const {
  const auto require = [](double value, const char* name, const char* unit) {
    if (!(value > 0.0) || !std::isfinite(value)) {
      throw std::invalid_argument(std::string(name) + " noise is " + math::number_text(value) + " " + unit +
                                  "; it must be positive and finite");
    }
  };
  require(force, "force", "N");
  require(torque, "torque", "N m");
}

Matrix10d information(std::span<const Motion> motions, const WrenchNoise& noise) {
  noise.validate();
  math::Vector6d scale;
  scale << Eigen::Vector3d::Constant(1.0 / noise.torque), Eigen::Vector3d::Constant(1.0 / noise.force);
  Regressor mean = Regressor::Zero();
  if (noise.has_bias) {
    for (const Motion& motion : motions) mean += wrench_regressor(motion);
    if (!motions.empty()) mean /= static_cast<double>(motions.size());
  }
  Matrix10d sum = Matrix10d::Zero();
  for (const Motion& motion : motions) {
    const Regressor rows = scale.asDiagonal() * (wrench_regressor(motion) - mean);
    sum.noalias() += rows.transpose() * rows;
  }
  return sum;
}

double condition_number(const Matrix10d& information) { return condition_of<10>(information); }
double still_condition_number(const Matrix10d& information) {
  return condition_of<4>(information.topLeftCorner<4, 4>());
}

PredictedDeviation predicted_deviation(const Matrix10d& information, const math::SpatialInertia& expected_S) {
  const Matrix10d covariance = covariance_of<10>(information);
  PredictedDeviation deviation;
  deviation.mass = std::sqrt(covariance(0, 0));
  set_com(covariance.topLeftCorner<4, 4>(), expected_S, deviation);
  deviation.inertia = covariance.diagonal().tail<6>().cwiseSqrt();
  return deviation;
}

PredictedDeviation predicted_still_deviation(const Matrix10d& information,
                                             const math::SpatialInertia& expected_S) {
  const Eigen::Matrix4d covariance = covariance_of<4>(information.topLeftCorner<4, 4>());
  PredictedDeviation deviation;
  deviation.mass = std::sqrt(covariance(0, 0));
  set_com(covariance, expected_S, deviation);
  deviation.inertia.setConstant(kInfinity);
  return deviation;
}

}  // namespace prehend::inertia
