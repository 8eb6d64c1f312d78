#include <algorithm>
#include <cmath>

#include <prehend/geometry/mesh.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/simulate/settle.h>

namespace prehend::simulate {
namespace {

// [m] radius of the ball about the body's centre of mass that holds all its geoms.
double radius(const model::Body& body) {
  double largest = 0.0;
  for (const model::Geom& geom : body.geoms) {
    for (const Eigen::Vector3d& vertex : geom.mesh.vertices) {
      largest = std::max(largest, (geom.X_BG * vertex - body.inertia.com).norm());
    }
  }
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace

void SettleOptions::validate() const {
  simulation.validate();
  const math::OptionCheck check("SettleOptions");
  check.above("max_time", max_time, 0.0, "s");
  check.between("max_time", max_time, 0.0, 3600.0, "s");
  check.above("rest_time", rest_time, 0.0, "s");
  check.between("rest_time", rest_time, 0.0, max_time, "s");
  check.above("rest_speed", rest_speed, 0.0, "sizes/s");
  check.above("fall_limit", fall_limit, 0.0, "sizes");
}

SettleOptions SettleOptions::for_statics() {
  SettleOptions options;
  options.simulation.contact_time_constant = 0.005;
  return options;
}

const char* to_string(SettleStatus status) { return enum_text(status); }

namespace {

// A joint that a motor holds does not move.
model::Scene with_motors_holding(model::Scene scene) {
  for (model::Joint& joint : scene.joints) {
    if (joint.is_held()) joint.type = model::JointType::rigid;
  }
  return scene;
}

// Bodies where they ended, joints with the states they have there.
void take_poses(const Simulation& simulation, model::Scene& scene) {
  for (model::BodyIndex b(1); b < scene.bodies.size(); ++b) scene.bodies[b].X_WB = simulation.X_WB(b);
  for (model::JointIndex j(0); j < scene.joints.size(); ++j) {
    model::Joint& joint = scene.joints[j];
    if (joint.type == model::JointType::free) continue;
    const bool has_one_state = joint.type == model::JointType::revolute ||
                               joint.type == model::JointType::prismatic ||
                               joint.type == model::JointType::screw;
    if (has_one_state && !joint.is_held()) joint.reference = simulation.joint_state(j);
    joint.X_PC = scene.bodies[joint.parent].X_WB.inverse() * scene.bodies[joint.child].X_WB;
  }
}

}  // namespace

std::string SettleResult::brief_report() const {
  std::string text = std::string(to_string(status)) + " after " + math::number_text(time, 3) + " s";
  if (!message.empty()) text += ": " + message;
  return text;
}

SettleResult settle(const model::Scene& scene, const SettleOptions& options) {
  options.validate();
  Simulation simulation(with_motors_holding(scene), options.simulation);
  SettleResult result;
  result.notes = simulation.notes();
  std::vector<model::BodyIndex> movable;
  std::vector<double> radii;
  for (model::BodyIndex b(1); b < scene.bodies.size(); ++b) {
    if (!scene.bodies[b].movable) continue;
    movable.push_back(b);
    radii.push_back(radius(scene.bodies[b]));
  }
  const double size = std::max(scene.extent(), 1e-9);
  const double slice = std::min(0.01, options.rest_time);
  double slow_since = 0.0;
  std::string fastest;
  try {
    while (result.status == SettleStatus::still_moving && simulation.time() < options.max_time) {
      simulation.run(slice);
      bool slow = true;
      for (std::size_t i = 0; i < movable.size(); ++i) {
        const math::Pose X = simulation.X_WB(movable[i]);
        const model::Body& body = scene.bodies[movable[i]];
        const math::Twist V = simulation.velocity(movable[i]).at(X.q() * body.inertia.com);
        if (V.linear.norm() + V.angular.norm() * radii[i] > options.rest_speed * radii[i]) {
          slow = false;
          fastest = body.name;
        }
        if ((X.p() - body.X_WB.p()).norm() > options.fall_limit * size) {
          result.status = SettleStatus::fell;
          result.message = "body '" + body.name + "' falls out of the scene";
        }
      }
      if (!slow) slow_since = simulation.time();
      if (slow && simulation.time() - slow_since >= options.rest_time - 1e-9)
        result.status = SettleStatus::settled;
    }
    if (result.status == SettleStatus::still_moving)
      result.message = "body '" + fastest + "' does not come to rest";
  } catch (const SimulationError& error) {
    result.status = SettleStatus::exploded;
    result.message = error.what();
  }
  result.time = simulation.time();
  result.scene = scene;
  if (result.status != SettleStatus::exploded) take_poses(simulation, result.scene);
  for (const model::BodyIndex b : movable) {
    const model::Body &before = scene.bodies[b], &after = result.scene.bodies[b];
    result.motions.push_back({b, (after.X_WB * after.inertia.com - before.X_WB * before.inertia.com).norm(),
                              before.X_WB.q().angularDistance(after.X_WB.q())});
  }
  return result;
}

}  // namespace prehend::simulate
