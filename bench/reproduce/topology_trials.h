// Trials of T: one of its two objects, pushed by a sinusoidal wrench of random amplitude and frequency for 5 s, sampled at 1 ms.
#pragma once

#include <cstdint>

#include <prehend/topology/simulated/simulated_recording.h>

namespace prehend::reproduce {

struct TopologyTrial {
  double amplitude{0.0};  // [N]
  double frequency{0.0};  // [Hz]
  topology::SimulatedRecording made;
};

struct TopologyTrialOptions {
  model::JointType type{model::JointType::revolute};
  // As in T; false: held by a soft hand that carries its weight and wanders by a centimetre, the other hand carries the moving
  // link's weight (70 % of it for the hinge) and pushes.
  bool anchored{true};
  // Frames of both links moved by some 0.1 m and turned at random.
  bool frames_moved{false};
  std::uint64_t seed{0};
  int trial{0};
};

TopologyTrial topology_trial(const TopologyTrialOptions& options);

}  // namespace prehend::reproduce
