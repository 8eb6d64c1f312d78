// Whether a track without orientation is a circle (door) or a line (drawer): Bayes factor [nats], with place,
// direction, radius and side of the bend integrated out.
//
// Along a path s, a circle of radius r deviates from the line by s^2 / (2 r). Let q be the part of s^2 / 2
// that no line explains (a constant for every hold included), Q its weighted sum of squares and v = |sum of q
// times deviation|, both over the noise's variance and counted as independent frames. The factor is
//   integral p(r) exp(-Q / (2 r^2)) I0(v / r) dr,
// p(r) the Rayleigh distribution of root mean square `radius_scale`: the tracked point lies anywhere about
// the axis. A path too short to bend gives zero.
//
// Accurate to a tenth of a nat and a few per cent for turns below 60 degrees; beyond, no line fits.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {

struct BendSettings {
  double noise{0.005};       // [m] standard deviation per axis
  double independence{1.0};  // independent frames each one is worth
  double radius_scale{0.5};  // [m]
};

// `along`: direction of the line; `weights` one per position; `holds` as in Observations.
double log_circle_over_line(std::span<const Eigen::Vector3d> positions, const Eigen::Vector3d& along,
                            std::span<const double> weights, std::span<const int> holds,
                            const BendSettings& settings);

struct BendOptions {
  double radius_scale{0.5};                  // [m]
  double slow_noise{0.005};                  // [m] slow deviations of this size are no motion
  std::optional<double> known_noise;         // [m]
  std::optional<double> known_independence;  // independent frames each one is worth
  // Where deviations are seen to be slow: independent deviations from the line.
  std::optional<double> slow_frames;
};
// The same of a line and a circle fitted to a track. Noise is what the better one leaves, at least `slow_noise` where deviations are slow. Absent where
// there is no prior, where the part turns too far, and where slow deviations are larger than they are known to be.
std::optional<double> log_circle_over_line(const JointFit& line, const JointFit& circle,
                                           const Observations& observations, const BendOptions& options);

}  // namespace prehend::articulation
