// The motion that plans are compared with: source N, (3.14), the last three joints on sinusoids of 45 degrees at 0.1, 0.13
// and 0.16 Hz, played faster or slower until the first limit binds. (As printed, the sine's argument is 2 pi f t / 240 with t
// in seconds, a period of forty minutes; t must count steps of 1/240 s.)
#pragma once

#include <Eigen/Core>

#include <prehend/inertia/excitation_options.h>
#include <prehend/inertia/joint_motion.h>
#include <prehend/inertia/motion_worth.h>

namespace prehend::inertia {

// (3.14) about `centre`, cut to the joints' ranges, `factor` times as fast.
JointMotion baseline_motion(const model::JointChain& chain, const ExcitationOptions& options,
                            const Eigen::VectorXd& centre, double factor);

// As fast as the first limit of speed or acceleration allows, and no joint above the highest frequency.
double baseline_factor(const model::JointChain& chain, const ExcitationOptions& options,
                       const Eigen::VectorXd& centre);

// The middle of each joint's range; zero where it has none.
Eigen::VectorXd middle_of_ranges(const model::JointChain& chain);

struct Baseline {
  MotionWorth worth;
  double speed{1.0};  // factor on the frequencies of (3.14)
};
// About the middle of the joints' ranges or about `start`, whichever has more information.
Baseline best_baseline(const model::JointChain& chain, const ExcitationOptions& options,
                       const Eigen::VectorXd& start);

}  // namespace prehend::inertia
