// Maximum likelihood of one type of joint: Gauss-Newton over the two joint frames, states eliminated frame by frame.
//
// With P the joint frame on the fixed part, C that on the moving part, Y = X_PC measured = X_FJ^-1 X_FM X_MJ and the model E(q):
// residual a = log(R_E^T R_Y) and b = R_E^T (p_Y - p_E) at C's origin, in C's axes. Noise: M turns by alpha about its own origin
// and F by beta about its own, M is displaced by tau. With m, f the vectors to C from the origins of M and F (C's axes):
//   a = alpha + beta,  b = tau + alpha x m + beta x f.
// Given a, the expected beta is s a (s the fixed part's share of the variance), so
//   c = b - a x l,  l = (1 - s) m + s f,  is independent of a and has covariance p 1 + s (1 - s) r (|D|^2 1 - D D^T), D = f - m:
// the displacement of the point that divides the two origins. (a, c) are whitened in closed form, no 6x6 factorisation.
//
// Perturbations: X_FJ exp(d_P), X_MJ exp(d_C); the residual changes by d_C - adjoint(Y^-1) d_P - S(q) dq with S the type's
// twist. A type lists which of these 12 directions (and the pitch) are its free ones. Rows of far-out frames get a weight that
// falls from 1 to 0 between two bounds of the squared distance; Gaussian frames practically never reach the first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/articulation/joint_kind.h>
#include <prehend/articulation/noise_components.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

// Directions of local parameters.
enum Direction { kWPx, kWPy, kWPz, kVPx, kVPy, kVPz, kWCx, kWCy, kWCz, kVCx, kVCy, kVCz, kPitch };

namespace engine {

inline Motion motion_of(const math::Pose& X) { return {X.R(), X.p()}; }

// Rotation vector of a rotation matrix; small angles, which residuals are, need neither trigonometry nor a branch on signs.
inline Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& R) {
  const Eigen::Vector3d s(0.5 * (R(2, 1) - R(1, 2)), 0.5 * (R(0, 2) - R(2, 0)), 0.5 * (R(1, 0) - R(0, 1)));
  const double s2 = s.squaredNorm(), c = 0.5 * (R.trace() - 1.0);
  if (c > 0.9) {  // asin(x)/x up to x = 0.44: relative error below 1e-8
    return s * (1.0 + s2 * (1.0 / 6 +
                            s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * (105.0 / 3456 +
                                                                      s2 * (945.0 / 42240 + s2 * 0.0174))))));
  }
  if (c > -0.99) {
    const double sine = std::sqrt(s2);
    return s * (std::atan2(sine, c) / sine);
  }
  return math::log_so3(R);
}

// 1 up to `near`, 0 beyond `far`, smooth between.
inline double weight_of(double squared, double near, double far) {
  if (squared <= near) return 1.0;
  if (squared >= far) return 0.0;
  const double x = (far - squared) / (far - near);
  return x * x * (3 - 2 * x);
}

template <class Type>
class Engine {
 public:
  static constexpr int d = Type::kFreedoms;
  static constexpr int n = Type::kParameters;
  using VectorQ = Eigen::Matrix<double, d, 1>;
  using MatrixQ = Eigen::Matrix<double, d, d>;
  using MatrixS = Eigen::Matrix<double, 6, d>;
  using VectorN = Eigen::Matrix<double, n, 1>;
  using MatrixN = Eigen::Matrix<double, n, n>;
  using MatrixJ = Eigen::Matrix<double, 6, n>;

  Engine(const Frames& frames, const Joint& start, const LikelihoodSettings& settings)
      : frames_(frames), settings_(settings), joint_(start) {
    p_ = settings.noise.position * settings.noise.position;
    r_ = settings.noise.angle * settings.noise.angle;
    // Squared distance of 6 - d Gaussian components: mean k, deviation sqrt(2 k); beyond 4 deviations plus a tail one in
    // ten thousand.
    const double k = 6 - d;
    near_ = k + 5.0 * std::sqrt(2.0 * k) + 8.0;
    far_ = 3.0 * near_;
    floor_noise();
  }

