// Joints of a scene as rows of the contact system (contact_system.h).
//
// The joints between two bodies have freedoms: twists T_j of the child against the parent, about the system's origin. They
// carry every wrench that does no work on them (bilateral rows, the orthogonal complement in scaled units), and along T_j
// what motor, friction, spring and limits allow (a row whose power is the rate of that state alone). A state counts as at
// its limit when it stands within 1e-3 rad or 1e-4 m of it, or beyond.
#pragma once

#include <prehend/stability/contact_system.h>

namespace prehend::stability {

// Fills system.joints; needs its bodies.
void list_joints(const model::Scene& scene, ContactSystem& system);
// Fills system.joint_rows; needs origin and length. Names what stands beyond its limits in system.problems.
void add_joint_rows(const model::Scene& scene, ContactSystem& system);

}  // namespace prehend::stability
