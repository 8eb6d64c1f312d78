// Rigid: no motion. Closed form: mean orientation (L 4.6), mean position.
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Rigid {
  static constexpr model::JointType kType = model::JointType::rigid;
  static constexpr int kFreedoms = 0, kParameters = 6, kZeros = 0, kTurns = 0, kShifts = 0;
  static constexpr bool kHasRadius = false, kSeveralAtOnce = true, kStartsAtFirst = false;
  static constexpr std::array<int, 6> kDirections{kWPx, kWPy, kWPz, kVPx, kVPy, kVPz};
  template <class T>
  using Q = Eigen::Matrix<T, 0, 1>;
  template <class T>
  static void motion(const Q<T>&, const T&, MotionOf<T>& E) {
    E = {};
  }
  template <class T>
  static Q<T> state(const MotionOf<T>&, const T&) {
    return {};
  }
  template <class T>
  static void jacobian(const Q<T>&, const T&, Eigen::Matrix<T, 6, 0>&) {}
  static void settle(Joint&) {}
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    return {{kType, math::Pose(mean_rotation(m), m.mean_p()), math::Pose(), 0.0}};
  }
};

}  // namespace

const JointKind& rigid_kind() {
  static const KindOf<Rigid> kind;
  return kind;
}

}  // namespace prehend::articulation