  LikelihoodResult run() {
    LikelihoodResult result;
    weights_.assign(frames_.X.size(), 1.0);
    if (!settings_.noise_is_known) start_noise();
    // Many frames: settle on a few of them first, then all frames change little.
    const std::size_t count = frames_.X.size();
    if (count >= 512) {
      stride_ = count / 128;
      iterate(result);
      stride_ = 1;
      near_settled_ = result.converged;
      result.converged = false;
    }
    iterate(result);
    finish(result);
    return result;
  }

 private:
  void iterate(LikelihoodResult& result) {
    double damping = 0.0, best_cost = std::numeric_limits<double>::infinity();
    Joint best = joint_;
    double best_p = p_, best_r = r_;
    for (int i = 0; i < settings_.max_iterations; ++i) {
      ++result.iterations;
      pass(nullptr);
      // The variances move, too, and not along the cost itself: only a clear rise is one.
      if (cost_ > best_cost + 1.0 && damping < 1e6) {
        damping = std::max(10 * damping, 1e-2);
        joint_ = best;
        p_ = best_p, r_ = best_r;
        pass(nullptr);
      } else {
        best_cost = std::min(cost_, best_cost);
        best = joint_;
        best_p = p_, best_r = r_;
        damping = damping > 1e-4 ? 0.1 * damping : 0.0;
      }
      double noise_change = 0.0, size = 0.0;
      const double p = p_, r = r_;
      if constexpr (n > 0) {
        MatrixN H = H_;
        H.diagonal() *= 1.0 + damping + 1e-12;
        H.diagonal().array() += 1e-300;
        VectorN step = H.ldlt().solve(-g_);
        if (!step.allFinite()) return;
        size = std::abs(step.dot(H_ * step));
        limit(step);
        apply(step);
      }
      if (!settings_.noise_is_known) {
        components_.step(p_, r_);
        floor_noise();
        noise_change = std::max(std::abs(std::log(p_ / p)) * (p_ > 1.01 * p_floor_),
                                std::abs(std::log(r_ / r)) * (r_ > 1.01 * r_floor_));
      }
      const double tolerance = settings_.tolerance * settings_.tolerance * std::max(1, n);
      // From the settled few frames the first full step is short, and Gauss-Newton leaves of it a fraction of the noise's size.
      const bool first_full = near_settled_ && i == 0;
      if (damping == 0 && size < (first_full ? 4.0 * n : tolerance) &&
          noise_change < (first_full ? 0.3 : 2e-2)) {
        result.converged = true;
        return;
      }
    }
  }

  void floor_noise() {
    p_floor_ = std::pow(1e-10 * frames_.length, 2);
    r_floor_ = 1e-20;
    p_ = std::max(p_, p_floor_);
    r_ = std::max(r_, r_floor_);
  }

  // Steps stay where the linearisation means something.
  void limit(VectorN& step) const {
    double largest = 0;
    for (int k = 0; k < n; ++k) {
      const int direction = Type::kDirections[k];
      const bool turns = direction <= kWPz || (direction >= kWCx && direction <= kWCz);
      if (turns) largest = std::max(largest, std::abs(step[k]) / 0.5);
    }
    if (largest > 1) step /= largest;
  }

  void apply(const VectorN& step) {
    math::Vector6d dP = math::Vector6d::Zero(), dC = math::Vector6d::Zero();
    for (int k = 0; k < n; ++k) {
      const int direction = Type::kDirections[k];
      if (direction == kPitch)
        joint_.pitch += step[k];
      else if (direction < 6)
        dP[direction] += step[k];
      else
        dC[direction - 6] += step[k];
    }
    // Turn and shift apart: the same to first order as exp, and a long lever stays put.
    joint_.X_FJ = math::Pose((joint_.X_FJ.q() * math::exp_so3(dP.head<3>())).normalized(),
                             joint_.X_FJ.p() + joint_.X_FJ.q() * dP.tail<3>());
    joint_.X_MJ = math::Pose((joint_.X_MJ.q() * math::exp_so3(dC.head<3>())).normalized(),
                             joint_.X_MJ.p() + joint_.X_MJ.q() * dC.tail<3>());
    Type::settle(joint_);
  }

