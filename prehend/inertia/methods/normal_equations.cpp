#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {
namespace {

// Rows of several samples that are rotated in together; 24 rows are long enough for the processor's lanes.
constexpr int kBlock = 8;

template <int Rows, int Columns>
using Stack = Eigen::Matrix<double, Rows, Columns>;

// One Householder reflection per column takes `rows` into the upper triangle R; `rows` is spoilt. R's diagonal may get
// either sign.
template <int Rows, int Columns>
void absorb(Eigen::Matrix<double, Columns, Columns>& R, Stack<Rows, Columns>& rows) {
  for (int j = 0; j < Columns; ++j) {
    const double below = rows.col(j).squaredNorm();
    if (below == 0.0) continue;
    const double top = R(j, j), length = std::sqrt(top * top + below);
    const double head = top >= 0.0 ? top + length : top - length;  // no cancellation
    const double factor = 2.0 / (head * head + below);
    R(j, j) = top >= 0.0 ? -length : length;
    for (int k = j + 1; k < Columns; ++k) {
      const double share = factor * (head * R(j, k) + rows.col(j).dot(rows.col(k)));
      R(j, k) -= share * head;
      rows.col(k) -= share * rows.col(j);
    }
  }
}

// [A b] of one sample, force rows: columns m, m c, f.
template <int Rows>
void write_force_rows(const Sample& sample, int at, Stack<Rows, 5>& rows) {
  const auto& [a, w, al] = sample.motion;
  const double xy = w.x() * w.y(), xz = w.x() * w.z(), yz = w.y() * w.z();
  const Eigen::Vector3d square = w.cwiseAbs2();
  rows.template block<3, 1>(at, 0) = a;
  rows.template block<3, 3>(at, 1) << -square.y() - square.z(), xy - al.z(), xz + al.y(),  //
      xy + al.z(), -square.x() - square.z(), yz - al.x(),                                  //
      xz - al.y(), yz + al.x(), -square.x() - square.y();
  rows.template block<3, 1>(at, 4) = sample.wrench.template tail<3>();
}

// Torque rows: columns m c, I, tau.
template <int Rows>
void write_torque_rows(const Sample& sample, int at, Stack<Rows, 10>& rows) {
  const auto& [a, w, al] = sample.motion;
  const double xy = w.x() * w.y(), xz = w.x() * w.z(), yz = w.y() * w.z();
  const Eigen::Vector3d square = w.cwiseAbs2();
  rows.template block<3, 3>(at, 0) << 0.0, a.z(), -a.y(), -a.z(), 0.0, a.x(), a.y(), -a.x(), 0.0;
  rows.template block<3, 6>(at, 3) << al.x(), al.y() - xz, al.z() + xy, -yz, square.y() - square.z(), yz,  //
      xz, al.x() + yz, square.z() - square.x(), al.y(), al.z() - xy, -xz,                                  //
      -xy, square.x() - square.y(), al.x() - yz, xy, al.y() + xz, al.z();
  rows.template block<3, 1>(at, 9) = sample.wrench.template head<3>();
}

// A NaN would spoil all that came before it without a trace.
void require_finite(const Sample& sample) {
  const double sum =
      sample.motion.a.sum() + sample.motion.w.sum() + sample.motion.al.sum() + sample.wrench.sum();
  if (!std::isfinite(sum)) throw std::invalid_argument("a sample holds a number that is not finite");
}

// Positions of the factors' columns among [phi; wrench].
constexpr int kForceColumns[] = {0, 1, 2, 3, 10};
constexpr int kTorqueColumns[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

}  // namespace

void NormalEquations::add(const Sample& sample, double weight) {
  require_finite(sample);
  if (!(weight >= 0.0) || !std::isfinite(weight))
    throw std::invalid_argument("the weight of a sample must be >= 0");
  Stack<3, 5> force;
  Stack<3, 10> torque;
  write_force_rows(sample, 0, force);
  write_torque_rows(sample, 0, torque);
  if (weight != 1.0) {
    force *= weight;
    torque *= weight;
  }
  absorb(R_force_, force);
  absorb(R_torque_, torque);
  ++samples_;
}

void NormalEquations::add(std::span<const Sample> samples) {
  for (const Sample& sample : samples) require_finite(sample);
  Stack<3 * kBlock, 5> force;
  Stack<3 * kBlock, 10> torque;
  for (std::size_t begin = 0; begin < samples.size(); begin += kBlock) {
    const std::span<const Sample> block =
        samples.subspan(begin, std::min<std::size_t>(kBlock, samples.size() - begin));
    if (block.size() < kBlock) {
      force.setZero();
      torque.setZero();
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      write_force_rows(block[i], 3 * static_cast<int>(i), force);
      write_torque_rows(block[i], 3 * static_cast<int>(i), torque);
    }
    absorb(R_force_, force);
    absorb(R_torque_, torque);
  }
  samples_ += static_cast<std::int64_t>(samples.size());
}

void NormalEquations::add(const NormalEquations& other) {
  ForceFactor force = other.R_force_;
  TorqueFactor torque = other.R_torque_;
  absorb(R_force_, force);
  absorb(R_torque_, torque);
  samples_ += other.samples_;
}

Matrix11d NormalEquations::factor(const RowWeights& weights) const {
  Stack<15, 11> rows = Stack<15, 11>::Zero();
  for (int k = 0; k < 5; ++k) rows.block<5, 1>(0, kForceColumns[k]) = weights.force * R_force_.col(k);
  for (int k = 0; k < 10; ++k) rows.block<10, 1>(5, kTorqueColumns[k]) = weights.torque * R_torque_.col(k);
  Matrix11d R = Matrix11d::Zero();
  absorb(R, rows);
  return R;
}

math::Matrix10d NormalEquations::force_gram() const {
  math::Matrix10d gram = math::Matrix10d::Zero();
  const Eigen::Matrix<double, 5, 4> R = R_force_.leftCols<4>();
  gram.topLeftCorner<4, 4>() = R.transpose() * R;
  return gram;
}

math::Matrix10d NormalEquations::torque_gram() const {
  math::Matrix10d gram = math::Matrix10d::Zero();
  const Eigen::Matrix<double, 10, 9> R = R_torque_.leftCols<9>();
  gram.bottomRightCorner<9, 9>() = R.transpose() * R;
  return gram;
}

double NormalEquations::squared_force_residual(const math::Vector10d& phi) const {
  return (R_force_.leftCols<4>() * phi.head<4>() - R_force_.col(4)).squaredNorm();
}

double NormalEquations::squared_torque_residual(const math::Vector10d& phi) const {
  return (R_torque_.leftCols<9>() * phi.tail<9>() - R_torque_.col(9)).squaredNorm();
}

}  // namespace prehend::inertia
