#include <cmath>

#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/planning/excitation_search.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/interrupt.h>

namespace prehend::inertia {
namespace {

using math::kInfinity;

// Orthonormal columns that span what is orthogonal to v.
Eigen::MatrixXd complement(const Eigen::VectorXd& v) {
  // All columns but the first of the Householder reflection that takes v to the first axis.
  const double beta = v[0] >= 0.0 ? -v.norm() : v.norm(), tau = (beta - v[0]) / beta;
  Eigen::VectorXd u = v / (v[0] - beta);
  u[0] = 1.0;
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(v.size(), v.size());
  Q.noalias() -= (tau * u) * u.transpose();
  return Q.rightCols(v.size() - 1);
}

const Eigen::Matrix3d& unit_inertia(int k) {
  static const std::vector<Eigen::Matrix3d> units = [] {
    std::vector<Eigen::Matrix3d> made(6, Eigen::Matrix3d::Zero());
    constexpr int rows[] = {0, 0, 0, 1, 1, 2}, columns[] = {0, 1, 2, 1, 2, 2};
    for (std::size_t i = 0; i < 6; ++i) made[i](rows[i], columns[i]) = made[i](columns[i], rows[i]) = 1.0;
    return made;
  }();
  return units[static_cast<std::size_t>(k)];
}

}  // namespace

// Amplitudes are in units of joint speed: the k-th harmonic has 1/(k omega) of them. Zero speed at t = 0 is
// sum of sine amplitudes = 0, zero acceleration is sum of k times cosine amplitudes = 0.
FourierBasis::FourierBasis(double period, int harmonics) : period_(period) {
  const Eigen::VectorXd k = Eigen::VectorXd::LinSpaced(harmonics, 1.0, harmonics);
  const double omega = 2.0 * math::kPi / period;
  sines_ = (omega * k).cwiseInverse().asDiagonal() * complement(Eigen::VectorXd::Ones(harmonics));
  cosines_ = (omega * k).cwiseInverse().asDiagonal() * complement(k);
}

void FourierBasis::at(double t, Eigen::VectorXd& f, Eigen::VectorXd& fd, Eigen::VectorXd& fdd) const {
  const Eigen::Index harmonics = sines_.rows(), half = sines_.cols();
  const double omega = 2.0 * math::kPi / period_;
  for (Eigen::VectorXd* values : {&f, &fd, &fdd}) values->setZero(2 * half);
  for (Eigen::Index i = 0; i < harmonics; ++i) {
    const double rate = omega * static_cast<double>(i + 1), s = std::sin(rate * t), c = std::cos(rate * t);
    f.head(half) += s * sines_.row(i).transpose();
    fd.head(half) += rate * c * sines_.row(i).transpose();
    fdd.head(half) -= rate * rate * s * sines_.row(i).transpose();
    const double versine = 2.0 * std::pow(std::sin(0.5 * rate * t), 2);
    f.tail(half) -= versine * cosines_.row(i).transpose();
    fd.tail(half) -= rate * s * cosines_.row(i).transpose();
    fdd.tail(half) -= rate * rate * c * cosines_.row(i).transpose();
  }
}

JointMotion series_motion(const FourierBasis& basis, const SeriesCoefficients& series, int passes) {
  return {basis.period() * passes, [basis, series](double t, JointState& state) {
            Eigen::VectorXd f, fd, fdd;
            basis.at(t, f, fd, fdd);
            state.q = series.start + series.C.transpose() * f;
            state.qd = series.C.transpose() * fd;
            state.qdd = series.C.transpose() * fdd;
          }};
}

Motion regressor_gradient(const Regressor& G, const Motion& motion) {
  Motion sum;
  const auto torque = [&](int column) { return G.block<3, 1>(0, column); };
  const auto force = [&](int column) { return G.block<3, 1>(3, column); };
  sum.a = force(0);
  for (int j = 0; j < 3; ++j) {
    const Eigen::Vector3d e = Eigen::Vector3d::Unit(j), g = force(1 + j), gt = torque(1 + j);
    sum.al += e.cross(g);
    sum.w += motion.w[j] * g + motion.w.dot(g) * e - 2.0 * g[j] * motion.w;
    sum.a += gt.cross(e);
  }
  for (int k = 0; k < 6; ++k) {
    const Eigen::Matrix3d& E = unit_inertia(k);
    const Eigen::Vector3d g = torque(4 + k);
    sum.al += E * g;
    sum.w += (E * motion.w).cross(g) + E * g.cross(motion.w);
  }
  return sum;
}

ExcitationCost::ExcitationCost(const model::JointChain& chain, const ExcitationOptions& options,
                               const FourierBasis& basis, int nodes_per_harmonic)
    : chain_(chain),
      options_(options),
      kind_(options.criterion),
      bounds_(joint_bounds(chain, options.limits)),
      joints_(chain.size()),
      basis_size_(basis.size()),
      nodes_(nodes_per_harmonic * (basis.size() / 2 + 1)) {
  const double m = options.object.mass, L = options.object.size;
  columns_ << m, Eigen::Vector3d::Constant(m * L), Eigen::Matrix<double, 6, 1>::Constant(m * L * L);
  rows_ << Eigen::Vector3d::Constant(1.0 / options.noise.torque),
      Eigen::Vector3d::Constant(1.0 / options.noise.force);
  samples_per_node_ = options.duration * options.rate / nodes_;
  for (Eigen::MatrixXd* F : {&F_, &Fd_, &Fdd_}) F->resize(nodes_, basis_size_);
  Eigen::VectorXd f, fd, fdd;
  for (int node = 0; node < nodes_; ++node) {
    basis.at(basis.period() * node / nodes_, f, fd, fdd);
    F_.row(node) = f.transpose();
    Fd_.row(node) = fd.transpose();
    Fdd_.row(node) = fdd.transpose();
  }
  sweeps_.assign(static_cast<std::size_t>(nodes_), model::ChainSweep(chain_, -chain_.gravity_W));
  regressors_.resize(static_cast<std::size_t>(nodes_));
  gradients_.resize(static_cast<std::size_t>(nodes_));
}

Eigen::VectorXd ExcitationCost::pack(const SeriesCoefficients& series) const {
  Eigen::VectorXd x(variables());
  x << series.start, series.C.reshaped();
  return x;
}

SeriesCoefficients ExcitationCost::unpack(const Eigen::VectorXd& x) const {
  return {x.head(joints_), x.tail(x.size() - joints_).reshaped(basis_size_, joints_)};
}

// Everything the sensor measures, and the regressors in units of noise and of the expected object.
bool ExcitationCost::sweep_nodes() {
  for (int node = 0; node < nodes_; ++node) {
    const auto at = static_cast<std::size_t>(node);
    const model::FrameMotion& m = sweeps_[at].forward(Q_.col(node), Qd_.col(node), Qdd_.col(node));
    regressors_[at] = rows_.asDiagonal() * wrench_regressor({m.a, m.w, m.al}) * columns_.asDiagonal();
    gradients_[at] = {};
  }
  return true;
}

// The criterion and its derivative with respect to the scaled information matrix.
double ExcitationCost::information_cost(math::Matrix10d& slope) {
  math::Matrix10d M = math::Matrix10d::Zero();
  if (options_.noise.has_bias) {
    Regressor mean = Regressor::Zero();
    for (const Regressor& rows : regressors_) mean += rows;
    mean /= static_cast<double>(nodes_);
    for (Regressor& rows : regressors_) rows -= mean;
  }
  for (const Regressor& rows : regressors_) M.noalias() += rows.transpose() * rows;
  M *= samples_per_node_;
  const Cholesky<10> factor(M);
  if (!factor.is_positive()) return kInfinity;
  // A pivot so small is rounding: its square is 1e-14 of the largest.
  const math::Vector10d pivots = factor.diagonal();
  if (!(pivots.minCoeff() > 1e-7 * pivots.maxCoeff())) return kInfinity;
  const math::Matrix10d inverse = factor.inverse();
  if (kind_ == Criterion::d_optimal) {
    slope = -inverse;
    return -factor.log_determinant();
  }
  const double sum = inverse.trace();
  slope = -(inverse * inverse) / sum;
  return std::log(sum);
}

double ExcitationCost::operator()(const Eigen::VectorXd& x, double mu, Eigen::VectorXd& gradient) {
  math::check_interrupt();
  const SeriesCoefficients series = unpack(x);
  Q_ = (F_ * series.C).transpose();
  Q_.colwise() += series.start;
  Qd_ = (Fd_ * series.C).transpose();
  Qdd_ = (Fdd_ * series.C).transpose();
  for (Eigen::MatrixXd* sums : {&gQ_, &gQd_, &gQdd_}) sums->setZero(joints_, nodes_);
  sweep_nodes();
  const double barrier = add_barriers(mu);
  lost_rank_ = false;
  if (!std::isfinite(barrier)) return kInfinity;
  math::Matrix10d slope;
  criterion_ = information_cost(slope);
  lost_rank_ = !std::isfinite(criterion_);
  if (!std::isfinite(criterion_)) return kInfinity;
  for (int node = 0; node < nodes_; ++node) {
    const auto at = static_cast<std::size_t>(node);
    const model::FrameMotion& m = sweeps_[at].motion();
    const Regressor G =
        rows_.asDiagonal() * (2.0 * samples_per_node_ * regressors_[at] * slope) * columns_.asDiagonal();
    const Motion of = regressor_gradient(G, {m.a, m.w, m.al});
    model::FrameGradient& sum = gradients_[at];
    sum.motion.a += of.a;
    sum.motion.w += of.w;
    sum.motion.al += of.al;
    sweeps_[at].backward(sum, gQ_.col(node), gQd_.col(node), gQdd_.col(node));
  }
  gradient.resize(x.size());
  gradient.head(joints_) = gQ_.rowwise().sum();
  if (options_.start) gradient.head(joints_).setZero();
  gradient.tail(x.size() - joints_) = (F_.transpose() * gQ_.transpose() + Fd_.transpose() * gQd_.transpose() +
                                       Fdd_.transpose() * gQdd_.transpose())
                                          .reshaped();
  return criterion_ + barrier;
}

}  // namespace prehend::inertia