  struct Side {  // what is the same for all frames
    Eigen::Matrix3d R_PF, R_MC;
    Eigen::Vector3d p_FP, p_MC, m, p_PF;
    double angle, along;  // inverse standard deviations
  };
  Side side() const {
    Side s;
    const Motion FP = motion_of(joint_.X_FJ), MC = motion_of(joint_.X_MJ);
    s.R_PF = FP.R.transpose();
    s.p_FP = FP.p;
    s.R_MC = MC.R;
    s.p_MC = MC.p;
    s.m = MC.R.transpose() * MC.p;
    s.p_PF = -(s.R_PF * FP.p);
    s.angle = 1.0 / std::sqrt(r_);
    s.along = 1.0 / std::sqrt(p_);
    return s;
  }

  struct Row {
    Eigen::Matrix3d R_Y;
    Eigen::Vector3d p_Y, a, b, l, D;  // D unit (or zero)
    double D2;
    VectorQ q;
    MatrixS S;                    // whitened
    math::Vector6d r;             // whitened
    double across, along, angle;  // inverse standard deviations
  };

  // (w, v) -> whitened (w, v - w x l).
  template <class Column>
  static void whiten(const Row& row, Column&& column) {
    const Eigen::Vector3d w = column.template head<3>();
    Eigen::Vector3d c = column.template tail<3>() + row.l.cross(w);
    const double along = row.D.dot(c);
    c = row.across * c + ((row.along - row.across) * along) * row.D;
    column.template head<3>() = row.angle * w;
    column.template tail<3>() = c;
  }

  void residual(const Side& s, Row& row) const {
    Motion E;
    Type::motion(row.q, joint_.pitch, E);
    const Eigen::Matrix3d A = E.R.transpose() * row.R_Y;
    row.a = rotation_vector(A);
    row.b = E.R.transpose() * (row.p_Y - E.p);
    // The lever's swing in full, (A - 1) l and not a x l: what the second order leaves out always points inward.
    const Eigen::Vector3d c = row.b - A * row.l + row.l;
    row.r.template head<3>() = row.angle * row.a;
    row.r.template tail<3>() = row.across * c + ((row.along - row.across) * row.D.dot(c)) * row.D;
    if constexpr (d > 0) {
      Type::jacobian(row.q, joint_.pitch, row.S);
      for (int k = 0; k < d; ++k) whiten(row, row.S.col(k));
    }
    (void)s;
  }

  void observe(const Side& s, const Motion& X, Row& row) const {
    row.R_Y.noalias() = s.R_PF * (X.R * s.R_MC);
    row.p_Y = s.R_PF * (X.R * s.p_MC + X.p - s.p_FP);
    const double share = frames_.fixed_share;
    row.angle = s.angle;
    row.along = s.along;
    if (share > 0) {
      const Eigen::Vector3d f = row.R_Y.transpose() * (row.p_Y - s.p_PF);
      row.l = s.m + share * (f - s.m);
      row.D = f - s.m;
      row.D2 = row.D.squaredNorm();
      if (row.D2 > 0) row.D /= std::sqrt(row.D2);
      row.across = 1.0 / std::sqrt(p_ + share * (1 - share) * r_ * row.D2);
    } else {
      row.l = s.m;
      row.D.setZero();
      row.D2 = 0;
      row.across = row.along;
    }
    row.q = Type::state(Motion{row.R_Y, row.p_Y}, joint_.pitch);
    residual(s, row);
    if constexpr (d > 0 && d < 6) {
      // The angle that a lever's position tells, too: one Newton step for the state. Types whose geometric state is already
      // the most likely one skip it.
      VectorQ dq;
      if constexpr (d == 1)
        dq[0] = row.S.col(0).dot(row.r) / row.S.squaredNorm();
      else
        dq = (row.S.transpose() * row.S).ldlt().solve(row.S.transpose() * row.r);
      row.q += dq;
      residual(s, row);
    }
  }

