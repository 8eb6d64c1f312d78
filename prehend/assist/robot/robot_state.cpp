#include <cmath>

#include <prehend/assist/robot/robot_state.h>

namespace prehend::assist {
namespace {

std::size_t nth(int index) { return static_cast<std::size_t>(index); }

constexpr double kGravity = 9.81;  // [m/s^2]

SpatialVector motion_cross(const SpatialVector& a, const SpatialVector& b) {
  return {a.w.cross(b.w), a.w.cross(b.v) + a.v.cross(b.w)};
}

SpatialVector force_cross(const SpatialVector& V, const SpatialVector& f) {
  return {V.w.cross(f.w) + V.v.cross(f.v), V.w.cross(f.v)};
}

Eigen::Matrix3d turn_about(const Eigen::Vector3d& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), t = 1.0 - c;
  const double x = axis.x(), y = axis.y(), z = axis.z();
  Eigen::Matrix3d R;
  R << t * x * x + c, t * x * y - s * z, t * x * z + s * y, t * x * y + s * z, t * y * y + c, t * y * z - s * x,
      t * x * z - s * y, t * y * z + s * x, t * z * z + c;
  return R;
}

}  // namespace

RobotState::RobotState(const RobotModel& robot)
    : robot_(&robot), freedoms_(robot.freedoms()), segments_(robot.joint_count() + 1) {
  ancestors_[0] = 0b111;
  for (int j = 0; j < robot.joint_count(); ++j) {
    const RobotJoint& joint = robot.joints[nth(j)];
    ancestors_[nth(j + 1)] = ancestors_[nth(joint.parent)] | (std::uint64_t{1} << (j + kBaseFreedoms));
    R_PC_[nth(j + 1)] = joint.X_PC.R();
  }
  mass_ = robot.mass();
  bias_ = Freedoms::Zero(freedoms_);
  mass_matrix_ = FreedomMatrix::Zero(freedoms_, freedoms_);
  momentum_rows_.setZero(6, freedoms_);
  set(Freedoms::Zero(freedoms_), Freedoms::Zero(freedoms_));
}

void RobotState::set(const Freedoms& q, const Freedoms& v) {
  q_ = q, v_ = v;
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  R_[0] << c, -s, 0, s, c, 0, 0, 0, 1;
  p_[0] = {q[0], q[1], 0.0};
  S_[0] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX()};
  S_[1] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitY()};
  S_[2] = {Eigen::Vector3d::UnitZ(), p_[0].cross(Eigen::Vector3d::UnitZ())};
  V_[0] = {v[2] * Eigen::Vector3d::UnitZ(), Eigen::Vector3d(v[0], v[1], 0.0) + v[2] * S_[2].v};
  // The base's yaw axis moves with the base: rate of S_2 is [0; p-dot x z].
  A_[0] = {Eigen::Vector3d::Zero(), v[2] * Eigen::Vector3d(v[0], v[1], 0.0).cross(Eigen::Vector3d::UnitZ())};
  for (int j = 0; j < segments_ - 1; ++j) {
    const RobotJoint& joint = robot_->joints[nth(j)];
    const std::size_t own = nth(j + 1), parent = nth(joint.parent);
    const double angle = q[j + kBaseFreedoms], rate = v[j + kBaseFreedoms];
    const Eigen::Matrix3d R0 = R_[parent] * R_PC_[own];
    p_[own] = p_[parent] + R_[parent] * joint.X_PC.p();
    const Eigen::Vector3d axis = R0 * joint.axis_C;
    SpatialVector& S = S_[nth(j + kBaseFreedoms)];
    if (joint.is_prismatic) {
      R_[own] = R0;
      p_[own] += angle * axis;
      S = {Eigen::Vector3d::Zero(), axis};
    } else {
      R_[own].noalias() = R0 * turn_about(joint.axis_C, angle);
      S = {axis, p_[own].cross(axis)};
    }
    V_[own] = {V_[parent].w + rate * S.w, V_[parent].v + rate * S.v};
    const SpatialVector change = motion_cross(V_[own], S);
    A_[own] = {A_[parent].w + rate * change.w, A_[parent].v + rate * change.v};
  }
}

SpatialVector RobotState::times(const Inertia& inertia, const SpatialVector& x) const {
  return {inertia.I * x.w + inertia.h.cross(x.v), inertia.m * x.v - inertia.h.cross(x.w)};
}

