// Prismatic: shift along z. Closed form: mean orientation (L 4.6), direction by principal components (L 4.7).
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Prismatic {
  static constexpr model::JointType kType = model::JointType::prismatic;
  static constexpr int kFreedoms = 1, kParameters = 7, kZeros = 1, kTurns = 0, kShifts = 1;
  static constexpr bool kHasRadius = false, kSeveralAtOnce = true, kStartsAtFirst = true;
  // Direction in F, orientation of M, and where the line passes. The joint frame of M stays at M's origin.
  static constexpr std::array<int, 7> kDirections{kWPx, kWPy, kVPx, kVPy, kWCx, kWCy, kWCz};
  template <class T>
  using Q = Eigen::Matrix<T, 1, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    E.R.setIdentity();
    E.p = Eigen::Matrix<T, 3, 1>(T(0.0), T(0.0), q[0]);
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    return Q<T>(E.p.z());
  }
  template <class T>
  static void jacobian(const Q<T>&, const T&, Eigen::Matrix<T, 6, 1>& S) {
    S = Eigen::Matrix<T, 6, 1>::Unit(5);
  }
  static void settle(Joint&) {}
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    const PrincipalAxes axes = principal_axes(position_scatter(frames, m.mean_p()));
    const Eigen::Matrix3d R_FJ = frame_with_z(axes.vectors.col(2));
    return {{kType, math::Pose(R_FJ, m.mean_p()),
             math::Pose((mean_rotation(m).transpose() * R_FJ).eval(), Eigen::Vector3d::Zero()), 0.0}};
  }
};

}  // namespace

const JointKind& prismatic_kind() {
  static const KindOf<Prismatic> kind;
  return kind;
}

}  // namespace prehend::articulation