  void jacobian(const Row& row, MatrixJ& J) const {
    for (int k = 0; k < n; ++k) {
      const int direction = Type::kDirections[k];
      auto column = J.col(k);
      if (direction < 3) {  // turn of P
        const Eigen::Vector3d e = Eigen::Vector3d::Unit(direction);
        column.template head<3>() = -row.R_Y.row(direction).transpose();
        column.template tail<3>() = row.R_Y.transpose() * row.p_Y.cross(e);
      } else if (direction < 6) {
        column.template head<3>().setZero();
        column.template tail<3>() = -row.R_Y.row(direction - 3).transpose();
      } else if (direction < 12) {
        column.setZero();
        column[direction - 6] = 1.0;
      } else {  // pitch: E shifts by q along its z
        column.setZero();
        if constexpr (d > 0) column[5] = -row.q[0];
      }
      whiten(row, column);
    }
  }

  void start_noise() {
    // Medians of squared residuals of the start, which half of the frames may spoil.
    const Side s = side();
    std::vector<double> a2, c2;
    const std::size_t stride = std::max<std::size_t>(1, frames_.X.size() / 256);
    for (std::size_t i = 0; i < frames_.X.size(); i += stride) {
      Row row;
      row.R_Y = s.R_PF * (frames_.X[i].R * s.R_MC);
      row.p_Y = s.R_PF * (frames_.X[i].R * s.p_MC + frames_.X[i].p - s.p_FP);
      row.q = Type::state(Motion{row.R_Y, row.p_Y}, joint_.pitch);
      Motion E;
      Type::motion(row.q, joint_.pitch, E);
      const Eigen::Vector3d a = rotation_vector(E.R.transpose() * row.R_Y);
      const Eigen::Vector3d b = E.R.transpose() * (row.p_Y - E.p);
      a2.push_back(a.squaredNorm());
      c2.push_back((b + s.m.cross(a)).squaredNorm());
    }
    const auto median = [](std::vector<double>& v) {
      std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
      return v[v.size() / 2];
    };
    constexpr double kMedian[4] = {1.0, 0.455, 1.386, 2.366};  // of chi-squared
    constexpr int turning = std::max(0, 3 - Type::kTurns), shifting = std::max(0, 3 - Type::kShifts);
    p_ = shifting > 0 ? median(c2) / kMedian[shifting] : settings_.noise.position * settings_.noise.position;
    r_ = turning > 0 ? median(a2) / kMedian[turning] : settings_.noise.angle * settings_.noise.angle;
    floor_noise();
  }

