// The tendons of a compiled MJCF model as forces between bodies.
//
// A tendon's length is a sum of joint states (<fixed>) or the way through sites and around geoms (<spatial>), divided where pulleys
// divide it. Its rate follows from the joints' rates, or from the velocities of the places where it bends. Along it act a spring, friction, a motor, and a
// limit that is reached: a rope of its full length pulls. Lengths count as posed; a limit is reached within 1e-4 m, or 1e-3 rad of its joints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <prehend/model/scene.h>

struct mjModel_;
struct mjData_;

namespace prehend::model {

struct MjcfTendonForce {
  std::string name;
  std::vector<std::pair<int, double>> joints;  // of the engine, and their coefficients
  std::vector<JointCoupling::Point> points;    // bodies as the engine numbers them
  double length{0.0};                          // [m] or [rad], as posed
  double near{0.0};                            // how close to its limit it stands at it
  double lower{0.0}, upper{0.0};               // as in JointCoupling; both 0: nothing acts
  double slack{0.0};                           // what is missing to the nearest limit; 0: none, or reached
};

// In the engine's order. `data` stands as posed, with kinematics. A tendon whose way cannot be followed has neither joints nor points.
std::vector<MjcfTendonForce> mjcf_tendons(const mjModel_& model, mjData_& data, bool with_limits,
                                          bool with_friction);

}  // namespace prehend::model
