#include <algorithm>

#include <prehend/inertia/motion_worth.h>

namespace prehend::inertia {

MotionWorth worth_of(const model::JointChain& chain, const JointMotion& motion,
                     const ExcitationOptions& options) {
  MotionWorth worth;
  worth.trajectory = sample_motion(motion, options.rate);
  worth.information = information(sensor_motions(chain, worth.trajectory), options.noise);
  worth.condition = condition_number(worth.information);
  worth.std = predicted_deviation(worth.information, options.object.inertia_S());
  // 400 instants in each period of the highest frequency meet every extreme to 1e-4 of it; the bounds limit the time.
  const int nodes =
      std::max(4000, static_cast<int>(std::min(200000.0, 400.0 * motion.duration * options.max_frequency)));
  worth.limits = check_limits(chain, motion, options.object, options.limits, nodes);
  return worth;
}

}  // namespace prehend::inertia
