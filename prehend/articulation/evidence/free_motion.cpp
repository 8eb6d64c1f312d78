#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/SVD>

#include <prehend/articulation/evidence/free_motion.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

// Root mean square per axis, the part that is new in every frame, and the largest change from one frame to the next.
struct LeftMotion {
  double all{0}, fresh{0}, step{0};

  explicit LeftMotion(const std::vector<Eigen::Vector3d>& v) {
    const double n = static_cast<double>(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      all += v[i].squaredNorm() / (3 * n);
      if (i == 0) continue;
      const double change = (v[i] - v[i - 1]).squaredNorm();
      fresh += change / (6 * (n - 1));
      step = std::max(step, change);
    }
    all = std::sqrt(all), fresh = std::sqrt(fresh), step = std::sqrt(step);
  }
  bool is_free(double slow, double motion) const {
    // Of slow errors: 20 mm, 11 deg. Doors and drawers that bend or wear leave a fifth of that. Hands move things by far more.
    constexpr double kFar = 4.0;
    constexpr double kOfMotion = 0.15;  // lengths that are off, a wrong model of a camera: some percent
    constexpr double kFollowed = 0.35;  // a hand's motion at ten frames a second has 0.2 at most
    // [root mean squares per axis] A jump from one of two places to the other is 2 sqrt(3) of these at least.
    constexpr double kJump = 1.7;
    return all > kFar * slow && all > kOfMotion * motion && fresh < kFollowed * all && step < kJump * all;
  }
};

}  // namespace

bool leaves_free_motion(const JointFit& fit, const Observations& observations, const PoseNoise& slow_noise) {
  constexpr std::size_t kLeastFrames = 40;  // fewer are poses that were taken one by one
  if (!fit.has_orientation || fit.status == FitStatus::failed || observations.poses.size() < kLeastFrames)
    return false;
  std::vector<Eigen::Vector3d> shifts, turns;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  double squares = 0;
  const double n = static_cast<double>(observations.poses.size());
  for (const Observation& one : observations.poses) {
    const math::Pose Y = fit.joint.forward(*fit.states[one.time]);
    shifts.push_back(one.X_FM.p() - Y.p());
    turns.push_back(math::log_so3((Y.q().conjugate() * one.X_FM.q()).normalized()));
    mean += one.X_FM.p() / n;
    squares += one.X_FM.p().squaredNorm() / n;
    R += one.X_FM.R() / n;
  }
  const double turning2 = 3 - Eigen::JacobiSVD<Eigen::Matrix3d>(R).singularValues().sum();
  const double motion = std::sqrt(std::max(0.0, (squares - mean.squaredNorm()) / 3)),
               turning = std::sqrt(std::max(0.0, turning2) / 3);
  return LeftMotion(shifts).is_free(slow_noise.position, motion) ||
         LeftMotion(turns).is_free(slow_noise.angle, turning);
}

}  // namespace prehend::articulation
