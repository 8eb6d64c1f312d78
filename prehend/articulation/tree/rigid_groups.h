// Finds tracked features on the same rigid part, before any joint is fitted, and pools their poses.
//
// With known noise, whitened residuals about the mean relative pose of two features (correlated noise as in
// observations.h) have unit scatter. Motion along directions with eigenvalues l contributes N/2 sum (l - 1 -
// log l) nats; rigid is preferred while that is below the cost of a joint's further parameters. Means over
// blocks of successive frames are tested likewise, since motion is smooth and noise independent between
// frames (else `slow_noise`). Groups merge pairwise, best evidence first, while the mean evidence between
// them favours rigid.
//
// A group of n features is one part with 1/n of the variance, at the mean of the orientations and centre
// positions its features give. This replaces source K's elimination of rigid joints (table I). Cost: 0.1 us
// per pair and frame.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include <prehend/articulation/discovered_object.h>
#include <prehend/articulation/discovery_options.h>
#include <prehend/articulation/part_tracks.h>

namespace prehend::articulation {

// [nats] What a motion in the directions of large scatter is worth: whitened residuals of n frames with `removed` directions
// that states have taken already. A pair's own noise may be up to half again as large as the common one.
double gain_of_motion(const math::Matrix6d& scatter, double n, int removed);

// [nats] Evidence for motion between two features: gain of a moving joint less its cost; negative where rigid is preferred.
// `pair_noise` of the relative pose, `fixed_share` as in FitOptions. Zero with too few frames. `over_time`: by means over blocks of frames alone.
double motion_evidence(const Observations& observations, const PoseNoise& pair_noise, double fixed_share,
                       const RigidOptions& options = {}, bool over_time = false);

// Whether all that two features move against each other is new in every frame, along every direction, and no more than noise may be along one of them: motion is
// smooth. For noise whose directions or shares are known badly. Needs frames in order of time that are close enough to show smooth motion of the parts themselves.
bool differ_by_noise(const Observations& observations, const PoseNoise& pair_noise, double fixed_share);

// `features`: noise of each feature's pose; `given`: features that are known to be one part.
std::vector<RigidGroup> rigid_groups(const PartTracks& tracks, const std::vector<PoseNoise>& features,
                                     const RigidOptions& options = {},
                                     const std::vector<std::vector<int>>& given = {});

// Fills X_GP and gives one track per group, named like its first part, of the frame G.
PartTracks pooled_tracks(const PartTracks& tracks, std::vector<RigidGroup>& groups);

// [per axis] Noise of one feature by its nearest rigid-like partner, for logs of so many features that fitting all pairs is out of
// the question; sound when most features have a rigid partner.
PoseNoise noise_of_nearest(const PartTracks& tracks, const RigidOptions& options = {});

}  // namespace prehend::articulation
