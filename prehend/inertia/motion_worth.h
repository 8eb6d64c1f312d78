// What a given motion of the arm would determine about the object in its hand, and how close to the limits it comes.
#pragma once

#include <prehend/inertia/excitation_limits.h>
#include <prehend/inertia/excitation_options.h>
#include <prehend/inertia/information.h>
#include <prehend/inertia/joint_motion.h>
#include <prehend/math/inertia.h>
#include <prehend/model/joint_chain.h>

namespace prehend::inertia {

struct MotionWorth {
  Trajectory trajectory;
  math::Matrix10d information{math::Matrix10d::Zero()};
  double condition{0.0};  // infinite: rank lost
  PredictedDeviation std;
  LimitReport limits;
};

// Samples the motion and asks for its information and its limits.
MotionWorth worth_of(const model::JointChain& chain, const JointMotion& motion,
                     const ExcitationOptions& options);

}  // namespace prehend::inertia
