#include <cmath>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/observation/execution/force_feedback.h>

namespace prehend::observation {
namespace {

// [of all that the contacts restrict] Directions that they restrict by less, such as turns that two nearly equal points would resist, are
// mostly left alone.
constexpr double kWeak = 1e-3;

}  // namespace

math::Vector6d wanted_wrench(const ContactWrenches& kept, double push_N) {
  return push_N * (kept.columns * kept.weights);
}

math::Vector6d feedback_step(const ContactWrenches& kept, const math::Vector6d& wrench, double push_N,
                             const HandStiffness& stiffness, double share) {
  if (kept.columns.cols() == 0) return math::Vector6d::Zero();
  math::Vector6d root;
  root << Eigen::Vector3d::Constant(1.0 / std::sqrt(stiffness.turn)),
      Eigen::Vector3d::Constant(1.0 / std::sqrt(stiffness.shift));
  // In units of the spring's energy; the range of this symmetric matrix is what the contacts restrict.
  const Matrix6Xd scaled = root.asDiagonal() * kept.columns;
  const math::Matrix6d square = scaled * scaled.transpose();
  const math::Vector6d off = root.cwiseProduct(wrench - wanted_wrench(kept, push_N));
  const math::Matrix6d damped = square + kWeak * square.trace() * math::Matrix6d::Identity();
  const math::Vector6d step = share * square * math::symmetric_solve(damped, off);
  return root.cwiseProduct(step);
}

}  // namespace prehend::observation
