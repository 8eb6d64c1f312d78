#include <prehend/math/so3.h>
#include <prehend/math/spatial.h>

namespace prehend::math {

Matrix6d wrench_adjoint(const Pose& X_AB) {
  const Eigen::Matrix3d R = X_AB.R();
  Matrix6d matrix;
  matrix << R, skew(X_AB.p()) * R, Eigen::Matrix3d::Zero(), R;
  return matrix;
}

}  // namespace prehend::math
