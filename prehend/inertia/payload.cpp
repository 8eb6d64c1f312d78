#include <cmath>
#include <stdexcept>

#include <prehend/inertia/payload.h>
#include <prehend/inertia/regressor.h>

namespace prehend::inertia {

math::Vector6d payload_wrench(const math::SpatialInertia& load_S, const math::Pose& X_WS,
                              const Eigen::Vector3d& gravity_W, const SensorMotion& motion) {
  const Eigen::Matrix3d R_SW = X_WS.R().transpose();
  return wrench_of(load_S,
                   {.a = R_SW * (motion.a_W - gravity_W), .w = R_SW * motion.w_W, .al = R_SW * motion.al_W});
}

Samples without_tool(const Samples& samples, const math::SpatialInertia& tool_S) {
  const math::ConsistencyReport report = math::check_consistency(tool_S);
  if (!report.is_consistent()) throw std::invalid_argument("the tool is " + report.brief_report());
  Samples result = samples;
  for (Sample& sample : result.samples) sample.wrench -= wrench_of(tool_S, sample.motion);
  if (result.noise) {
    // Per axis, to first order about rest: m a in forces, I al and (m c) x a in torques; means over the axes.
    SampleNoise& noise = *result.noise;
    const double lever = tool_S.mass * tool_S.com.norm();
    const double inertia = tool_S.inertia_about(Eigen::Vector3d::Zero()).norm() / std::sqrt(3.0);
    noise.force = std::hypot(noise.force, tool_S.mass * noise.a, lever * noise.al * std::sqrt(2.0 / 3.0));
    noise.torque = std::hypot(noise.torque, inertia * noise.al, lever * noise.a * std::sqrt(2.0 / 3.0));
  }
  return result;
}

}  // namespace prehend::inertia
