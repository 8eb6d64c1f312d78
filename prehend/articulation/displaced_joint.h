// A joint moved along one of its parameters: what derivatives with respect to a fitted joint are formed with.
//
// Parameters are those of JointFit::covariance, in its order: turns and shifts of the two joint frames in their own axes, and the
// pitch; which of them a type has, its file in this room says.
#pragma once

#include <prehend/articulation/joint_model.h>

namespace prehend::articulation {

// `step` in rad, m or m/rad, exact to first order. Throws std::invalid_argument beyond parameters(joint.type).
Joint displaced(const Joint& joint, int parameter, double step);

}  // namespace prehend::articulation
