#include <cmath>

#include <Eigen/Geometry>

#include <prehend/math/so3.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::model {

ChainSweep::ChainSweep(const JointChain& chain, const Eigen::Vector3d& base_acceleration_W)
    : chain_(&chain),
      base_acceleration_W_(base_acceleration_W),
      R_JE_(chain.X_JE.R()),
      p_JE_(chain.X_JE.p()) {
  for (const ChainJoint& joint : chain.joints) {
    Step step{};
    step.R0 = joint.X_PC.R();
    step.p0 = joint.X_PC.p();
    step.Sw = joint.S.head<3>();
    step.Sv = joint.S.tail<3>();
    step.K = math::skew(step.Sw);
    step.KK = step.K * step.K;
    steps_.push_back(step);
  }
}

// A twist of the parent, seen from the child that stands at (R, p) in it; `back` is the transpose.
ChainSweep::Spatial ChainSweep::into(const Eigen::Matrix3d& R, const Eigen::Vector3d& p, const Spatial& x) {
  return {R.transpose() * x.w, R.transpose() * (x.v + x.w.cross(p))};
}
ChainSweep::Spatial ChainSweep::back(const Eigen::Matrix3d& R, const Eigen::Vector3d& p, const Spatial& x) {
  const Eigen::Vector3d v = R * x.v;
  return {R * x.w + p.cross(v), v};
}

const FrameMotion& ChainSweep::forward(const Values& q, const Values& qd, const Values& qdd) {
  Spatial V{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()},
      A{Eigen::Vector3d::Zero(), base_acceleration_W_};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    const auto at = static_cast<Eigen::Index>(i);
    const double turn = q[at] - chain_->joints[i].reference;
    // exp(S turn) for a unit or a zero axis: a turn about the anchor and a shift along the axis.
    const double sine = std::sin(turn), versine = 2.0 * std::pow(std::sin(0.5 * turn), 2);
    const Eigen::Matrix3d turned = Eigen::Matrix3d::Identity() + sine * step.K + versine * step.KK;
    const Eigen::Vector3d shift = turn * step.Sv + versine * step.Sw.cross(step.Sv) +
                                  (turn - sine) * step.Sw.cross(step.Sw.cross(step.Sv));
    step.R = step.R0 * turned;
    step.p = step.p0 + step.R0 * shift;
    step.qd = qd[at];
    step.V_in = into(step.R, step.p, V);
    step.A_in = into(step.R, step.p, A);
    V = {step.V_in.w + step.qd * step.Sw, step.V_in.v + step.qd * step.Sv};
    A.w = step.A_in.w + qdd[at] * step.Sw + step.qd * V.w.cross(step.Sw);
    A.v = step.A_in.v + qdd[at] * step.Sv + step.qd * (V.v.cross(step.Sw) + V.w.cross(step.Sv));
    step.V = V;
    step.A = A;
  }
  V = into(R_JE_, p_JE_, V);
  A = into(R_JE_, p_JE_, A);
  motion_ = {V.w, V.v, A.w, A.v + V.w.cross(V.v)};
  return motion_;
}

math::Pose ChainSweep::X_WC(int i) const {
  math::Pose X;
  for (int j = 0; j <= i; ++j) {
    const Step& step = steps_[static_cast<std::size_t>(j)];
    X = X * math::Pose(step.R, step.p);
  }
  return X;
}

math::Pose ChainSweep::X_WE() const { return X_WC(static_cast<int>(steps_.size()) - 1) * chain_->X_JE; }

void ChainSweep::backward(const FrameGradient& gradient, Sums q_sum, Sums qd_sum, Sums qdd_sum) const {
  const FrameMotion& of = gradient.motion;
  Spatial V{of.w + motion_.v.cross(of.a), of.v + of.a.cross(motion_.w)}, A{of.al, of.a};
  Spatial D{gradient.turn, gradient.shift};
  V = back(R_JE_, p_JE_, V);
  A = back(R_JE_, p_JE_, A);
  D = back(R_JE_, p_JE_, D);
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const Step& step = steps_[i];
    const auto at = static_cast<Eigen::Index>(i);
    const auto along = [&](const Spatial& x) { return step.Sw.dot(x.w) + step.Sv.dot(x.v); };
    // d/dq of Ad(exp(-S q)) x is -[S, x].
    const auto against = [&](const Spatial& x, const Spatial& bar) {
      return -(step.Sw.cross(x.w).dot(bar.w) + (step.Sv.cross(x.w) + step.Sw.cross(x.v)).dot(bar.v));
    };
    qdd_sum[at] += along(A);
    qd_sum[at] +=
        step.V.w.cross(step.Sw).dot(A.w) + (step.V.v.cross(step.Sw) + step.V.w.cross(step.Sv)).dot(A.v);
    V.w += step.qd * (step.Sw.cross(A.w) + step.Sv.cross(A.v));
    V.v += step.qd * step.Sw.cross(A.v);
    qd_sum[at] += along(V);
    q_sum[at] += along(D) + against(step.A_in, A) + against(step.V_in, V);
    V = back(step.R, step.p, V);
    A = back(step.R, step.p, A);
    D = back(step.R, step.p, D);
  }
}

}  // namespace prehend::model
