// Errors that one noise for all axes, new in every frame, does not describe: bending, a marker that is not flat, depth and tilt of what is seen
// head-on.
//
// Errors that change slowly are averaged out by no number of frames, and those that are far larger along some axes than others look like motion
// along these; a joint of more freedoms follows both. They show in what simple joints (rigid, slide, hinge) leave along the best tree
// of simple joints: residuals that resemble the ones before, or that have one large direction. Discovery then takes what is left for a
// floor: a pose is not known better, and as many frames count as residuals are independent.
#pragma once

#include <optional>

#include <prehend/articulation/discovery_options.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/tree/part_graph.h>

namespace prehend::articulation {

struct ErrorFloor {
  PoseNoise noise;           // [m, rad] of one part's pose, per axis
  PoseNoise worst;           // [m, rad] the same along the worst direction: parts that move by less are one
  double independence{1.0};  // independent frames each one is worth; below one
  bool is_slow{false};       // else: uneven
};
// Absent where residuals are as good as new in every frame and alike along all axes, or too small to matter. `look` at all pairs of parts.
std::optional<ErrorFloor> error_floor(const PartTracks& tracks, const PartGraph& look,
                                      const DiscoveryOptions& options);

}  // namespace prehend::articulation
