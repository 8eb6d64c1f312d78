// Free: no constraint; the hypothesis that remains when no joint explains the motion.
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Free {
  static constexpr model::JointType kType = model::JointType::free;
  static constexpr int kFreedoms = 6, kParameters = 0, kZeros = 6, kTurns = 3, kShifts = 3;
  static constexpr bool kHasRadius = false, kSeveralAtOnce = true, kStartsAtFirst = false;
  static constexpr std::array<int, 0> kDirections{};
  template <class T>
  using Q = Eigen::Matrix<T, 6, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    E.R = engine::turned_by(engine::Vector3<T>(q.template head<3>()));
    E.p = q.template tail<3>();
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    Q<T> q;
    q << engine::rotation_vector<T>(E.R), E.p;
    return q;
  }
  template <class T>
  static void jacobian(const Q<T>& q, const T&, Eigen::Matrix<T, 6, 6>& S) {
    const engine::Vector3<T> turn = q.template head<3>();
    S.setZero();
    S.template topLeftCorner<3, 3>() = engine::right_jacobian(turn);
    S.template bottomRightCorner<3, 3>() = engine::turned_by(turn).transpose();
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
