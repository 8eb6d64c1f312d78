#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/math/se3.h>
#include <prehend/observation/screw_path.h>

namespace prehend::observation {

using Eigen::Vector3d;

math::Pose screw_path(const math::Vector6d& first_W, const math::Vector6d& second_W, double theta) {
  return math::exp_se3(theta * first_W + 0.5 * theta * theta * second_W);
}

math::Pose turning_path(const math::Vector6d& first_W, const math::Vector6d& second_W, double theta) {
  if (!second_W.head<3>().isZero(0.0))
    throw std::invalid_argument("turning_path: s3 is not zero; the axis would turn, see screw_path");
  const double rate = first_W.head<3>().norm();
  if (rate == 0.0)
    return math::Pose::translation(theta * first_W.tail<3>() + 0.5 * theta * theta * second_W.tail<3>());
  // In terms of the angle: derivatives by it.
  const double angle = rate * theta;
  const Vector3d a = first_W.head<3>() / rate, s2 = first_W.tail<3>() / rate,
                 s4 = second_W.tail<3>() / (rate * rate);
  const Vector3d c = a.cross(s2), rate_of_c = a.cross(s4);
  const Eigen::Quaterniond R(Eigen::AngleAxisd(angle, a));
  const Vector3d about = c - a.cross(rate_of_c);  // a quarter turn about a of what is orthogonal to it
  const Vector3d t =
      about - R * about + rate_of_c * angle + a * (a.dot(s2) * angle + 0.5 * a.dot(s4) * angle * angle);
  return {R, t};
}

}  // namespace prehend::observation
