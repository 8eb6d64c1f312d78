#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>

#include <prehend/inertia/motion/motion_chain.h>
#include <prehend/math/interrupt.h>

namespace prehend::inertia {
namespace {

using Eigen::Matrix3d;

// Below this step (in units) two samples count as this far apart: repeated times must not make the noise singular.
constexpr double kShortestStep = 1e-3;

// Noise of one step of length h is q D C D, D = diag(h^2.5, h^1.5, h^0.5), C below; the transition is D F1 D^-1.
struct StepConstants {
  Matrix3d W;   // W^T W = C^-1
  Matrix3d WF;  // W F(1)
  StepConstants() {
    Matrix3d C;
    C << 1.0 / 20, 1.0 / 8, 1.0 / 6, 1.0 / 8, 1.0 / 3, 0.5, 1.0 / 6, 0.5, 1.0;
    Matrix3d F;
    F << 1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0;
    W = Matrix3d(C.llt().matrixL()).inverse();
    WF = W * F;
  }
};
const StepConstants& step_constants() {
  static const StepConstants constants;
  return constants;
}

Eigen::Vector3d step_scale(double h) {
  const double root = std::sqrt(h);
  return {1.0 / (h * h * root), 1.0 / (h * root), 1.0 / root};
}

// Householder reduction of the first three columns of M; the rest of the columns go along.
template <int Rows, int Columns>
void triangularise(Eigen::Matrix<double, Rows, Columns>& M) {
  for (int c = 0; c < 3; ++c) {
    double below = 0.0;
    for (int r = c + 1; r < Rows; ++r) below += M(r, c) * M(r, c);
    if (below == 0.0) continue;
    const double norm = std::sqrt(below + M(c, c) * M(c, c));
    const double alpha = M(c, c) > 0.0 ? -norm : norm;
    Eigen::Matrix<double, Rows, 1> u;
    u(c) = M(c, c) - alpha;
    for (int r = c + 1; r < Rows; ++r) u(r) = M(r, c);
    const double beta = 2.0 / (u(c) * u(c) + below);
    M(c, c) = alpha;
    for (int r = c + 1; r < Rows; ++r) M(r, c) = 0.0;
    for (int j = c + 1; j < Columns; ++j) {
      double dot = 0.0;
      for (int r = c; r < Rows; ++r) dot += u(r) * M(r, j);
      dot *= beta;
      for (int r = c; r < Rows; ++r) M(r, j) -= dot * u(r);
    }
  }
}

// Elimination of state k: [R 0; -A B] -> [Rk Sk; 0 B']; rows of the right-hand side go z -> (T z, U z).
struct Elimination {
  Matrix3d R, S, B, T, U;
};

Elimination eliminate(const Matrix3d& R, double h, double root_q) {
  const StepConstants& constants = step_constants();
  const Eigen::Vector3d scale = step_scale(h) / root_q;
  Eigen::Matrix<double, 6, 9> M = Eigen::Matrix<double, 6, 9>::Zero();
  M.topLeftCorner<3, 3>() = R;
  M.bottomLeftCorner<3, 3>() = -constants.WF * scale.asDiagonal();
  M.block<3, 3>(3, 3) = constants.W * scale.asDiagonal();
  M.topRightCorner<3, 3>().setIdentity();
  triangularise(M);
  Elimination e;
  e.R = M.topLeftCorner<3, 3>();
  e.S = M.block<3, 3>(0, 3);
  e.T = M.topRightCorner<3, 3>();
  e.B = M.block<3, 3>(3, 3);
  e.U = M.bottomRightCorner<3, 3>();
  return e;
}

// Measurement rows onto what is known: [B; m] -> R; right-hand side (z', y) -> C z' + D y, and the part that no state can
// explain, E z' + F y.
struct Merging {
  Matrix3d R, C, D, E, F;
};

Merging merge(const Matrix3d& B, const Eigen::Vector3d& weights) {
  Eigen::Matrix<double, 6, 9> M = Eigen::Matrix<double, 6, 9>::Zero();
  M.topLeftCorner<3, 3>() = B;
  M.bottomLeftCorner<3, 3>() = weights.asDiagonal();
  M.rightCols<6>().setIdentity();
  triangularise(M);
  return {M.topLeftCorner<3, 3>(), M.block<3, 3>(0, 3), M.block<3, 3>(0, 6), M.block<3, 3>(3, 3),
          M.block<3, 3>(3, 6)};
}

struct ForwardPass {
  std::vector<Matrix3d> R, S, z;
  ChainLikelihood likelihood;
};

ForwardPass forward(const ChainData& data, const ChainNoise& noise, double unit, bool keep) {
  math::check_interrupt();
  const std::size_t n = data.t.size();
  if (n == 0 || data.x.size() != n || (!data.v.empty() && data.v.size() != n) ||
      (!data.a.empty() && data.a.size() != n))
    throw std::invalid_argument("motion chain: columns differ in length or are empty");
  const bool has_v = !data.v.empty(), has_a = !data.a.empty();
  const Eigen::Vector3d weights(1.0 / noise.x, has_v ? 1.0 / (noise.v * unit) : 0.0,
                                has_a ? 1.0 / (noise.a * unit * unit) : 0.0);
  const double root_q = noise.jerk * std::pow(unit, 2.5);
  ForwardPass pass;
  if (keep) {
    pass.R.resize(n);
    pass.S.resize(n);
    pass.z.resize(n);
  }
  const auto measured = [&](std::size_t k) {
    Matrix3d y = Matrix3d::Zero();
    y.row(0) = weights(0) * data.x[k].transpose();
    if (has_v) y.row(1) = (weights(1) * unit) * data.v[k].transpose();
    if (has_a) y.row(2) = (weights(2) * unit * unit) * data.a[k].transpose();
    return y;
  };
  double log_diagonal = 0.0, squares = 0.0, log_noise = 0.0;
  Merging merging = merge(Matrix3d::Zero(), weights);
  Elimination elimination;
  Matrix3d z = merging.D * measured(0);
  double last_h = -1.0, last_factor = -1.0, step_log = 0.0, step_noise = 0.0;
  bool stationary = false;
  for (std::size_t k = 0;; ++k) {
    if (k + 1 == n) {
      for (int i = 0; i < 3; ++i) log_diagonal += std::log(std::abs(merging.R(i, i)));
      if (keep) {
        pass.R[k] = merging.R;
        pass.S[k].setZero();
        pass.z[k] = z;
      }
      break;
    }
    const double h = std::max((data.t[k + 1] - data.t[k]) / unit, kShortestStep);
    const double factor = noise.factor.empty() ? 1.0 : noise.factor[k];
    // Printed times carry rounding (0.01 +- 1e-15): the same step, to what it changes.
    const bool same = std::abs(h - last_h) <= 1e-9 * h && factor == last_factor;
    if (!(same && stationary)) {
      const Matrix3d R = merging.R;
      elimination = eliminate(R, h, root_q * factor);
      merging = merge(elimination.B, weights);
      stationary = same && (merging.R.cwiseAbs() - R.cwiseAbs()).cwiseAbs().maxCoeff() <=
                               1e-13 * R.cwiseAbs().maxCoeff();
      step_log = 0.0;
      for (int i = 0; i < 3; ++i) step_log += std::log(std::abs(elimination.R(i, i)));
      step_noise = 2.0 * (4.5 * std::log(h) + 3.0 * std::log(root_q * factor));
      last_h = h;
      last_factor = factor;
    }
    log_diagonal += step_log;
    log_noise += step_noise;
    if (keep) {
      pass.R[k] = elimination.R;
      pass.S[k] = elimination.S;
      pass.z[k] = elimination.T * z;
    }
    const Matrix3d rest = elimination.U * z, y = measured(k + 1);
    z = merging.C * rest + merging.D * y;
    squares += (merging.E * rest + merging.F * y).squaredNorm();
  }
  const double count = static_cast<double>(n);
  const int rows = 1 + has_v + has_a;
  for (int i = 0; i < 3; ++i)
    if (weights(i) > 0.0) log_noise -= 2.0 * count * std::log(weights(i));
  pass.likelihood.log_determinant = 3.0 * (log_noise + 2.0 * log_diagonal);
  pass.likelihood.squares = squares;
  pass.likelihood.freedom = 3.0 * (rows * count - 3.0);
  return pass;
}

Eigen::Vector3d unit_scale(double unit) { return {1.0, 1.0 / unit, 1.0 / (unit * unit)}; }

}  // namespace

ChainLikelihood chain_likelihood(const ChainData& data, const ChainNoise& noise, double unit) {
  return forward(data, noise, unit, false).likelihood;
}

ChainStates smooth_chain(const ChainData& data, const ChainNoise& noise, double unit) {
  const bool is_determined = data.t.size() >= 3 || (!data.t.empty() && !data.v.empty() && !data.a.empty());
  if (!is_determined)
    throw std::invalid_argument("motion chain: fewer than three samples do not determine an acceleration");
  const ForwardPass pass = forward(data, noise, unit, true);
  const std::size_t n = data.t.size();
  ChainStates result;
  result.state.resize(n);
  result.covariance.resize(n);
  result.lagged.resize(n - 1);
  const Eigen::DiagonalMatrix<double, 3> scale(unit_scale(unit));
  Matrix3d s = Matrix3d::Zero(), P = Matrix3d::Zero(), inverse = Matrix3d::Zero(), gain = Matrix3d::Zero();
  for (std::size_t k = n; k-- > 0;) {
    const bool repeated = k + 1 < n && pass.R[k] == pass.R[k + 1] && pass.S[k] == pass.S[k + 1];
    if (!repeated) {
      inverse = pass.R[k].triangularView<Eigen::Upper>().solve(Matrix3d::Identity());
      gain = inverse * pass.S[k];
    }
    if (k + 1 < n) result.lagged[k] = scale * (-gain * P) * scale;
    s = inverse * pass.z[k] - gain * s;
    P = inverse * inverse.transpose() + gain * P * gain.transpose();
    result.state[k] = scale * s;
    result.covariance[k] = scale * P * scale;
  }
  return result;
}

std::vector<StepResidual> step_residuals(const ChainData& data, const ChainNoise& noise, double unit,
                                         const ChainStates& states) {
  const std::size_t n = states.state.size();
  const StepConstants& constants = step_constants();
  const Eigen::Vector3d to_unit = unit_scale(unit).cwiseInverse();
  std::vector<StepResidual> result(n > 0 ? n - 1 : 0);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double h = std::max((data.t[k + 1] - data.t[k]) / unit, kShortestStep);
    const double root_q = noise.jerk * std::pow(unit, 2.5) * (noise.factor.empty() ? 1.0 : noise.factor[k]);
    const Eigen::Vector3d scale = (step_scale(h) / root_q).cwiseProduct(to_unit);
    const Matrix3d A = constants.WF * scale.asDiagonal(), B = constants.W * scale.asDiagonal();
    result[k].squares = (B * states.state[k + 1] - A * states.state[k]).squaredNorm();
    const Matrix3d cross = A * states.lagged[k] * B.transpose();
    const double trace = (B * states.covariance[k + 1] * B.transpose()).trace() +
                         (A * states.covariance[k] * A.transpose()).trace() - 2.0 * cross.trace();
    result[k].fitted = 3.0 * std::clamp(trace, 0.0, 3.0);
  }
  return result;
}