void RobotState::compute_dynamics() {
  std::array<SpatialVector, kMaxJoints + 1> f;
  const Eigen::Vector3d up(0.0, 0.0, kGravity);
  for (int k = 0; k < segments_; ++k) {
    const RobotSegment& segment = robot_->segments[nth(k)];
    Inertia& own = own_[nth(k)];
    const Eigen::Vector3d c = p_[nth(k)] + R_[nth(k)] * segment.com;
    own.m = segment.mass;
    own.h = segment.mass * c;
    const Eigen::Matrix3d turned = R_[nth(k)] * segment.I_com;
    own.I.noalias() = turned * R_[nth(k)].transpose();
    own.I += segment.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    composite_[nth(k)] = own;
    const SpatialVector a{A_[nth(k)].w, A_[nth(k)].v + up};
    const SpatialVector push = times(own, a), spin = force_cross(V_[nth(k)], times(own, V_[nth(k)]));
    f[nth(k)] = {push.w + spin.w, push.v + spin.v};
  }
  for (int j = segments_ - 2; j >= 0; --j) {
    const std::size_t own = nth(j + 1), parent = nth(robot_->joints[nth(j)].parent);
    const SpatialVector& S = S_[nth(j + kBaseFreedoms)];
    bias_[j + kBaseFreedoms] = S.w.dot(f[own].w) + S.v.dot(f[own].v);
    f[parent].w += f[own].w, f[parent].v += f[own].v;
    composite_[parent].m += composite_[own].m;
    composite_[parent].h += composite_[own].h;
    composite_[parent].I += composite_[own].I;
  }
  for (int i = 0; i < kBaseFreedoms; ++i) bias_[i] = S_[nth(i)].w.dot(f[0].w) + S_[nth(i)].v.dot(f[0].v);
  floor_bias_ = f[0];
  for (int j = freedoms_ - 1; j >= 0; --j) {
    const int segment = j < kBaseFreedoms ? 0 : j - kBaseFreedoms + 1;
    const SpatialVector F = times(composite_[nth(segment)], S_[nth(j)]);
    momentum_rows_.col(j) << F.w, F.v;
    const std::uint64_t above = ancestors_[nth(segment)];
    for (int i = 0; i <= j; ++i) {
      const double value = ((above >> i) & 1U) ? S_[nth(i)].w.dot(F.w) + S_[nth(i)].v.dot(F.v) : 0.0;
      mass_matrix_(i, j) = value, mass_matrix_(j, i) = value;
    }
  }
}

Eigen::Vector3d RobotState::point_velocity(int segment, const Eigen::Vector3d& p_W) const {
  return V_[nth(segment)].v + V_[nth(segment)].w.cross(p_W);
}

Eigen::Vector3d RobotState::point_bias(int segment, const Eigen::Vector3d& p_W) const {
  return A_[nth(segment)].v + A_[nth(segment)].w.cross(p_W) + V_[nth(segment)].w.cross(point_velocity(segment, p_W));
}

void RobotState::point_jacobian(int segment, const Eigen::Vector3d& p_W, PointJacobian& J) const {
  J.setZero(3, freedoms_);
  for (int i = 0; i < freedoms_; ++i)
    if (moves(i, segment)) J.col(i) = S_[nth(i)].v + S_[nth(i)].w.cross(p_W);
}

void RobotState::angular_jacobian(int segment, PointJacobian& J) const {
  J.setZero(3, freedoms_);
  for (int i = 0; i < freedoms_; ++i)
    if (moves(i, segment)) J.col(i) = S_[nth(i)].w;
}

void RobotState::add_point_row(int segment, const Eigen::Vector3d& p_W, const Eigen::Vector3d& n, double scale,
                               double* row) const {
  const Eigen::Vector3d moment = scale * p_W.cross(n), force = scale * n;
  for (int i = 0; i < freedoms_; ++i)
    if (moves(i, segment)) row[i] += S_[nth(i)].w.dot(moment) + S_[nth(i)].v.dot(force);
}

Eigen::Vector3d RobotState::com() const { return composite_[0].h / mass_; }

void RobotState::com_jacobian(PointJacobian& J) const { J = momentum_rows_.bottomRows(3) / mass_; }

Eigen::Vector3d RobotState::com_bias() const {
  return floor_bias_.v / mass_ - Eigen::Vector3d(0.0, 0.0, kGravity);
}

}  // namespace prehend::assist