  // One pass over the frames: normal equations, noise statistics, weights; terms where asked for.
  void pass(std::vector<FrameTerms>* terms) {
    const Side s = side();
    H_.setZero();
    g_.setZero();
    components_ = {};
    cost_ = 0;
    count_ = 0;
    sum_a_ = sum_c_ = free_a_ = free_c_ = 0;
    const double share = frames_.fixed_share;
    Row row;
    MatrixJ J;
    const double log_p = std::log(p_), log_r = std::log(r_);
    for (std::size_t i = 0; i < frames_.X.size(); i += stride_) {
      observe(s, frames_.X[i], row);
      MatrixQ inverse;
      Eigen::Matrix<double, d, 6> G;  // (S^T S)^-1 S^T
      double t_a = 0, t_along = 0, t_across = 0;
      math::Vector6d e = row.r;
      if constexpr (d > 0 && d < 6) {
        if constexpr (d == 1) {
          const double scalar = 1.0 / row.S.squaredNorm();
          inverse(0, 0) = scalar;
          for (int k = 0; k < 6; ++k) G(0, k) = scalar * row.S(k, 0);
        } else {
          inverse = (row.S.transpose() * row.S).inverse();
          G.noalias() = inverse * row.S.transpose();
        }
        e -= row.S * (G * row.r);
        for (int k = 0; k < 3; ++k) t_a += row.S.row(k).dot(G.col(k));
        for (int k = 3; k < 6; ++k) t_across += row.S.row(k).dot(G.col(k));
        if (share > 0) {
          t_along =
              (row.D.transpose() * row.S.template bottomRows<3>()).dot(G.template rightCols<3>() * row.D);
          t_across -= t_along;
        }
      } else if constexpr (d == 6) {
        e.setZero();
        t_a = 3, t_along = share > 0 ? 1 : 0, t_across = share > 0 ? 2 : 3;
        if (terms) inverse = (row.S.transpose() * row.S).inverse();
      }
      const double squared = e.squaredNorm();
      const double w = frames_.weights[i] * (settings_.robust ? weight_of(squared, near_, far_) : 1.0);
      weights_[i] = w;
      const double log_determinant = 3 * log_r + (share > 0 ? log_p - 4 * std::log(row.across) : 3 * log_p);
      cost_ += 0.5 * (std::min(squared, settings_.robust ? far_ : squared) + log_determinant);
      if (terms) {
        FrameTerms& term = (*terms)[i];
        term.residual = e;
        term.q = row.q;
        if constexpr (d > 0) {
          term.state_covariance.resize(d, d);
          for (int k = 0; k < d * d; ++k) term.state_covariance(k / d, k % d) = inverse(k / d, k % d);
        }
        term.log_determinant = log_determinant;
        term.squared = squared;
      }
      if (w == 0) continue;
      count_ += w;
      const Eigen::Vector3d ea = e.template head<3>(), ec = e.template tail<3>();
      components_.add_rotation(w, ea.squaredNorm() * r_, 3 - t_a, r_);
      sum_a_ += w * ea.squaredNorm() * r_;
      free_a_ += w * (3 - t_a);
      if (share > 0) {
        const double along = row.D.dot(ec), v = 1.0 / (row.across * row.across);
        const double across2 = ec.squaredNorm() - along * along;
        components_.add_along(w, along * along * p_, 1 - t_along, p_);
        components_.add_across(w, across2 * v, 2 - t_across, v, share * (1 - share) * row.D2);
        sum_c_ += w * (along * along * p_ + across2 * v);
      } else {
        components_.add_along(w, ec.squaredNorm() * p_, 3 - t_across, p_);
        sum_c_ += w * ec.squaredNorm() * p_;
      }
      free_c_ += w * (3 - t_along - t_across);
      if constexpr (n > 0) {
        jacobian(row, J);
        g_.noalias() += w * (J.transpose() * e);
        if constexpr (d > 0 && d < 6) J -= row.S * (G * J).eval();
        H_.template selfadjointView<Eigen::Lower>().rankUpdate(J.transpose(), w);
      }
    }
    if constexpr (n > 0) {
      H_ = H_.template selfadjointView<Eigen::Lower>();
      add_prior(s);
    }
  }

  // Half-normal on the distance from M's origin to the axis: rows m_x / scale, m_y / scale; m = R_MC^T p_MC.
  void add_prior(const Side& s) {
    if (!(Type::kHasRadius && std::isfinite(settings_.radius_scale))) return;
    for (int row = 0; row < 2; ++row) {
      VectorN J = VectorN::Zero();
      for (int k = 0; k < n; ++k) {
        const int direction = Type::kDirections[k];
        if (direction >= kVCx && direction <= kVCz) J[k] = direction - kVCx == row ? 1.0 : 0.0;
        if (direction >= kWCx && direction <= kWCz)
          J[k] = s.m.cross(Eigen::Vector3d::Unit(direction - kWCx))[row];
      }
      J /= settings_.radius_scale;
      const double e = s.m[row] / settings_.radius_scale;
      H_ += J * J.transpose();
      g_ += J * e;
      cost_ += 0.5 * e * e;
    }
  }

  // The state's zero: where the first frame that counts stands.
  void start_at_first_frame() {
    if constexpr (Type::kStartsAtFirst) {
      const Side s = side();
      for (std::size_t i = 0; i < frames_.X.size(); ++i) {
        if (weights_[i] < 0.5) continue;
        Row row;
        observe(s, frames_.X[i], row);
        Motion E;
        Type::motion(row.q, joint_.pitch, E);
        joint_.X_FJ = joint_.X_FJ * math::Pose(E.R, E.p);
        return;
      }
    }
  }

