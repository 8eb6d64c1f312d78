#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include <prehend/articulation/evidence/handedness.h>
#include <prehend/articulation/evidence/world_handedness.h>
#include <prehend/articulation/joint_fit.h>

namespace prehend::articulation {
namespace {

// [rad] How far a part turns in the world, root mean square about its mean orientation.
double turning_in_world(const PartTrack& part) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  double n = 0;
  for (const auto& X : part.X_WP)
    if (X) R += X->R(), n += 1;
  if (n == 0) return 0.0;
  // Twice the mean of 1 - cos of the angle.
  return std::sqrt(std::max(0.0, 3 - Eigen::JacobiSVD<Eigen::Matrix3d>(R / n).singularValues().sum()));
}

}  // namespace

std::string world_contradiction(const PartTracks& tracks, int fixed, int moving, model::JointType found) {
  using model::JointType;
  // [nats per frame] A simple joint must be clearly better; beside one of several freedoms, which no simple joint comes near by chance, a little, where it
  // leaves no more than slow errors do [m].
  constexpr double kPerFrame = 1.0, kBesideRich = 0.1, kMostLeft = 0.005;
  // [nats] In all at least: of few frames a tenth in each is no evidence. 10 are 22 000 to 1, so that one mirrored recording in a thousand is still 22 to 1.
  constexpr double kLeastEvidence = 10.0;
  constexpr int kFrames = 200;  // enough for a mean in nats per frame; more only take time
  // Orientations that hardly change contradict no positions: of a door that is opened by few degrees, any convention makes a slide.
  constexpr double kLeastTurning = 0.1;  // [rad] 20 degrees from end to end
  if (std::max(turning_in_world(tracks.parts[fixed]), turning_in_world(tracks.parts[moving])) < kLeastTurning)
    return "";
  FitOptions gaussian;
  gaussian.noise_shape = NoiseShape::gaussian;
  PartTracks pair;
  pair.resolution = tracks.resolution;
  pair.times = tracks.times;
  pair.parts = {tracks.parts[fixed], tracks.parts[moving]};
  const int stride = std::max(1, static_cast<int>(tracks.times.size()) / kFrames);
  const Observations seen = relative_poses(pair, 0, 1, stride);
  const JointFit as_it_stands = fit_joint(found, seen, gaussian);
  if (as_it_stands.status == FitStatus::failed) return "";
  int left_out = 0;  // frames; another reading must not leave out more of them
  for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::screw}) {
    const JointFit fit = fit_joint(type, seen, gaussian);
    if (explains(fit, seen)) return "";
    if (fit.status == FitStatus::ok) left_out = std::max(left_out, fit.outliers);
  }
  const auto is_better = [&](const JointFit& fit) {
    const bool beside_rich = freedoms(found, true) > 1 && fit.rms_position < kMostLeft;
    return fit.log_likelihood_independent >
           as_it_stands.log_likelihood_independent +
               std::max(kLeastEvidence,
                        (beside_rich ? kBesideRich : kPerFrame) * static_cast<double>(seen.poses.size()));
  };
  std::string changes;
  // Mirrors, inverse quaternions, quaternions written x, y, z, w.
  for (int change = 0; change < 5; ++change) {
    PartTracks changed = pair;
    for (PartTrack& part : changed.parts) {
      for (auto& X : part.X_WP) {
        if (!X) continue;
        Eigen::Vector3d p = X->p();
        if (change < 3) p[change] *= -1;
        X = math::Pose(change < 3 ? X->q() : change == 3 ? X->q().conjugate() : read_xyzw(X->q()), p);
      }
    }
    const Observations other = relative_poses(changed, 0, 1, stride);
    for (const JointType type : {JointType::revolute, JointType::prismatic}) {
      const JointFit fit = fit_joint(type, other, gaussian);
      if (fit.status != FitStatus::ok || fit.outliers > left_out || !is_better(fit) ||
          !leaves_noise(fit, other))
        continue;
      changes += (changes.empty() ? "" : ", or ") +
                 (change < 3    ? std::string("with ") + "xyz"[change] + " mirrored (left-handed positions)"
                  : change == 3 ? std::string("with inverse quaternions")
                                : std::string("with quaternions in the order x, y, z, w"));
      break;
    }
  }
  if (changes.empty()) return "";
  return "positions and orientations contradict each other: " + changes + ", a simple joint explains '" +
         pair.parts[1].name + "' in '" + pair.parts[0].name + "'";
}

}  // namespace prehend::articulation
