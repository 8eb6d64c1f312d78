#include <prehend/articulation/evidence/left_out_motion.h>
#include <prehend/articulation/fit/short_motion.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

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