void ChainFilter::predict(double h, double jerk) {
  const double root_q = jerk * std::pow(unit_, 2.5);
  const Elimination e = eliminate(R_, std::max(h / unit_, kShortestStep), root_q);
  Eigen::Matrix<double, 3, 6> M;
  M << e.B, e.U * z_;
  triangularise(M);
  R_ = M.leftCols<3>();
  z_ = M.rightCols<3>();
}

void ChainFilter::measure(int order, const Eigen::Vector3d& value, double sigma) {
  const double scale = std::pow(unit_, order), weight = 1.0 / (sigma * scale);
  Eigen::Matrix<double, 4, 6> M = Eigen::Matrix<double, 4, 6>::Zero();
  M.topLeftCorner<3, 3>() = R_;
  M.topRightCorner<3, 3>() = z_;
  M(3, order) = weight;
  M.row(3).tail<3>() = (weight * scale) * value.transpose();
  triangularise(M);
  R_ = M.topLeftCorner<3, 3>();
  z_ = M.topRightCorner<3, 3>();
}

void ChainFilter::shift_position(const Eigen::Vector3d& shift) { z_ += R_.col(0) * shift.transpose(); }

bool ChainFilter::determined() const {
  // Equations of process noise alone leave pivots that are zero to rounding, relative to their columns.
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(R_(i, i)) > 1e-10 * R_.col(i).norm())) return false;
  return true;
}

Eigen::Matrix3d ChainFilter::state() const {
  const Matrix3d s = R_.triangularView<Eigen::Upper>().solve(z_);
  return unit_scale(unit_).asDiagonal() * s;
}

Eigen::Matrix3d ChainFilter::covariance() const {
  const Matrix3d inverse = R_.triangularView<Eigen::Upper>().solve(Matrix3d::Identity());
  const Eigen::DiagonalMatrix<double, 3> scale(unit_scale(unit_));
  return scale * (inverse * inverse.transpose()) * scale;
}

}  // namespace prehend::inertia
