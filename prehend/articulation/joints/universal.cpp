// Universal: turn about z of the fixed side, then about y of the moving side; the axes are perpendicular and meet in a centre.
//
// Closed form: (4.34) of source L asks a_F . R a_M = 0 with a_F = z in F, a_M = y in M. For a fixed a_M the best a_F is the
// eigenvector of least eigenvalue of the sum of (R a_M)(R a_M)^T, and the other way round: alternating the two lowers (4.38)
// with every step. It has several minima, so it starts from directions all over the hemisphere and keeps all that differ:
// a motion about one axis and then the other has two exact solutions with the axes' roles exchanged. Centre by linear least
// squares as for a spherical joint.
#include <algorithm>

#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/kind_of.h>

namespace prehend::articulation {
namespace {

using Matrix9d = Eigen::Matrix<double, 9, 9>;

struct AxisPair {
  Eigen::Vector3d a_F, a_M;
  double cost;  // mean of (a_F . R a_M)^2
};

// Sum of (R a)(R a)^T, or of (R^T a)(R^T a)^T, from the second moments K of the columns of R: entry (i + 3 j) is R(i, j).
Eigen::Matrix3d contracted(const Matrix9d& K, const Eigen::Vector3d& a, bool in_M) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l) {
          if (in_M)
            A(i, k) += K(i + 3 * j, k + 3 * l) * a[j] * a[l];
          else
            A(j, l) += K(i + 3 * j, k + 3 * l) * a[i] * a[k];
        }
  return A;
}

std::vector<AxisPair> axis_pairs(const Frames& frames) {
  Matrix9d K = Matrix9d::Zero();
  double weight = 0;
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    const Eigen::Map<const Eigen::Matrix<double, 9, 1>> r(frames.X[i].R.data());
    K.selfadjointView<Eigen::Lower>().rankUpdate(r, frames.weights[i]);
    weight += frames.weights[i];
  }
  K = Matrix9d(K.selfadjointView<Eigen::Lower>()) / weight;
  std::vector<AxisPair> pairs;
  constexpr int kStarts = 24;  // about 30 degrees apart on the hemisphere
  for (int start = 0; start < kStarts; ++start) {
    const double z = (start + 0.5) / kStarts, angle = 2.399963229728653 * start;  // golden angle
    AxisPair pair{{}, {std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z}, 0};
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 200; ++i) {
      pair.a_F = principal_axes(contracted(K, pair.a_M, true)).vectors.col(0);
      const PrincipalAxes in_M = principal_axes(contracted(K, pair.a_F, false));
      pair.a_M = in_M.vectors.col(0);
      pair.cost = in_M.values[0];
      if (last - pair.cost < 1e-6 * last) break;
      last = pair.cost;
    }
    const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const AxisPair& other) {
      return std::abs(other.a_F.dot(pair.a_F)) > 0.998 && std::abs(other.a_M.dot(pair.a_M)) > 0.998;
    });
    if (!known) pairs.push_back(pair);
  }
  std::sort(pairs.begin(), pairs.end(), [](const AxisPair& a, const AxisPair& b) { return a.cost < b.cost; });
  return pairs;
}

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
    for (const AxisPair& pair : axis_pairs(frames)) {
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
