#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <prehend/articulation/evidence/track_motion.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

double median_of_all(std::vector<double>& v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

}  // namespace

PoseDistance usual_distance(std::span<const math::Pose> X_WP) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  PoseDistance nearest{kInfinite, kInfinite};
  if (X_WP.empty()) return nearest;
  for (const std::size_t at : {std::size_t{0}, X_WP.size() / 2, X_WP.size() - 1}) {
    std::vector<double> away, turned;
    for (const math::Pose& X : X_WP) {
      away.push_back((X.p() - X_WP[at].p()).norm());
      turned.push_back(math::log_so3(X_WP[at].q().conjugate() * X.q()).norm());
    }
    nearest.position = std::min(nearest.position, median_of_all(away));
    nearest.angle = std::min(nearest.angle, median_of_all(turned));
  }
  return nearest;
}

bool moves_in_world(std::span<const math::Pose> X_WP) {
  if (X_WP.size() < 3) return true;
  const double n = static_cast<double>(X_WP.size());
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const math::Pose& X : X_WP) mean += X.p() / n;
  Eigen::Vector3d mean_turn = Eigen::Vector3d::Zero();
  double spread = 0, jitter = 0, turn = 0, turn_jitter = 0;
  const Eigen::Quaterniond middle = X_WP[X_WP.size() / 2].q();
  for (std::size_t i = 0; i < X_WP.size(); ++i) {
    spread += (X_WP[i].p() - mean).squaredNorm();
    const Eigen::Vector3d turned = math::log_so3(middle.conjugate() * X_WP[i].q());
    mean_turn += turned / n;
    turn += turned.squaredNorm();
    if (i == 0) continue;
    jitter += (X_WP[i].p() - X_WP[i - 1].p()).squaredNorm();
    turn_jitter += math::log_so3(X_WP[i - 1].q().conjugate() * X_WP[i].q()).squaredNorm();
  }
  turn -= n * mean_turn.squaredNorm();
  // Of few frames both scatter, by some tens of per cent at fifty frames. Less than what poses are not known better than (a micrometre, a millionth of a radian, rounding far away) is no motion.
  constexpr double kLength = 1e-6, kOfPlace = 1e-9, kAngle = 1e-6;  // [m, -, rad]
  const double scatter = 1 + 2 / std::sqrt(n);
  const double rounding = (kLength * kLength + kOfPlace * kOfPlace * mean.squaredNorm()) * n;
  if (spread > scatter * jitter + rounding || turn > scatter * turn_jitter + kAngle * kAngle * n) return true;
  // Two standard deviations on three axes of what slow errors are (SelectionOptions::slow_noise: 5 mm and 0.05 rad): trackers are not worse.
  constexpr double kFarMoved = 0.0175, kFarTurned = 0.175;  // [m, rad]
  const PoseDistance distance = usual_distance(X_WP);
  return distance.position > kFarMoved || distance.angle > kFarTurned;
}

bool is_carried(const PoseDistance& distance, const PoseDistance& left_by_rigid) {
  constexpr double kCarried = 4.0;
  return distance.position > kCarried * left_by_rigid.position ||
         distance.angle > kCarried * left_by_rigid.angle;
}

}  // namespace prehend::articulation
