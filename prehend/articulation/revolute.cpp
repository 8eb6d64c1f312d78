// Revolute: turn about z. Closed form: axes by SVD (L 4.16), centre by linear least squares (L 4.18).
#include <prehend/articulation/closed_forms.h>
#include <prehend/articulation/likelihood_engine.h>

namespace prehend::articulation {
namespace {

struct Revolute {
  static constexpr model::JointType kType = model::JointType::revolute;
  static constexpr int kFreedoms = 1, kParameters = 9, kZeros = 1, kTurns = 1, kShifts = 0;
  static constexpr bool kHasRadius = true, kStartsAtFirst = true;
  static constexpr std::array<int, 9> kDirections{kWPx, kWPy, kVPx, kVPy, kVPz, kWCx, kWCy, kVCx, kVCy};
  using Q = Eigen::Matrix<double, 1, 1>;
  static void motion(const Q& q, double, Motion& E) {
    const double c = std::cos(q[0]), s = std::sin(q[0]);
    E.R << c, -s, 0, s, c, 0, 0, 0, 1;
    E.p.setZero();
  }
  static Q state(const Motion& E, double) {
    return Q(std::atan2(E.R(1, 0) - E.R(0, 1), E.R(0, 0) + E.R(1, 1)));
  }
  static void jacobian(const Q&, double, Eigen::Matrix<double, 6, 1>& S) { S << 0, 0, 1, 0, 0, 0; }
  static void settle(Joint& joint) { level_with_moving_origin(joint); }
  static std::vector<Joint> closed_form(const Frames& frames) {
    const auto [a_F, a_M] = axis_pair(moments(frames));
    Joint joint = place_axis(frames, a_F, a_M).joint;
    joint.type = kType;
    return {joint};
  }
};

}  // namespace

const JointKind& revolute_kind() {
  static const KindOf<Revolute> kind;
  return kind;
}

}  // namespace prehend::articulation
