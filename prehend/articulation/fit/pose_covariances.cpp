#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Cholesky>

#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/fit/residual_functions.h>
#include <prehend/articulation/joints/local_directions.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using engine::motion_of;
using math::Matrix6d;
using math::Vector6d;
// As many rows or columns as the joint has parameters or freedoms, on the stack.
using ParameterMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 13, 13>;
using ParameterVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 13, 1>;
using ParameterJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 13>;
using StateMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

Motion inverse(const Motion& X) { return {X.R.transpose(), -(X.R.transpose() * X.p)}; }
Motion operator*(const Motion& a, const Motion& b) { return {a.R * b.R, a.R * b.p + a.p}; }

Matrix6d adjoint(const Motion& X) {
  Matrix6d A = Matrix6d::Zero();
  A.topLeftCorner<3, 3>() = A.bottomRightCorner<3, 3>() = X.R;
  A.bottomLeftCorner<3, 3>() = math::skew(X.p) * X.R;
  return A;
}

// Logarithm of a motion; residuals are small, so that the turn's is the cheap one.
Vector6d logarithm(const Motion& X) {
  Vector6d V;
  const Eigen::Vector3d a = engine::rotation_vector(X.R);
  const engine::Turning turning(a, 1.0);
  const Eigen::Vector3d x = a.cross(X.p);
  V << a, X.p - 0.5 * x + turning.inverse * a.cross(x);
  return V;
}

class CovarianceFit {
 public:
  CovarianceFit(const JointKind& kind, const Frames& frames, const Joint& start,
                const LikelihoodSettings& settings)
      : kind_(kind),
        frames_(frames),
        settings_(settings),
        d_(kind.freedoms()),
        n_(kind.parameters()),
        joint_(start),
        tails_(settings.covariance_tails),
        weights_(frames.X.size(), 1.0),
        q_(frames.X.size()),
        raw_(frames.X.size(), 0.0) {
    for (int direction = 0; direction <= kPitch; ++direction) {
      const int k = kind.parameter_of(direction);
      if (k >= 0) directions_[static_cast<std::size_t>(k)] = direction;
    }
    // So that densities over different numbers of directions are comparable.
    const double k = 6 - d_;
    normalisation_ =
        k * std::log(0.5 * tails_) - 2 * (std::lgamma(0.5 * (tails_ + k)) - std::lgamma(0.5 * tails_));
  }

  LikelihoodResult run() {
    LikelihoodResult result;
    start_states();
    const PoseNoise typical = typical_noise(frames_.pose_weights);
    if (settings_.noise_is_known && settings_.covariance_scale > 0)
      scale2_ = settings_.covariance_scale * settings_.covariance_scale;
    else if (settings_.noise_is_known)
      scale2_ = settings_.noise.position * settings_.noise.angle / (typical.position * typical.angle);
    else
      start_scale();
    const int rounds = settings_.noise_is_known ? 1 : 4;
    for (int round = 0; round < rounds && settings_.max_iterations > 0; ++round) {
      iterate(result);
      if (settings_.noise_is_known) break;
      const double before = scale2_;
      if (d_ < 6)
        scale2_ = std::max(squares_ / (static_cast<double>(frames_.X.size()) * (6 - d_)), kLeastScale);
      if (std::abs(std::log(scale2_ / before)) < 1e-2) break;
    }
    move_zero();
    if (settings_.wants_terms) result.terms.resize(frames_.X.size());
    pass(true, settings_.wants_terms ? &result.terms : nullptr);
    result.joint = joint_;
    const double s = std::sqrt(scale2_), freedoms = static_cast<double>(frames_.X.size()) * (6 - d_);
    result.noise = {s * typical.position, s * typical.angle};
    result.noise_factor = settings_.noise_is_known || freedoms <= n_ ? 1.0 : freedoms / (freedoms - n_);
    result.weights = weights_;
    result.rms_angle = weight_ > 0 ? std::sqrt(angle2_ / (3 * weight_)) : 0.0;
    result.rms_position = weight_ > 0 ? std::sqrt(position2_ / (3 * weight_)) : 0.0;
    result.cost = cost_;
    if (d_ < 6) {
      // Squared residuals over their number are distributed as F with (6 - d, tails) degrees of freedom, of median one nearly.
      std::vector<double> raw = raw_;
      std::nth_element(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(raw.size() / 2), raw.end());
      result.median_misfit = std::sqrt(raw[raw.size() / 2] / (6 - d_));
    } else {
      result.median_misfit = 0.0;
    }
    if (n_ > 0)
      result.covariance =
          result.noise_factor *
          math::symmetric_solve(Eigen::MatrixXd(H_), Eigen::MatrixXd(Eigen::MatrixXd::Identity(n_, n_)));
    return result;
  }

