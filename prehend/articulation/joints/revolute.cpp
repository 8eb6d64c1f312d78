// Revolute: turn about z. Closed form: axes by SVD (L 4.16), centre by linear least squares (L 4.18). Where little turns, the
// likelihood also starts from axes across the direction of motion.
#include <algorithm>
#include <cmath>

#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

struct Revolute {
  static constexpr model::JointType kType = model::JointType::revolute;
  static constexpr int kFreedoms = 1, kParameters = 9, kZeros = 1, kTurns = 1, kShifts = 0;
  static constexpr bool kHasRadius = true, kSeveralAtOnce = true, kStartsAtFirst = true;
  static constexpr std::array<int, 9> kDirections{kWPx, kWPy, kVPx, kVPy, kVPz, kWCx, kWCy, kVCx, kVCy};
  template <class T>
  using Q = Eigen::Matrix<T, 1, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    const auto [s, c] = engine::sine_cosine(q[0]);
    E.R << c, -s, T(0.0), s, c, T(0.0), T(0.0), T(0.0), T(1.0);
    E.p.setZero();
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    return Q<T>(engine::rough_angle(E.R(1, 0) - E.R(0, 1), E.R(0, 0) + E.R(1, 1)));
  }
  template <class T>
  static void jacobian(const Q<T>&, const T&, Eigen::Matrix<T, 6, 1>& S) {
    S = Eigen::Matrix<T, 6, 1>::Unit(2);
  }
  static void settle(Joint& joint) { level_with_moving_origin(joint); }
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    const auto [a_F, a_M] = axis_pair(m);
    Joint joint = place_axis(frames, a_F, a_M).joint;
    joint.type = kType;
    std::vector<Joint> starts{joint};
    // Little turn: the orientations do not tell the axis, but it lies across the direction in which M's origin moves.
    const Eigen::Vector3d singular = singular_values(m.R / m.weight);
    if (singular[0] - singular[1] > kClearTurn) return starts;
    const PrincipalAxes axes = principal_axes(position_scatter(frames, m.mean_p()));
    const Eigen::Vector3d along = axes.vectors.col(2);
    // Were all scatter of angles motion, the radius would be the ratio of the two scatters; it is noise in part, so the radius is
    // larger. Near the axis the angles' noise would decide, and the likelihood would not find its way out. But from too far away it may
    // take all turning for noise, and end with positions that are exact: from a third of the way as well.
    const double path = std::sqrt(std::max(axes.values[2], 0.0));
    const double scatter = std::sqrt(std::max((3.0 - singular.sum()) / 3.0, 0.0));
    const double radius = path * std::clamp(2.0 / std::max(scatter, 1e-9), 5.0, 1000.0);
    const Eigen::Matrix3d across = frame_with_z(along), mean_R = mean_rotation(m);
    constexpr int kAround = 8;
    for (int k = 0; k < 2 * kAround; ++k) {
      const Eigen::Vector3d axis =
          std::cos(k * math::kPi / 4) * across.col(0) + std::sin(k * math::kPi / 4) * across.col(1);
      const Eigen::Vector3d centre = m.mean_p() + (k < kAround ? 1.0 : 1.0 / 3) * radius * axis.cross(along);
      const Eigen::Matrix3d R_FJ = frame_with_z(axis);
      starts.push_back(
          {kType, math::Pose(R_FJ, centre),
           math::Pose((mean_R.transpose() * R_FJ).eval(), mean_R.transpose() * (centre - m.mean_p())), 0.0});
    }
    return starts;
  }
  // Gap of mean cosines: a spread of 8 degrees, several times the noise of trackers.
  static constexpr double kClearTurn = 0.01;
};

}  // namespace

const JointKind& revolute_kind() {
  static const KindOf<Revolute> kind;
  return kind;
}

}  // namespace prehend::articulation
