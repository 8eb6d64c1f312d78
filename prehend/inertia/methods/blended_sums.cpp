#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Cholesky>

#include <prehend/inertia/methods/blended_sums.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {

void FullSums::add(const FullSums& other, double squared_weight) {
  force += squared_weight * other.force;
  torque += squared_weight * other.torque;
  count += squared_weight * other.count;
}

void ReducedSums::add(const ReducedSums& other, double squared_weight) {
  gg += squared_weight * other.gg;
  gf += squared_weight * other.gf;
  ff += squared_weight * other.ff;
  torque += squared_weight * other.torque;
  count += squared_weight * other.count;
}

FullSums full_sums(const Sample& sample) {
  const Regressor A = wrench_regressor(sample.motion);
  Eigen::Matrix<double, 3, 5> force;
  force << A.block<3, 4>(3, 0), sample.wrench.tail<3>();
  Eigen::Matrix<double, 3, 10> torque;
  torque << A.block<3, 9>(0, 1), sample.wrench.head<3>();
  FullSums sums;
  sums.force.noalias() = force.transpose().lazyProduct(force);
  sums.torque.noalias() = torque.transpose().lazyProduct(torque);
  sums.count = 1.0;
  // A number that is not finite would spoil all that came before it without a trace.
  if (!std::isfinite(sums.force.trace() + sums.torque.trace()))
    throw std::invalid_argument("a sample holds a number that is not finite");
  return sums;
}

ReducedSums reduced_sums(const Sample& sample, const Eigen::Vector3d& gravity) {
  // f = -g m and tau = (m c) x (-g) = g x (m c).
  Eigen::Matrix<double, 3, 4> torque;
  torque << 0.0, -gravity.z(), gravity.y(), sample.wrench[0],  //
      gravity.z(), 0.0, -gravity.x(), sample.wrench[1],        //
      -gravity.y(), gravity.x(), 0.0, sample.wrench[2];
  const Eigen::Vector3d force = sample.wrench.tail<3>();
  ReducedSums sums;
  sums.gg = gravity.squaredNorm();
  sums.gf = -gravity.dot(force);
  sums.ff = force.squaredNorm();
  sums.torque.noalias() = torque.transpose().lazyProduct(torque);
  sums.count = 1.0;
  if (!std::isfinite(sums.gg + sums.ff + sums.torque.trace()))
    throw std::invalid_argument("a sample holds a number that is not finite");
  return sums;
}

double Quadratic::squared_residual(const math::Vector10d& phi) const {
  return std::max(0.0, phi.dot(G * phi) - 2.0 * h.dot(phi) + c);
}

Quadratic& Quadratic::operator+=(const Quadratic& other) {
  G += other.G;
  h += other.h;
  c += other.c;
  rows += other.rows;
  return *this;
}

Quadratic Quadratic::operator*(double factor) const { return {factor * G, factor * h, factor * c, rows}; }

Quadratic force_quadratic(const FullSums& sums) {
  Quadratic q;
  q.G.topLeftCorner<4, 4>() = sums.force.topLeftCorner<4, 4>();
  q.h.head<4>() = sums.force.topRightCorner<4, 1>();
  q.c = sums.force(4, 4);
  q.rows = 3.0 * sums.count;
  return q;
}

Quadratic torque_quadratic(const FullSums& sums) {
  Quadratic q;
  q.G.bottomRightCorner<9, 9>() = sums.torque.topLeftCorner<9, 9>();
  q.h.tail<9>() = sums.torque.topRightCorner<9, 1>();
  q.c = sums.torque(9, 9);
  q.rows = 3.0 * sums.count;
  return q;
}

Quadratic force_quadratic(const ReducedSums& sums) {
  Quadratic q;
  q.G(0, 0) = sums.gg;
  q.h[0] = sums.gf;
  q.c = sums.ff;
  q.rows = 3.0 * sums.count;
  return q;
}

Quadratic torque_quadratic(const ReducedSums& sums) {
  Quadratic q;
  q.G.block<3, 3>(1, 1) = sums.torque.topLeftCorner<3, 3>();
  q.h.segment<3>(1) = sums.torque.topRightCorner<3, 1>();
  q.c = sums.torque(3, 3);
  q.rows = 3.0 * sums.count;
  return q;
}

SquareRoot square_root(const Quadratic& quadratic) {
  SquareRoot root;
  math::Vector10d scale = quadratic.G.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (double& s : scale)
    if (!(s > 0.0)) s = 1.0;
  const math::Vector10d inverse = scale.cwiseInverse();
  const math::Matrix10d scaled = inverse.asDiagonal() * quadratic.G * inverse.asDiagonal();
  const Eigen::LDLT<math::Matrix10d> ldlt(scaled);
  const math::Vector10d pivots = ldlt.vectorD();
  const math::Matrix10d L = ldlt.matrixL();
  const math::Vector10d forward = L.triangularView<Eigen::UnitLower>().solve(
      math::Vector10d(ldlt.transpositionsP() * (inverse.cwiseProduct(quadratic.h))));
  math::Matrix10d R = L.transpose();
  R = R * (ldlt.transpositionsP() * math::Matrix10d(math::Matrix10d::Identity()));
  constexpr double kRounding = 1e-13;  // of unit columns summed over thousands of rows
  for (int k = 0; k < 10; ++k) {
    if (pivots[k] <= kRounding) continue;
    root.R.row(k) = std::sqrt(pivots[k]) * R.row(k).cwiseProduct(scale.transpose());
    root.r[k] = forward[k] / std::sqrt(pivots[k]);
    ++root.rank;
  }
  return root;
}

SampleNoise wrench_noise(const Quadratic& force, const Quadratic& torque) {
  SampleNoise noise;
  const double rows = std::max(1.0, force.rows);
  const double force_rms = std::sqrt(force.c / rows), torque_rms = std::sqrt(torque.c / rows);
  noise.force = std::max(force_rms, 1e-300);
  noise.torque = std::max(torque_rms, 1e-300);
  // Twice: the first weighs kinds of rows by their size, the second by the noise that showed.
  for (int round = 0; round < 2; ++round) {
    Quadratic both = force * (1.0 / (noise.force * noise.force));
    both += torque * (1.0 / (noise.torque * noise.torque));
    // A whiff of ridge on scaled columns stands in for the prior in directions that the motion never shows.
    math::Vector10d scale = both.G.diagonal().cwiseSqrt();
    for (double& s : scale)
      if (!(s > 0.0)) s = 1.0;
    const math::Vector10d inverse = scale.cwiseInverse();
    math::Matrix10d scaled = inverse.asDiagonal() * both.G * inverse.asDiagonal();
    scaled.diagonal().array() += 1e-10;
    const math::Vector10d right = inverse.cwiseProduct(both.h);
    const math::Vector10d phi = inverse.cwiseProduct(Cholesky<10>(scaled).solve(right));
    // Ten parameters take up ten of the rows.
    const double freedom = std::max(1.0, 2.0 * rows - 10.0) / (2.0 * rows);
    noise.force = std::max(std::sqrt(force.squared_residual(phi) / rows / freedom), 1e-4 * force_rms);
    noise.torque = std::max(std::sqrt(torque.squared_residual(phi) / rows / freedom), 1e-4 * torque_rms);
    noise.force = std::max(noise.force, 1e-300);
    noise.torque = std::max(noise.torque, 1e-300);
  }
  return noise;
}

}  // namespace prehend::inertia
