#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <prehend/math/so3.h>
#include <prehend/placement/source/pose_from_features.h>

namespace prehend::placement {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double kNoDirection = 1e-9;  // [rad] directions that are parallel but for rounding span no plane

// Columns: x, y square to x towards the second, z.
std::optional<Matrix3d> frame(const Vector3d& x, const Vector3d& towards) {
  const Vector3d z = x.cross(towards);
  if (!(z.norm() > kNoDirection * x.norm() * towards.norm())) return std::nullopt;
  Matrix3d columns;
  columns.col(0) = x.normalized();
  columns.col(2) = z.normalized();
  columns.col(1) = columns.col(2).cross(columns.col(0));
  return columns;
}

}  // namespace

Matrix3d turn_between(const Vector3d& from, const Vector3d& to) {
  const Vector3d cross = from.cross(to);
  const double sine = cross.norm(), cosine = from.dot(to);
  // Parallel: nothing to turn. Opposite: half a turn about any axis across.
  if (sine < 1e-12) {
    if (cosine > 0.0) return Matrix3d::Identity();
    const Vector3d axis = from.unitOrthogonal();
    return 2.0 * axis * axis.transpose() - Matrix3d::Identity();
  }
  Matrix3d hat;
  const Vector3d w = cross / sine;
  hat << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return Matrix3d::Identity() + sine * hat + (1.0 - cosine) * hat * hat;
}

SideVectors side_vectors(const Vector3d& u, const Vector3d& n_left, const Vector3d& n_right) {
  return {n_left.cross(u).normalized(), u.cross(n_right).normalized()};
}

bool affords_edge(const Vector3d& n, const Vector3d& u, const SideVectors& sides, double tolerance) {
  return std::abs(n.dot(u)) <= tolerance && n.dot(sides.left) >= -tolerance &&
         n.dot(sides.right) >= -tolerance;
}

std::optional<math::Pose> pose_from_points(const ScenePoint& a, const ScenePoint& b, const PointPair& points,
                                           const Vector3d& n_q) {
  const std::optional<Matrix3d> scene = frame(a.p_W - b.p_W, a.n_W);
  const std::optional<Matrix3d> object = frame(points.q - points.r, -n_q);
  if (!scene || !object) return std::nullopt;
  const Eigen::Quaterniond q_WO(Matrix3d(*scene * object->transpose()));
  return math::Pose(q_WO.normalized(), a.p_W - q_WO.normalized() * points.q);
}

std::optional<math::Pose> pose_from_planes(const ScenePoint& a, const ScenePoint& b,
                                           const FlushFeature& first, const FlushFeature& second,
                                           const Vector3d& com) {
  const std::optional<Matrix3d> scene = frame(a.n_W, b.n_W), object = frame(first.m, second.m);
  if (!scene || !object) return std::nullopt;
  const Eigen::Quaterniond q_WO = Eigen::Quaterniond(Matrix3d(*scene * object->transpose())).normalized();
  Matrix3d rows;
  rows << a.n_W.transpose(), b.n_W.transpose(), scene->col(2).transpose();
  const Vector3d levels(a.n_W.dot(a.p_W - q_WO * first.p), b.n_W.dot(b.p_W - q_WO * second.p),
                        scene->col(2).dot(0.5 * (a.p_W + b.p_W) - q_WO * com));
  return math::Pose(q_WO, rows.fullPivLu().solve(levels));
}

}  // namespace prehend::placement
