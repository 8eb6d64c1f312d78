// Cylindrical: turn about z and shift along z, independent. Closed form: as revolute, the height is free. Where nothing turns,
// the direction comes from the positions.
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Cylindrical {
  static constexpr model::JointType kType = model::JointType::cylindrical;
  static constexpr int kFreedoms = 2, kParameters = 8, kZeros = 2, kTurns = 1, kShifts = 1;
  static constexpr bool kHasRadius = true, kSeveralAtOnce = true, kStartsAtFirst = true;
  static constexpr std::array<int, 8> kDirections{kWPx, kWPy, kVPx, kVPy, kWCx, kWCy, kVCx, kVCy};
  template <class T>
  using Q = Eigen::Matrix<T, 2, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    const auto [s, c] = engine::sine_cosine(q[0]);
    E.R << c, -s, T(0.0), s, c, T(0.0), T(0.0), T(0.0), T(1.0);
    E.p = Eigen::Matrix<T, 3, 1>(T(0.0), T(0.0), q[1]);
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    return {engine::rough_angle(E.R(1, 0) - E.R(0, 1), E.R(0, 0) + E.R(1, 1)), E.p.z()};
  }
  template <class T>
  static void jacobian(const Q<T>&, const T&, Eigen::Matrix<T, 6, 2>& S) {
    S.setZero();
    S(2, 0) = S(5, 1) = T(1.0);
  }
  static void settle(Joint& joint) { level_with_moving_origin(joint); }
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    const auto [a_F, a_M] = axis_pair(m);
    Joint turning = place_axis(frames, a_F, a_M).joint;
    const PrincipalAxes axes = principal_axes(position_scatter(frames, m.mean_p()));
    const Eigen::Vector3d along = axes.vectors.col(2);
    Joint sliding = place_axis(frames, along, mean_rotation(m).transpose() * along).joint;
    turning.type = sliding.type = kType;
    return {turning, sliding};
  }
};

}  // namespace

const JointKind& cylindrical_kind() {
  static const KindOf<Cylindrical> kind;
  return kind;
}

}  // namespace prehend::articulation
