#include <prehend/articulation/evidence/handedness.h>

namespace prehend::articulation {

Eigen::Quaterniond read_xyzw(const Eigen::Quaterniond& q) { return {q.z(), q.w(), q.x(), q.y()}; }

std::string contradiction(const Observations& observations, double log_likelihood, double margin) {
  if (!observations.has_orientation || observations.fixed_is_measured) return "";
  const double bound = log_likelihood + margin * static_cast<double>(observations.poses.size());
  FitOptions gaussian;
  gaussian.noise_shape = NoiseShape::gaussian;
  for (int change = 0; change < 5; ++change) {
    Observations changed = observations;
    for (Observation& o : changed.poses) {
      Eigen::Vector3d p = o.X_FM.p();
      if (change < 3) p[change] *= -1;
      const Eigen::Quaterniond q = o.X_FM.q();
      o.X_FM = math::Pose(change < 3 ? q : change == 3 ? q.conjugate() : read_xyzw(q), p);
    }
    for (const model::JointType type : {model::JointType::revolute, model::JointType::screw}) {
      const JointFit fit = fit_joint(type, changed, gaussian);
      if (fit.status == FitStatus::failed || fit.log_likelihood < bound) continue;
      return std::string("positions and orientations contradict each other: ") +
             (change < 3    ? std::string("with ") + "xyz"[change] + " mirrored"
              : change == 3 ? std::string("with inverse quaternions")
                            : std::string("with quaternions in the order x, y, z, w")) +
             " a " + to_string(type) + " joint explains them" +
             (change < 3 ? "; the coordinates seem to be left-handed" : "");
    }
  }
  return "";
}

}  // namespace prehend::articulation
