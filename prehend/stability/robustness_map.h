// How hard may I push anywhere? Pushes all over what may move, each along the inward normal (surface_pushes.h), answered together:
// pushes on one flat face share their programs (LimitAnalysis::map), so a map costs far less than its points asked one by one.
//
// Each answer lies within `accuracy`; proofs come with the weakest push of each failure mode.
#pragma once

#include <cstdint>

#include <prehend/stability/robustness.h>

namespace prehend::stability {

struct RobustnessMapOptions {
  int points{2000};       // as in N, table 4.1; at least 1
  std::uint64_t seed{0};  // of the points
  bool covered{false};    // also where bodies touch, where nobody can push; as N maps whole surfaces
  // exact: half the gap between the bounds of each answer, relative. A tenth of a percent is far below what masses and friction
  // are known to.
  double accuracy{1e-3};
  // How each push is answered. `map_accuracy` and `check_points` are set by the map itself.
  RobustnessOptions robustness;

  void validate() const;
  // The options of robustness() for the pushes of this map.
  RobustnessOptions questions() const;
};

// Throws std::invalid_argument for bad options, and when nothing may move or all that may is covered.
RobustnessResult robustness_map(const model::Scene& scene, const RobustnessMapOptions& options = {});

}  // namespace prehend::stability
