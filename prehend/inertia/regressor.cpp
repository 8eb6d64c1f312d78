#include <Eigen/Geometry>

#include <prehend/inertia/regressor.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

// I v = dot_matrix(v) [xx xy xz yy yz zz]
Eigen::Matrix<double, 3, 6> dot_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix<double, 3, 6> m;
  m << v.x(), v.y(), v.z(), 0, 0, 0,  //
      0, v.x(), 0, v.y(), v.z(), 0,   //
      0, 0, v.x(), 0, v.y(), v.z();
  return m;
}

}  // namespace

Regressor wrench_regressor(const Motion& motion) {
  const Eigen::Matrix3d W = math::skew(motion.w);
  Regressor A;
  A.topLeftCorner<3, 1>().setZero();
  A.block<3, 3>(0, 1) = -math::skew(motion.a);
  A.topRightCorner<3, 6>() = dot_matrix(motion.al) + W * dot_matrix(motion.w);
  A.bottomLeftCorner<3, 1>() = motion.a;
  A.block<3, 3>(3, 1) = math::skew(motion.al) + W * W;
  A.bottomRightCorner<3, 6>().setZero();
  return A;
}

math::Vector6d wrench_of(const math::SpatialInertia& body, const Motion& motion) {
  const Eigen::Vector3d h = body.mass * body.com;
  const Eigen::Matrix3d I = body.inertia_about(Eigen::Vector3d::Zero());
  math::Vector6d wrench;
  wrench.head<3>() = I * motion.al + motion.w.cross(I * motion.w) + h.cross(motion.a);
  wrench.tail<3>() = body.mass * motion.a + motion.al.cross(h) + motion.w.cross(motion.w.cross(h));
  return wrench;
}

}  // namespace prehend::inertia
