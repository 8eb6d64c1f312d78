// What moves, and how: read from a limiting motion and the forces that belong to it.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/stability/limit/scaled_system.h>

namespace prehend::stability {

struct LimitingMotion {
  Mode mode{Mode::undetermined};
  std::vector<int> bodies;  // that move
};

// `velocities` and `forces`: 3 per contact, nearly complementary (an interior-point answer, both inside their cones).
// A contact opens where its force is negligible against its velocity, stays where its velocity is negligible against
// its force, and slides where both lie on their cones. Negligible is relative to the largest of all contacts. The mode counts
// the contacts of bodies that move alone.
LimitingMotion classify_motion(const ScaledSystem& system, const Eigen::VectorXd& motion,
                               const Eigen::VectorXd& forces);

// The motion, but at rest where no chain of touching movable bodies leads to one that the load acts on: what could roll there at no force is
// not moved by it. `loaded`: bodies.
Eigen::VectorXd motion_of_loaded(const ScaledSystem& system, const Eigen::VectorXd& motion,
                                 const std::vector<int>& loaded);

}  // namespace prehend::stability
