// Noise of a track that is new in every frame, found without knowing how the part moves.
//
// A pose less the cubic through its two neighbours on either side is noise that is new in that frame, with a variance of 1 + 34/36
// of one pose's; motion leaves fourth differences. Successive deviations of white noise change sign (their correlation is -0.8), those of motion do not:
// that tells them apart. Slow errors do not show.
//
// Cost: linear in the rows.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/observations.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/math/pose.h>

namespace prehend::articulation {

constexpr double kFreshVariance = 1.0 + 34.0 / 36.0;  // of a deviation, over one pose's

// Turns [rad] and shifts [m], in the part's axes and in the world's.
struct FreshDeviations {
  std::vector<Eigen::Vector3d> turns_P, turns_W, shifts_P, shifts_W;
};
// Where five rows in a row come at even times; `t` [s] increases.
FreshDeviations fresh_deviations(std::span<const double> t, std::span<const math::Pose> X_WP);

// Standard deviations per axis of one pose. Absent: too few rows, or motion that is too fast for them.
std::optional<PoseNoise> fresh_noise(const FreshDeviations& deviations);

// Of every part of the tracks.
std::vector<std::optional<PoseNoise>> fresh_noise(const PartTracks& tracks);

// The fixed part's share of the angular variance of two parts: by their noise where that is known of both and differs clearly from what was `expected`.
double fresh_share(const std::optional<PoseNoise>& fixed, const std::optional<PoseNoise>& moving,
                   double expected);

}  // namespace prehend::articulation
