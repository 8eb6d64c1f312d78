#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <prehend/math/number_text.h>
#include <prehend/stability/methods/simulated_transport.h>

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
  const auto check = [](const char* name, double value) {
    if (!(value > 0.0) || !std::isfinite(value)) {
      throw std::invalid_argument(std::string(name) + " is " + math::number_text(value) +
                                  ", must be positive");
    }
  };
  check("speed", speed);
  check("wait", wait);
  check("upper", upper);
  check("accuracy", accuracy);
  simulation.validate();
}

double simulated_transport_limit(const model::Scene& scene, const Eigen::Vector3d& d_W,
                                 const SimulatedTransportOptions& options) {
  options.validate();
  const Eigen::Vector3d d = d_W.normalized();
  if (moves(scene, Eigen::Vector3d::Zero(), options)) return 0.0;
  if (!moves(scene, options.upper * d, options)) return std::numeric_limits<double>::infinity();
  double holds = 0.0, gives = options.upper;
  while (gives - holds > options.accuracy * gives) {
    const double middle = 0.5 * (holds + gives);
    (moves(scene, middle * d, options) ? gives : holds) = middle;
  }
  return 0.5 * (holds + gives);
}

}  // namespace prehend::stability
