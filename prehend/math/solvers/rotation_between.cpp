#include <prehend/math/so3.h>

namespace prehend::math {

Eigen::Quaterniond rotation_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to);
}

}  // namespace prehend::math
