// Which tracked features sit on the same rigid part? Found before any joint is fitted, and pooled.
//
// With the noise known, whitened residuals about the mean relative pose of two features (the correlated noise of observations.h) have unit
// scatter; motion along directions with eigenvalues l is worth N/2 sum (l - 1 - log l) nats. Rigid is preferred while that is below what the further
// parameters of a joint cost. Groups are merged pair by pair, best evidence first, as long as the mean evidence between the two is for rigid.
// The same is asked of means over blocks of successive frames: motion is smooth, noise is new in every frame (`slow_noise` where not).
//
// A group of n features is then one part with 1/n of the variance: orientation is the mean of the features' (each turned by its fixed
// offset), position the mean of what they say of the group's centre. This takes the place of source K's elimination of rigid joints (table
// I). Cost: 0.1 us per pair and frame.
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

// `features`: noise of each feature's pose.
std::vector<RigidGroup> rigid_groups(const PartTracks& tracks, const std::vector<PoseNoise>& features,
                                     const RigidOptions& options = {});

// Fills X_GP and gives one track per group, named like its first part, of the frame G.
PartTracks pooled_tracks(const PartTracks& tracks, std::vector<RigidGroup>& groups);

// [per axis] Noise of one feature by its nearest rigid-like partner, for logs of so many features that fitting all pairs is out of
// the question; sound when most features have a rigid partner.
PoseNoise noise_of_nearest(const PartTracks& tracks, const RigidOptions& options = {});

}  // namespace prehend::articulation
