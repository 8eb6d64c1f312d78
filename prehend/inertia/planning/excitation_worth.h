// What a given motion is worth, and the baseline that plans are compared with.
#pragma once

#include <Eigen/Core>

#include <prehend/inertia/excitation.h>

namespace prehend::inertia {

// Samples the motion and asks for its information and its limits.
MotionWorth worth_of(const model::JointChain& chain, const JointMotion& motion,
                     const ExcitationOptions& options);

// (3.14) about the middle of the joints' ranges and about `start`, as fast as the first limit allows; whichever tells
// more becomes `result.baseline`.
void add_baseline(const model::JointChain& chain, const ExcitationOptions& options,
                  const Eigen::VectorXd& start, Excitation& result);

// As fast as the first limit of speed or acceleration allows, and no joint above the highest frequency.
double baseline_factor(const model::JointChain& chain, const ExcitationOptions& options,
                       const Eigen::VectorXd& centre);

// The middle of each joint's range; zero where it has none.
Eigen::VectorXd middle_of_ranges(const model::JointChain& chain);

}  // namespace prehend::inertia
