// The largest acceleration of the ground at which nothing moves, by trial in the physics engine: a second opinion on
// transport.h, as source N checks its figure 4.16.
//
// A ground that accelerates by a d is the same scene under gravity g - a d. Bisection on a: the scene starts at rest in
// its given pose and runs for `wait`; it has moved when a point of a body is faster than the threshold, relative to the
// ground. Proves nothing; contacts are soft.
#pragma once

#include <prehend/simulate/simulation.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct SimulatedTransportOptions {
  double speed{0.05};     // [m/s] as in the source
  double wait{0.5};       // [s] what fails has gathered speed, what holds is at rest again
  double upper{100.0};    // [m/s^2] what holds at this counts as unbounded
  double accuracy{1e-3};  // relative width at which bisection ends
  simulate::SimulationOptions simulation{.contact_time_constant = 0.005};

  void validate() const;
};

// [m/s^2]; infinite when nothing moves at `upper`, zero when something moves without acceleration.
double simulated_transport_limit(const model::Scene& scene, const Eigen::Vector3d& d_W,
                                 const SimulatedTransportOptions& options = {});

}  // namespace prehend::stability
