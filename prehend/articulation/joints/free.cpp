// Free: no constraint; the hypothesis that remains when no joint explains the motion.
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Free {
  static constexpr model::JointType kType = model::JointType::free;
  static constexpr int kFreedoms = 6, kParameters = 0, kZeros = 6, kTurns = 3, kShifts = 3;
  static constexpr bool kHasRadius = false, kStartsAtFirst = false;
  static constexpr std::array<int, 0> kDirections{};
  using Q = math::Vector6d;
  static void motion(const Q& q, double, Motion& E) {
    E.R = math::exp_so3(q.head<3>()).toRotationMatrix();
    E.p = q.tail<3>();
  }
  static Q state(const Motion& E, double) {
    Q q;
    q << engine::rotation_vector<double>(E.R), E.p;
    return q;
  }
  static void jacobian(const Q& q, double, math::Matrix6d& S) {
    S.setZero();
    S.topLeftCorner<3, 3>() = math::right_jacobian_so3(q.head<3>());
    S.bottomRightCorner<3, 3>() = math::exp_so3(q.head<3>()).toRotationMatrix().transpose();
  }
  static void settle(Joint&) {}
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    return {{kType, math::Pose(mean_rotation(m), m.mean_p()), math::Pose(), 0.0}};
  }
};

}  // namespace

const JointKind& free_kind() {
  static const KindOf<Free> kind;
  return kind;
}

}  // namespace prehend::articulation
