#include <algorithm>
#include <limits>

#include <generated/simulated_transport.h>

#include <prehend/math/house/option_check.h>

namespace prehend::stability {
namespace {

bool moves(model::Scene scene, const Eigen::Vector3d& acceleration_W,
           const SimulatedTransportOptions& options) {
  scene.gravity_W -= acceleration_W;
  simulate::Simulation simulation(scene, options.simulation);
  try {
    simulation.run(options.wait);
  } catch (const simulate::SimulationError&) {
    return true;
  }
  for (model::BodyIndex b(1); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    if (!body.movable) continue;
    const math::Twist V = simulation.velocity(b);
    double radius = 0.0;
    for (const model::Geom& geom : body.geoms) {
      for (const Eigen::Vector3d& v : geom.mesh.vertices) radius = std::max(radius, (geom.X_BG * v).norm());
    }
    if (V.linear.norm() + radius * V.angular.norm() > options.speed) return true;
  }
  return false;
}

}  // namespace

void SimulatedTransportOptions::validate() const {
  const math::OptionCheck check("SimulatedTransportOptions");
  check.above("speed", speed, 0.0, "m/s");
  check.above("wait", wait, 0.0, "s");
  check.above("upper", upper, 0.0, "m/s^2");
  check.above("accuracy", accuracy, 0.0);
  simulation.validate();
}

double simulated_transport_limit(const model::Scene& scene, const Eigen::Vector3d& d_W,
                                 const SimulatedTransportOptions& options) {
  options.validate();
  const Eigen::Vector3d d = d_W.normalized();
  if (moves(scene, Eigen::Vector3d::Zero(), options)) return 0.0;
  if (!moves(scene, options.upper * d, options)) return std::numeric_limits<double>::infinity();
  double holds = 0.0, fails = options.upper;
  while (fails - holds > options.accuracy * fails) {
    const double middle = 0.5 * (holds + fails);
    (moves(scene, middle * d, options) ? fails : holds) = middle;
  }
  return 0.5 * (holds + fails);
}

}  // namespace prehend::stability
