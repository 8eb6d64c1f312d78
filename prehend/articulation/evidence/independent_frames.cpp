#include <vector>

#include <prehend/articulation/evidence/independent_frames.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

double independent_frames(const JointFit& fit, const Observations& observations) {
  std::vector<math::Vector6d> e;
  double variance = 0;
  for (std::size_t i = 0; i < observations.poses.size(); ++i) {
    if (fit.weights[i] < 0.5) continue;
    math::Vector6d residual = math::Vector6d::Zero();
    if (fit.has_orientation) {
      const math::Pose& X = observations.poses[i].X_FM;
      const math::Pose Y = fit.joint.forward(*fit.states[observations.poses[i].time]);
      if (fit.noise.angle > 0)
        residual.head<3>() = math::log_so3(Y.q().conjugate() * X.q()) / fit.noise.angle;
      if (fit.noise.position > 0) residual.tail<3>() = (X.p() - Y.p()) / fit.noise.position;
    } else if (fit.noise.position > 0) {
      residual.tail<3>() = fit.track_residuals[i] / fit.noise.position;
    }
    e.push_back(residual);
    variance += residual.squaredNorm();
  }
  const double n = static_cast<double>(e.size());
  if (e.size() < 4 || !(variance > 0)) return n;
  double time = 1.0;
  for (std::size_t lag = 1; lag < e.size() / 2; ++lag) {
    double covariance = 0;
    for (std::size_t i = lag; i < e.size(); ++i) covariance += e[i].dot(e[i - lag]);
    if (covariance < 0.05 * variance) break;
    time += 2 * covariance / variance;
  }
  return n / time;
}

}  // namespace prehend::articulation
