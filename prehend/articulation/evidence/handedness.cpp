#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/articulation/evidence/handedness.h>
#include <prehend/articulation/evidence/independent_frames.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {

Eigen::Quaterniond read_xyzw(const Eigen::Quaterniond& q) { return {q.z(), q.w(), q.x(), q.y()}; }

bool explains(const JointFit& fit, const Observations& observations) {
  // What a user would not call a contradiction: 2 mm, or a fiftieth of how far a small thing moves, and half a degree, per axis.
  constexpr double kMost = 2e-3, kOfMotion = 0.02, kLeast = 1e-5, kMostTurn = 0.5 * math::kPi / 180;
  if (fit.status == FitStatus::failed || fit.outliers > 0) return false;
  const double n = static_cast<double>(observations.poses.size());
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double squares = 0;
  for (const Observation& o : observations.poses) mean += o.X_FM.p() / n;
  for (const Observation& o : observations.poses) squares += (o.X_FM.p() - mean).squaredNorm() / n;
  return fit.rms_position <= std::max(kLeast, std::min(kMost, kOfMotion * std::sqrt(squares))) &&
         fit.rms_angle <= kMostTurn;
}

bool leaves_noise(const JointFit& fit, const Observations& observations) {
  constexpr PoseNoise kSlow{5e-3, 0.05};  // [m, rad] per axis, as SelectionOptions::slow_noise
  constexpr double kWhite = 0.5;          // independent frames of all; as in selection.cpp
  // Of all frames. Trackers flip or lose fewer; a part that rests for half of a recording is no joint with the motion left out.
  constexpr double kMostLeftOut = 0.1;
  if (fit.outliers > kMostLeftOut * static_cast<double>(observations.poses.size())) return false;
  return (fit.noise.position <= kSlow.position && fit.noise.angle <= kSlow.angle) ||
         independent_frames(fit, observations) >= kWhite * static_cast<double>(observations.poses.size());
}

namespace {

// Whether a hinge explains most frames of a real turn as above: other readings of a door that bends or whose marker is off for a while may leave fewer frames out, and
// prove nothing.
bool explains_most(JointFit fit, const Observations& observations) {
  constexpr double kMostLeftOut = 0.25;  // of the frames, as of candidates of a selection
  constexpr double kTurn = 0.35;  // [rad] of the frames that count: rest alone is explained by any joint
  if (fit.status == FitStatus::failed || fit.lower.size() != 1 || fit.upper[0] - fit.lower[0] < kTurn ||
      fit.outliers > kMostLeftOut * static_cast<double>(observations.poses.size()))
    return false;
  fit.outliers = 0;
  return explains(fit, observations);
}

}  // namespace

std::string contradiction(const Observations& observations, double log_likelihood, double margin) {
  if (!observations.has_orientation || observations.fixed_is_measured) return "";
  FitOptions gaussian;
  gaussian.noise_shape = NoiseShape::gaussian;
  int left_out = 0;  // frames; another reading must not leave out more of them
  // [m rad] A door seen with slow errors of some millimetres and degrees is explained badly, but explained: another reading must leave a quarter of them.
  // About the axis along which positions are mirrored both readings of a hinge are alike, and chance decides.
  constexpr double kFarLess = 0.25;
  double as_it_stands = std::numeric_limits<double>::infinity();
  for (const model::JointType type : {model::JointType::revolute, model::JointType::screw}) {
    const JointFit fit = fit_joint(type, observations, gaussian);
    if (explains(fit, observations) || explains_most(fit, observations)) return "";
    if (fit.status != FitStatus::ok) continue;
    left_out = std::max(left_out, fit.outliers);
    if (leaves_noise(fit, observations))
      as_it_stands = std::min(as_it_stands, fit.rms_position * fit.rms_angle);
  }
  const double bound = log_likelihood + margin * static_cast<double>(observations.poses.size());
  for (int change = 0; change < 5; ++change) {
    Observations changed = observations;
    for (Observation& o : changed.poses) {
      Eigen::Vector3d p = o.X_FM.p();
      if (change < 3) p[change] *= -1;
      const Eigen::Quaterniond q = o.X_FM.q();
      o.X_FM = math::Pose(change < 3 ? q : change == 3 ? q.conjugate() : read_xyzw(q), p);
    }
    for (const model::JointType type : {model::JointType::revolute, model::JointType::screw}) {
      const JointFit fit = fit_joint(type, changed, gaussian);
      if (fit.status != FitStatus::ok || fit.outliers > left_out || !(fit.log_likelihood >= bound) ||
          !leaves_noise(fit, changed) || fit.rms_position * fit.rms_angle > kFarLess * as_it_stands)
        continue;
      return std::string("positions and orientations contradict each other: ") +
             (change < 3    ? std::string("with ") + "xyz"[change] + " mirrored"
              : change == 3 ? std::string("with inverse quaternions")
                            : std::string("with quaternions in the order x, y, z, w")) +
             " a " + to_string(type) + " joint explains them" +
             (change < 3 ? "; the coordinates seem to be left-handed" : "");
    }
  }
  return "";
}

}  // namespace prehend::articulation