 private:
  static constexpr double kLeastScale = 1e-8;

  // Twice the negative log density of a whitened residual, up to that of a Gaussian at zero.
  double loss(double squared) const {
    return d_ == 6 ? 0.0 : (tails_ + 6 - d_) * std::log1p(squared / tails_) + normalisation_;
  }
  // A flipped marker; of noise one in ten thousand is as far.
  static constexpr double kFar = 1000.0;
  double weight(double squared) const { return (tails_ + 6 - d_) / (tails_ + squared); }

  Motion in_joint(std::size_t i) const {
    return inverse(motion_of(joint_.X_FJ)) * frames_.X[i] * motion_of(joint_.X_MJ);
  }

  // By orientation or position as the joint reads them; turns of a thread by continuity.
  void start_states() {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      q_[i] = kind_.state(in_joint(i), joint_.pitch);
      if (kind_.type() == model::JointType::screw) {
        const Motion Y = in_joint(i);
        const double angle = std::atan2(Y.R(1, 0) - Y.R(0, 1), Y.R(0, 0) + Y.R(1, 1));
        const double last = i > 0 ? q_[i - 1][0] : 0.0;
        q_[i][0] = angle + 2 * math::kPi * std::round((last - angle) / (2 * math::kPi));
      }
    }
  }

  // The median frame's squared residual, which half of the frames may spoil.
  void start_scale() {
    if (d_ == 6) return;
    const JointPlace place = this->place();
    std::vector<double> squared;
    for (std::size_t i = 0; i < frames_.X.size(); ++i)
      squared.push_back(eliminate(place, i, q_[i]).residual.squaredNorm());
    std::nth_element(squared.begin(), squared.begin() + static_cast<std::ptrdiff_t>(squared.size() / 2),
                     squared.end());
    const double k = 6 - d_, median = k * std::pow(1 - 2 / (9 * k), 3);  // Wilson and Hilferty
    scale2_ = std::max(squared[squared.size() / 2] / median, kLeastScale);
  }

  struct JointPlace {
    Motion X_FJ, X_MJ, X_JM;
    Matrix6d to_M;
  };
  JointPlace place() const {
    const Motion X_MJ = motion_of(joint_.X_MJ);
    return {motion_of(joint_.X_FJ), X_MJ, inverse(X_MJ), adjoint(X_MJ)};
  }

  // A frame at its most likely state; everything whitened by the covariance as stated.
  struct Frame {
    Motion E;
    Vector6d V, residual;
    Matrix6d M;  // from a twist of the joint frame to the residual, negative
    StateJacobian S;
    StateMatrix inverse;
  };
  void evaluate(const JointPlace& place, std::size_t i, const State& q, Frame& frame) const {
    frame.E = kind_.motion(q, joint_.pitch);
    const Motion Y = place.X_FJ * frame.E * place.X_JM;
    frame.V = logarithm(engine_inverse(Y) * frames_.X[i]);
    const Matrix6d& W = frames_.pose_weights[i].whitening;
    frame.residual.noalias() = W.triangularView<Eigen::Lower>() * frame.V;
    const double size = frame.V.head<3>().squaredNorm();
    // Of so small residuals the logarithm's Jacobian is one plus half a bracket.
    Matrix6d J;
    if (size < 1e-4)
      J = place.to_M - 0.5 * math::lie_bracket(frame.V) * place.to_M;
    else
      J = math::inverse_left_jacobian_se3(frame.V) * place.to_M;
    frame.M.noalias() = W.triangularView<Eigen::Lower>() * J;
  }
  static Motion engine_inverse(const Motion& X) { return articulation::inverse(X); }

  Frame eliminate(const JointPlace& place, std::size_t i, State& q) const {
    Frame frame;
    constexpr int kMost = 5;
    constexpr double kShort = 0.01;  // a tenth of a standard deviation, squared
    for (int k = 0; k < kMost; ++k) {
      evaluate(place, i, q, frame);
      if (d_ == 0) return frame;
      frame.S = frame.M * kind_.jacobian(q, joint_.pitch);
      frame.inverse = StateMatrix(frame.S.transpose() * frame.S).inverse();
      if (d_ == 6) {
        frame.residual.setZero();
        return frame;
      }
      const State step = frame.inverse * (frame.S.transpose() * frame.residual);
      if (!step.allFinite()) return frame;
      const double size = step.dot(frame.S.transpose() * frame.residual);
      q += step;
      if (size < kShort * scale2_ || k + 1 == kMost) {
        frame.residual.noalias() -= frame.S * step;
        return frame;
      }
    }
    return frame;
  }

  ParameterJacobian jacobian(const Frame& frame, const State& q) const {
    ParameterJacobian J(6, n_);
    const Matrix6d back = frame.M * adjoint(articulation::inverse(frame.E));
    for (int k = 0; k < n_; ++k) {
      const int direction = directions_[static_cast<std::size_t>(k)];
      if (direction < 6)
        J.col(k) = -back.col(direction);
      else if (direction < 12)
        J.col(k) = frame.M.col(direction - 6);
      else
        J.col(k) = -q[0] * frame.M.col(5);
    }
    return J;
  }

  void pass(bool curved, std::vector<FrameTerms>* terms) {
    const JointPlace place = this->place();
    H_ = ParameterMatrix::Zero(n_, n_);
    g_ = ParameterVector::Zero(n_);
    cost_ = weight_ = squares_ = angle2_ = position2_ = 0;
    const double log_scale = 6 * std::log(scale2_);
    for (std::size_t i = 0; i < frames_.X.size(); ++i) {
      const Frame frame = eliminate(place, i, q_[i]);
      const double squared = frame.residual.squaredNorm() / scale2_;
      const double w = frames_.weights[i] * weight(squared);
      raw_[i] = squared;
      const double log_determinant = frames_.pose_weights[i].log_determinant + log_scale;
      // Reported, not used: the distribution has room for all.
      weights_[i] = squared < kFar ? 1.0 : 0.0;
      cost_ += 0.5 * (loss(squared) + log_determinant);
      if (terms) fill(frame, i, w, squared, log_determinant, (*terms)[i]);
      if (w == 0) continue;
      weight_ += w;
      squares_ += w * squared * scale2_;
      angle2_ += w * frame.V.head<3>().squaredNorm();
      position2_ += w * frame.V.tail<3>().squaredNorm();
      if (!curved || n_ == 0) continue;
      ParameterJacobian J = jacobian(frame, q_[i]);
      g_.noalias() += (w / scale2_) * (J.transpose() * frame.residual);
      if (d_ > 0) J -= frame.S * (frame.inverse * (frame.S.transpose() * J));
      H_.noalias() += (w / scale2_) * (J.transpose() * J);
    }
    add_prior();
  }

  // The residual is brought in by the root of its weight, so that residuals of all frames have unit scatter.
  void fill(const Frame& frame, std::size_t i, double w, double squared, double log_determinant,
            FrameTerms& term) const {
    term.residual = std::sqrt(w / scale2_) * frame.residual;
    term.squared = loss(squared);
    term.log_determinant = log_determinant;
    term.q = q_[i];
    if (d_ > 0) term.state_covariance = scale2_ * frame.inverse;
  }

  // As in likelihood_engine.h.
  void add_prior() {
    if (!std::isfinite(settings_.radius_scale) || kind_.radius_directions() == 0 || n_ == 0) return;
    const Eigen::Vector3d m = joint_.X_MJ.R().transpose() * joint_.X_MJ.p();
    for (int row = 0; row < kind_.radius_directions(); ++row) {
      ParameterVector J = ParameterVector::Zero(n_);
      for (int k = 0; k < n_; ++k) {
        const int direction = directions_[static_cast<std::size_t>(k)];
        if (direction >= kVCx && direction <= kVCz) J[k] = direction - kVCx == row ? 1.0 : 0.0;
        if (direction >= kWCx && direction <= kWCz)
          J[k] = m.cross(Eigen::Vector3d::Unit(direction - kWCx))[row];
      }
      J /= settings_.radius_scale;
      const double e = m[row] / settings_.radius_scale;
      H_ += J * J.transpose();
      g_ += J * e;
      cost_ += 0.5 * e * e;
    }
  }

  void iterate(LikelihoodResult& result) {
    double damping = 0.0;
    pass(true, nullptr);
    if (n_ == 0) {
      result.converged = true;
      return;
    }
    for (int i = 0; i < settings_.max_iterations; ++i) {
      math::check_interrupt();
      ++result.iterations;
      ParameterMatrix H = H_;
      H.diagonal() *= 1.0 + damping + 1e-12;
      H.diagonal().array() += 1e-300;
      ParameterVector step = math::symmetric_solve(Eigen::MatrixXd(H), Eigen::VectorXd(-g_));
      if (!step.allFinite()) return;
      const double size = std::abs(step.dot(H_ * step));
      const double tolerance = settings_.tolerance;
      if (damping <= 1e-3 && size < tolerance * tolerance * n_) {
        result.converged = true;
        return;
      }
      limit(step);
      const Joint joint = joint_;
      const std::vector<State> q = q_;
      const double cost = cost_;
      const ParameterMatrix H_before = H_;
      const ParameterVector g_before = g_;
      apply(step);
      pass(true, nullptr);
      if (cost_ <= cost + 1e-9 * std::abs(cost)) {
        damping = damping > 1e-4 ? 0.1 * damping : 0.0;
        continue;
      }
      joint_ = joint, q_ = q, cost_ = cost, H_ = H_before, g_ = g_before;
      damping = std::max(10 * damping, 1e-2);
      // No step helps any more: a minimum to within what the states' short steps leave.
      if (damping > 1e5) {
        result.converged = true;
        return;
      }
    }
  }

  void limit(ParameterVector& step) const {
    double largest = 0;
    for (int k = 0; k < n_; ++k) {
      const int direction = directions_[static_cast<std::size_t>(k)];
      const bool turns = direction <= kWPz || (direction >= kWCx && direction <= kWCz);
      if (turns) largest = std::max(largest, std::abs(step[k]) / 0.5);
    }
    if (largest > 1) step /= largest;
  }

  void apply(const ParameterVector& step) {
    Vector6d dP = Vector6d::Zero(), dC = Vector6d::Zero();
    for (int k = 0; k < n_; ++k) {
      const int direction = directions_[static_cast<std::size_t>(k)];
      if (direction == kPitch)
        joint_.pitch += step[k];
      else if (direction < 6)
        dP[direction] += step[k];
      else
        dC[direction - 6] += step[k];
    }
    const auto moved = [](const math::Pose& X, const Vector6d& V) {
      return math::Pose((X.q() * math::exp_so3(V.head<3>())).normalized(), X.p() + X.q() * V.tail<3>());
    };
    joint_.X_FJ = moved(joint_.X_FJ, dP);
    joint_.X_MJ = moved(joint_.X_MJ, dC);
    kind_.settle(joint_);
  }

  // The state's zero: where the first frame that counts stands.
  void move_zero() {
    if (!kind_.starts_at_first()) return;
    std::size_t first = 0;
    while (first < weights_.size() && weights_[first] < 0.5) ++first;
    if (first == weights_.size()) return;
    const State q0 = q_[first];
    const Motion E0 = kind_.motion(q0, joint_.pitch);
    joint_.X_FJ = joint_.X_FJ * math::Pose(E0.R, E0.p);
    for (State& q : q_) {
      if (d_ < 3)
        q -= q0;  // one axis: states add
      else
        q = kind_.state(articulation::inverse(E0) * kind_.motion(q, joint_.pitch), joint_.pitch);
    }
  }

  const JointKind& kind_;
  const Frames& frames_;
  const LikelihoodSettings& settings_;
  const int d_, n_;
  std::array<int, 13> directions_{};
  Joint joint_;
  double scale2_{1.0}, tails_, normalisation_;
  std::vector<double> weights_;
  std::vector<State> q_;
  std::vector<double> raw_;  // squared residuals of the last pass
  // Sums of the last pass.
  ParameterMatrix H_;
  ParameterVector g_;
  double cost_{0}, weight_{0}, squares_{0}, angle2_{0}, position2_{0};
};

}  // namespace

LikelihoodResult refine_with_covariances(const JointKind& kind, const Frames& frames, const Joint& start,
                                         const LikelihoodSettings& settings) {
  return CovarianceFit(kind, frames, start, settings).run();
}

}  // namespace prehend::articulation
