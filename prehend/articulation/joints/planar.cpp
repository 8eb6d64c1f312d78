// Planar: shift in the xy plane, turn about z. Closed form: the normal as a turning axis (L 4.16), or the direction in which
// positions vary least where little turns; height by the mean.
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Planar {
  static constexpr model::JointType kType = model::JointType::planar;
  static constexpr int kFreedoms = 3, kParameters = 5, kZeros = 3, kTurns = 1, kShifts = 2;
  static constexpr bool kHasRadius = false, kSeveralAtOnce = true, kStartsAtFirst = true;
  // The joint frame of M stays at M's origin.
  static constexpr std::array<int, 5> kDirections{kWPx, kWPy, kVPz, kWCx, kWCy};
  template <class T>
  using Q = Eigen::Matrix<T, 3, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    const auto [s, c] = engine::sine_cosine(q[2]);
    E.R << c, -s, T(0.0), s, c, T(0.0), T(0.0), T(0.0), T(1.0);
    E.p = Eigen::Matrix<T, 3, 1>(q[0], q[1], T(0.0));
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    return {E.p.x(), E.p.y(), engine::rough_angle(E.R(1, 0) - E.R(0, 1), E.R(0, 0) + E.R(1, 1))};
  }
  template <class T>
  static void jacobian(const Q<T>& q, const T&, Eigen::Matrix<T, 6, 3>& S) {
    const auto [s, c] = engine::sine_cosine(q[2]);
    S.setZero();
    S(3, 0) = c, S(4, 0) = -s;
    S(3, 1) = s, S(4, 1) = c;
    S(2, 2) = T(1.0);
  }
  static void settle(Joint&) {}
  static Joint with_normal(const Eigen::Vector3d& n_F, const Eigen::Vector3d& n_M, const Moments& m) {
    const Eigen::Matrix3d R_FJ = frame_with_z(n_F);
    Eigen::Matrix3d R_MJ = frame_with_z(n_M);
    // Angle zero near the mean orientation, so that states do not jump between -pi and pi.
    const Eigen::Matrix3d Q0 = R_FJ.transpose() * m.R * R_MJ;
    R_MJ = R_MJ * math::exp_so3(Eigen::Vector3d(0, 0, -std::atan2(Q0(1, 0) - Q0(0, 1), Q0(0, 0) + Q0(1, 1))))
                      .toRotationMatrix();
    return {kType, math::Pose(R_FJ, m.mean_p()), math::Pose(R_MJ, Eigen::Vector3d::Zero()), 0.0};
  }
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    const auto [a_F, a_M] = axis_pair(m);
    const PrincipalAxes axes = principal_axes(position_scatter(frames, m.mean_p()));
    const Eigen::Vector3d flat = axes.vectors.col(0);
    return {with_normal(a_F, a_M, m), with_normal(flat, mean_rotation(m).transpose() * flat, m)};
  }
};

}  // namespace

const JointKind& planar_kind() {
  static const KindOf<Planar> kind;
  return kind;
}

}  // namespace prehend::articulation
