// Universal: turn about z of the fixed side, then about y of the moving side; the axes are perpendicular and meet in a centre.
//
// Closed form: (4.34) of source L asks a_F . R a_M = 0 with a_F = z in F, a_M = y in M: all pairs of axes that come near it
// (perpendicular_axes.h). Centre by linear least squares as for a spherical joint.
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>
#include <prehend/articulation/joints/perpendicular_axes.h>

namespace prehend::articulation {
namespace {

struct Universal {
  static constexpr model::JointType kType = model::JointType::universal;
  static constexpr int kFreedoms = 2, kParameters = 10, kZeros = 2, kTurns = 2, kShifts = 0;
  static constexpr bool kHasRadius = true, kSeveralAtOnce = true, kStartsAtFirst = false;
  static constexpr std::array<int, 10> kDirections{kWPx, kWPy, kVPx, kVPy, kVPz,
                                                   kWCx, kWCz, kVCx, kVCy, kVCz};
  template <class T>
  using Q = Eigen::Matrix<T, 2, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    const auto [s1, c1] = engine::sine_cosine(q[0]);
    const auto [s2, c2] = engine::sine_cosine(q[1]);
    E.R << c1 * c2, -s1, c1 * s2, s1 * c2, c1, s1 * s2, -s2, T(0.0), c2;
    E.p.setZero();
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    return {engine::rough_angle(-E.R(0, 1), E.R(1, 1)), engine::rough_angle(-E.R(2, 0), E.R(2, 2))};
  }
  template <class T>
  static void jacobian(const Q<T>& q, const T&, Eigen::Matrix<T, 6, 2>& S) {
    const auto [s2, c2] = engine::sine_cosine(q[1]);
    S.setZero();
    S(0, 0) = -s2, S(2, 0) = c2;
    S(1, 1) = T(1.0);
  }
  static void settle(Joint&) {}
  static std::vector<Joint> closed_form(const Frames& frames) {
    const Moments m = moments(frames);
    const Joint centre = spherical_kind().closed_form(frames).front();
    std::vector<Joint> joints;
    for (const AxisPair& pair : perpendicular_axes(frames)) {
      if (joints.size() == 6) break;
      // y of M's joint frame is a_M; its x and z are turned so that angles are small at the mean orientation.
      const Eigen::Matrix3d R_FJ0 = frame_with_z(pair.a_F);
      const Eigen::Vector3d y = mean_rotation(m) * pair.a_M;
      Eigen::Matrix3d R_FJ = R_FJ0;
      const Eigen::Vector3d across = y - pair.a_F.dot(y) * pair.a_F;
      if (across.norm() > 1e-6) {
        R_FJ.col(1) = across.normalized();
        R_FJ.col(0) = R_FJ.col(1).cross(R_FJ.col(2));
      }
      Eigen::Matrix3d R_MJ;
      R_MJ.col(1) = pair.a_M;
      const Eigen::Vector3d z = mean_rotation(m).transpose() * pair.a_F;
      Eigen::Vector3d z_M = z - pair.a_M.dot(z) * pair.a_M;
      if (z_M.norm() < 1e-6) z_M = frame_with_z(pair.a_M).col(0);
      R_MJ.col(2) = z_M.normalized();
      R_MJ.col(0) = R_MJ.col(1).cross(R_MJ.col(2));
      joints.push_back({kType, math::Pose(R_FJ, centre.X_FJ.p()), math::Pose(R_MJ, centre.X_MJ.p()), 0.0});
    }
    return joints;
  }
};

}  // namespace

const JointKind& universal_kind() {
  static const KindOf<Universal> kind;
  return kind;
}

}  // namespace prehend::articulation
