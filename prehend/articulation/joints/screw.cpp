// Screw: turn about z with a shift of pitch times the angle. Closed form: as revolute, with the angle made continuous in time
// (L 4.21) and the pitch [m/rad] by regression of the shift on it (L 4.24; the source's table has it in mm/rad).
#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

struct Screw {
  static constexpr model::JointType kType = model::JointType::screw;
  static constexpr int kFreedoms = 1, kParameters = 10, kZeros = 1, kTurns = 1, kShifts = 0;
  static constexpr bool kHasRadius = true, kSeveralAtOnce = true, kStartsAtFirst = true, kWinds = true;
  static constexpr std::array<int, 10> kDirections{kWPx, kWPy, kVPx, kVPy, kVPz,
                                                   kWCx, kWCy, kVCx, kVCy, kPitch};
  template <class T>
  using Q = Eigen::Matrix<T, 1, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T& pitch, MotionOf<T>& E) {
    const auto [s, c] = engine::sine_cosine(q[0]);
    E.R << c, -s, T(0.0), s, c, T(0.0), T(0.0), T(0.0), T(1.0);
    E.p = Eigen::Matrix<T, 3, 1>(T(0.0), T(0.0), pitch * q[0]);
  }
  // The orientation tells the angle up to whole turns, the shift tells which turn.
  static Q<double> state(const Motion& E, double pitch) {
    const double angle = std::atan2(E.R(1, 0) - E.R(0, 1), E.R(0, 0) + E.R(1, 1));
    const double turns = pitch != 0 ? std::round((E.p.z() / pitch - angle) / (2 * math::kPi)) : 0.0;
    return Q<double>(angle + (std::abs(turns) < 1e6 ? 2 * math::kPi * turns : 0.0));
  }
  template <class T>
  static void jacobian(const Q<T>&, const T& pitch, Eigen::Matrix<T, 6, 1>& S) {
    S.setZero();
    S[2] = 1.0;
    S[5] = pitch;
  }
  static void settle(Joint& joint) { level_with_moving_origin(joint); }
  static std::vector<Joint> closed_form(const Frames& frames) {
    const auto [a_F, a_M] = axis_pair(moments(frames));
    AxisPlacement placement = place_axis(frames, a_F, a_M);
    Joint& joint = placement.joint;
    joint.type = kType;
    const std::vector<double> angles = unwrapped(placement.turns);
    const Eigen::Vector3d z = joint.X_FJ.q() * Eigen::Vector3d::UnitZ();
    double weight = 0, mean_angle = 0, mean_height = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      weight += frames.weights[i];
      mean_angle += frames.weights[i] * angles[i];
      mean_height += frames.weights[i] * z.dot(frames.X[i].p);
    }
    mean_angle /= weight;
    mean_height /= weight;
    double saa = 1e-300, sah = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const double a = frames.weights[i] * (angles[i] - mean_angle);
      saa += a * (angles[i] - mean_angle);
      sah += a * (z.dot(frames.X[i].p) - mean_height);
    }
    joint.pitch = sah / saa;
    // Height of the frame where the angle is zero.
    const double rise = mean_height - joint.pitch * mean_angle - z.dot(joint.X_FJ.p());
    joint.X_FJ = math::Pose(joint.X_FJ.q(), joint.X_FJ.p() + rise * z);
    return {joint};
  }
};

}  // namespace

const JointKind& screw_kind() {
  static const KindOf<Screw> kind;
  return kind;
}

}  // namespace prehend::articulation
