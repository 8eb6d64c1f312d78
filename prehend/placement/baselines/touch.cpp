#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>
#include <prehend/placement/baselines/touch.h>
#include <prehend/placement/search/lying.h>
#include <prehend/placement/search/separation.h>

namespace prehend::placement {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::Vector6d;

namespace {

// [m] Gaps close to this, a hundredth of what a placement may miss by.
constexpr double kClosedGap = 1e-8, kClosedGapError = 1e-7;
constexpr int kMostNewtonSteps = 12;

}  // namespace

struct Touch::State {
  const Problem& problem;
  Parts parts;
  double radius;
  std::vector<MovedPart> scene;

  explicit State(const Problem& the_problem)
      : problem(the_problem), parts(the_problem), radius(std::max(0.5 * parts.object_size(), 1e-9)) {
    for (const ConvexPart& part : parts.scene(true)) scene.push_back(moved_part(part, math::Pose()));
    parts.object(true);  // found now: later questions only read
  }

  std::vector<GapRow> rows(const math::Pose& X_WO, double range) {
    std::vector<GapRow> found;
    const Vector3d centre = X_WO * problem.body().inertia.com;
    int pair = 0;
    for (const ConvexPart& part : parts.object(true)) {
      const MovedPart own = moved_part(part, X_WO);
      for (const MovedPart& other : scene) gap_rows(other, own, centre, range, pair++, found);
    }
    return found;
  }

  math::Pose moved(const math::Pose& X_WO, const Vector6d& twist) const {
    const Vector3d com = problem.body().inertia.com;
    const Eigen::Quaterniond q = (math::exp_so3(twist.head<3>()) * X_WO.q()).normalized();
    return math::Pose(q, X_WO * com + twist.tail<3>() - q * com);
  }

  std::optional<math::Pose> newton(math::Pose X_WO, double near) {
    for (int step = 0; step < kMostNewtonSteps; ++step) {
      const std::vector<GapRow> gaps = rows(X_WO, near);
      if (gaps.empty()) return std::nullopt;
      // Variables [w r; v], so that all are lengths.
      MatrixXd J(static_cast<Eigen::Index>(gaps.size()), 6);
      VectorXd wanted(J.rows());
      for (Eigen::Index i = 0; i < J.rows(); ++i) {
        const GapRow& row = gaps[static_cast<std::size_t>(i)];
        J.row(i) << row.rate.head<3>().transpose() / radius, row.rate.tail<3>().transpose();
        wanted[i] = kClosedGap - row.gap;
      }
      if (wanted.cwiseAbs().maxCoeff() < kClosedGapError) return X_WO;
      constexpr double kOneRow = 1e-6;  // nearly parallel rows
      Vector6d twist = math::minimum_norm_solution(J, wanted, kOneRow);
      if (!(twist.norm() < 20.0 * near)) return std::nullopt;
      twist.head<3>() /= radius;
      X_WO = moved(X_WO, twist);
    }
    return std::nullopt;
  }
};

Touch::Touch(const Problem& problem) : state_(std::make_unique<State>(problem)) {}
Touch::~Touch() = default;

std::optional<math::Pose> Touch::closed(const math::Pose& X_WO, double near) const {
  for (const double share : {1.0, 0.3, 0.1, 0.03}) {
    if (std::optional<math::Pose> pose = state_->newton(X_WO, share * near)) return pose;
  }
  return std::nullopt;
}

}  // namespace prehend::placement
