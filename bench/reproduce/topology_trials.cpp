#include "topology_trials.h"

#include <vector>

#include <prehend/math/random.h>
#include <prehend/topology/simulated/sample_object.h>

namespace prehend::reproduce {

TopologyTrial topology_trial(const TopologyTrialOptions& options) {
  const bool slides = options.type == model::JointType::prismatic;
  math::RandomStream random = math::RandomStream(options.seed, 0x7070)
                                  .split(static_cast<std::uint64_t>(options.trial) * 2 + (slides ? 1 : 0));
  TopologyTrial trial;
  // At most 0.2 N and 0.3 Hz. T reports trials in which the object moved: neither may be nearly zero.
  trial.amplitude = random.uniform(0.05, 0.2);
  trial.frequency = random.uniform(0.05, 0.3);
  model::Scene scene = topology::source_object(options.type, options.anchored);
  topology::Push push;
  push.link = 1;
  push.force_L = trial.amplitude * (slides ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY());
  push.p_L = {0.25, 0.0, 0.0};
  push.frequency = trial.frequency;
  // The rest of a level hinge's weight is a moment across its axis, which distinguishes it from a ball; a slide would run to its stop.
  if (!options.anchored) push.carried_weight = slides ? 1.0 : 0.7;
  if (options.frames_moved) {
    std::vector<math::Pose> X_LN;
    for (int i = 0; i < 2; ++i) {
      const Eigen::Quaterniond q = random.rotation();
      X_LN.emplace_back(q, 0.1 * random.normal3());
    }
    scene = topology::with_frames(scene, X_LN);
    push.force_L = X_LN[1].q().conjugate() * push.force_L;
    push.p_L = X_LN[1].inverse() * push.p_L;
  }
  topology::RecordingOptions recording;
  recording.pushes.push_back(push);
  recording.record_reaction = true;
  recording.lead_in = options.anchored ? 0.0 : 1.0;
  if (!options.anchored) recording.grips.push_back({0, 0.01, 0.02});
  recording.seed = options.seed + static_cast<std::uint64_t>(options.trial);
  trial.made = topology::record(scene, recording);
  return trial;
}

}  // namespace prehend::reproduce
