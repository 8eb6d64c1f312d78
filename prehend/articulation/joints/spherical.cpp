// Spherical: any turn about a centre. Closed form: linear least squares for the centre in F and M (L 4.18 without an axis).
#include <Eigen/Cholesky>

#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

struct Spherical {
  static constexpr model::JointType kType = model::JointType::spherical;
  static constexpr int kFreedoms = 3, kParameters = 6, kZeros = 3, kTurns = 3, kShifts = 0;
  static constexpr bool kHasRadius = true, kSeveralAtOnce = true, kStartsAtFirst = false;
  static constexpr std::array<int, 6> kDirections{kVPx, kVPy, kVPz, kVCx, kVCy, kVCz};
  template <class T>
  using Q = Eigen::Matrix<T, 3, 1>;
  template <class T>
  static void motion(const Q<T>& q, const T&, MotionOf<T>& E) {
    E.R = engine::turned_by(q);
    E.p.setZero();
  }
  template <class T>
  static Q<T> state(const MotionOf<T>& E, const T&) {
    return engine::rotation_vector<T>(E.R);
  }
  template <class T>
  static void jacobian(const Q<T>& q, const T&, Eigen::Matrix<T, 6, 3>& S) {
    S.template topRows<3>() = engine::right_jacobian(q);
    S.template bottomRows<3>().setZero();
  }
  static void settle(Joint&) {}
  static std::vector<Joint> closed_form(const Frames& frames) {
    // c_F - R c_M = p for all frames.
    const Moments m = moments(frames);
    const Eigen::Matrix3d mean_R = m.R / m.weight;
    Eigen::Vector3d rhs = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < frames.X.size(); ++i)
      rhs -=
          frames.weights[i] / m.weight * (frames.X[i].R - mean_R).transpose() * (frames.X[i].p - m.mean_p());
    Eigen::Matrix3d A = Eigen::Matrix3d::Identity() - mean_R.transpose() * mean_R;
    A.diagonal().array() += 1e-12;  // an axis about which nothing turned: the centre nearest to M's origin
    const Eigen::Vector3d c_M = A.ldlt().solve(rhs);
    return {
        {kType, math::Pose(mean_rotation(m), mean_R * c_M + m.mean_p()), math::Pose::translation(c_M), 0.0}};
  }
};

}  // namespace

const JointKind& spherical_kind() {
  static const KindOf<Spherical> kind;
  return kind;
}

}  // namespace prehend::articulation
