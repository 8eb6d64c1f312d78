#include <algorithm>

#include <prehend/articulation/evidence/left_out_motion.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

bool moves_away(std::span<const math::Vector6d> residuals, const std::vector<bool>& far) {
  // Fewer do not tell a way from a jump with noise on it.
  constexpr std::size_t kLeastRun = 4;
  // Of the largest distance in the run: a flip is reached in one step, half a second of a stroke at 10 frames a second in five.
  constexpr double kStep = 0.5;
  const std::size_t n = residuals.size();
  for (std::size_t first = 0; first < n; ++first) {
    if (!far[first]) continue;
    std::size_t end = first;
    double way = 0, step = 0;
    for (; end < n && far[end]; ++end) {
      way = std::max(way, residuals[end].norm());
      if (end > 0) step = std::max(step, (residuals[end] - residuals[end - 1]).norm());
    }
    if (end < n) step = std::max(step, (residuals[end] - residuals[end - 1]).norm());
    if (end - first >= kLeastRun && end - first < n && step < kStep * way) return true;
    first = end;
  }
  return false;
}

bool leaves_motion_out(const JointFit& fit, const Observations& observations) {
  if (!fit.has_orientation || fit.outliers == 0 || !(fit.noise.position > 0) || !(fit.noise.angle > 0))
    return false;
  std::vector<math::Vector6d> residuals;
  std::vector<bool> far;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    const math::Pose& X = observations.poses[i].X_FM;
    const math::Pose Y = fit.joint.forward(*fit.states[observations.poses[i].time]);
    math::Vector6d e;
    e << math::log_so3((Y.q().conjugate() * X.q()).normalized()) / fit.noise.angle,
        (X.p() - Y.p()) / fit.noise.position;
    residuals.push_back(e);
    far.push_back(fit.weights[i] < 0.5);
  }
  return moves_away(residuals, far);
}

}  // namespace prehend::articulation