  void finish(LikelihoodResult& result) {
    start_at_first_frame();
    std::vector<FrameTerms> terms;
    if (settings_.wants_terms) terms.resize(frames_.X.size());
    pass(settings_.wants_terms ? &terms : nullptr);
    result.joint = joint_;
    result.noise = {std::sqrt(p_), std::sqrt(r_)};
    const double freedoms = count_ * (6 - d);
    result.noise_factor = settings_.noise_is_known || freedoms <= n ? 1.0 : freedoms / (freedoms - n);
    result.weights = weights_;
    result.terms = std::move(terms);
    result.rms_angle = count_ > 0 ? std::sqrt(sum_a_ / (3 * count_)) : 0.0;
    result.rms_position = count_ > 0 ? std::sqrt(sum_c_ / (3 * count_)) : 0.0;
    result.cost = cost_;
    if constexpr (n > 0) {
      // Scaled to a unit diagonal, so that metres and radians do not decide what counts as singular.
      VectorN scale;
      for (int k = 0; k < n; ++k) scale[k] = H_(k, k) > 0 ? 1.0 / std::sqrt(H_(k, k)) : 0.0;
      const MatrixN scaled = scale.asDiagonal() * H_ * scale.asDiagonal();
      const Eigen::LDLT<MatrixN> ldlt(scaled);
      MatrixN covariance = ldlt.solve(MatrixN::Identity());
      if (!covariance.allFinite() || ldlt.vectorD().minCoeff() < 1e-13)
        covariance.setConstant(std::numeric_limits<double>::infinity());
      else
        covariance = (scale.asDiagonal() * covariance * scale.asDiagonal()).eval() * result.noise_factor;
      result.covariance = covariance;
    }
  }

  const Frames& frames_;
  const LikelihoodSettings& settings_;
  Joint joint_;
  double p_{1}, r_{1}, p_floor_{0}, r_floor_{0};  // variances [m^2, rad^2]
  double near_, far_;
  std::size_t stride_{1};
  bool near_settled_{false};
  std::vector<double> weights_;
  MatrixN H_;
  VectorN g_;
  NoiseComponents components_;
  double cost_{0}, count_{0}, sum_a_{0}, sum_c_{0}, free_a_{0}, free_c_{0};
};

}  // namespace engine

// A JointKind from a type's compile-time description:
//   kType, kFreedoms, kParameters, kZeros (states whose zero is a convention), kDirections, kTurns and kShifts (freedoms that
//   turn, shift), kHasRadius, kStartsAtFirst (E(q) form a group of one axis: the zero may be moved); motion, state, jacobian, settle (gauge), closed_form.
template <class Type>
class KindOf : public JointKind {
 public:
  using VectorQ = Eigen::Matrix<double, Type::kFreedoms, 1>;
  model::JointType type() const override { return Type::kType; }
  int freedoms() const override { return Type::kFreedoms; }
  int parameters() const override { return Type::kParameters; }
  int parameters_with_zero() const override { return Type::kParameters + Type::kZeros; }
  Motion motion(const State& q, double pitch) const override {
    Motion E;
    Type::motion(VectorQ(q), pitch, E);
    return E;
  }
  State state(const Motion& E, double pitch) const override { return Type::state(E, pitch); }
  StateJacobian jacobian(const State& q, double pitch) const override {
    Eigen::Matrix<double, 6, Type::kFreedoms> S;
    if constexpr (Type::kFreedoms > 0) Type::jacobian(VectorQ(q), pitch, S);
    return S;
  }
  std::vector<Joint> closed_form(const Frames& frames) const override { return Type::closed_form(frames); }
  LikelihoodResult refine(const Frames& frames, const Joint& start,
                          const LikelihoodSettings& settings) const override {
    return engine::Engine<Type>(frames, start, settings).run();
  }
  int parameter_of(int direction) const override {
    for (int k = 0; k < Type::kParameters; ++k)
      if (Type::kDirections[k] == direction) return k;
    return -1;
  }
};

}  // namespace prehend::articulation
