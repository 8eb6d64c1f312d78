// Joints with random frames and motions, and noisy observations of them, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/articulation/joint_fit.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>

namespace prehend::articulation::testing {

inline constexpr double kDegree = M_PI / 180;

// Joint frames anywhere within half a metre.
inline Joint random_joint(model::JointType type, math::RandomStream& random, double lever = 0.3) {
  Joint joint;
  joint.type = type;
  joint.X_FJ = math::Pose(random.rotation(), 0.5 * random.unit_vector());
  joint.X_MJ = math::Pose(random.rotation(), lever * random.unit_vector());
  if (type == model::JointType::screw) joint.pitch = random.uniform(0.01, 0.05);
  return joint;
}

// States within `turn` [rad] and `shift` [m].
inline State random_state(const Joint& joint, math::RandomStream& random, double turn, double shift) {
  using model::JointType;
  State q(joint.freedoms());
  for (int k = 0; k < q.size(); ++k) {
    const bool slides =
        joint.type == JointType::prismatic || (joint.type == JointType::cylindrical && k == 1) ||
        (joint.type == JointType::planar && k < 2) || (joint.type == JointType::free && k > 2);
    q[k] = random.uniform(-0.5, 0.5) * (slides ? shift : turn);
  }
  return q;
}

inline math::Pose disturbed(const math::Pose& X, const PoseNoise& noise, math::RandomStream& random) {
  math::Vector6d e;
  e << noise.angle * random.normal3(), noise.position * random.normal3();
  return X * math::exp_se3(e);
}

struct Scenario {
  int frames{200};
  double turn{90 * kDegree};  // [rad]
  double shift{0.3};          // [m]
  PoseNoise fixed, moving;    // of the two parts
};

inline Observations simulate(const Joint& joint, const Scenario& scenario, math::RandomStream& random) {
  std::vector<math::Pose> poses;
  const bool measured = scenario.fixed.angle > 0 || scenario.fixed.position > 0;
  for (int i = 0; i < scenario.frames; ++i) {
    const math::Pose X_FM = joint.forward(random_state(joint, random, scenario.turn, scenario.shift));
    const math::Pose X_WF = measured ? disturbed(math::Pose(), scenario.fixed, random) : math::Pose();
    poses.push_back(X_WF.inverse() * disturbed(X_FM, scenario.moving, random));
  }
  return observations_of(poses, measured);
}

inline double angle_between_lines(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), std::abs(a.dot(b)));
}

// Distance of a point to the line through c along a.
inline double distance_to_line(const Eigen::Vector3d& p, const Eigen::Vector3d& c, const Eigen::Vector3d& a) {
  return (p - c).cross(a).norm();
}

// Every `step`-th pose from `first` on is flipped about x of the moving part, and shifted.
inline void flip_some(Observations& seen, std::size_t first, std::size_t step) {
  const math::Pose flip(math::exp_so3(Eigen::Vector3d(M_PI, 0, 0)), Eigen::Vector3d(0, 0.02, 0.05));
  for (std::size_t i = first; i < seen.poses.size(); i += step)
    seen.poses[i].X_FM = seen.poses[i].X_FM * flip;
}

// A universal joint turned about its first axis, and then about its second: two joints explain that.
inline Observations one_axis_after_the_other(const Joint& joint, math::RandomStream& random) {
  std::vector<math::Pose> poses;
  for (int i = 0; i < 120; ++i) {
    State q(2);
    q << 1.5 * std::min(i, 60) / 60, 1.5 * std::max(i - 60, 0) / 60;
    poses.push_back(disturbed(joint.forward(q), {0.002, 0.01}, random));
  }
  return observations_of(poses);
}

// A point on a part that is opened and comes to rest: along a line (radius 0) or a circle, `length` [m] of way, with 1 mm of white noise and
// deviations that change slowly.
inline std::vector<Eigen::Vector3d> opened_track(double radius, double length, double wander, int frames,
                                                 math::RandomStream& random) {
  constexpr double kMemory = 0.935;  // from frame to frame; dies away within 15
  const math::Pose X(random.rotation(), 0.5 * random.unit_vector());
  Eigen::Vector3d slow = random.normal3();
  std::vector<Eigen::Vector3d> p;
  for (int i = 0; i < frames; ++i) {
    const double s = 0.5 * length * (1 - std::cos(M_PI * i / (frames - 1)));
    const Eigen::Vector3d way =
        radius > 0 ? Eigen::Vector3d(radius * std::cos(s / radius), radius * std::sin(s / radius), 0)
                   : Eigen::Vector3d(s, 0, 0);
    const Eigen::Vector3d white = random.normal3();
    p.push_back(X * way + 0.001 * white + wander * slow);
    const Eigen::Vector3d fresh = random.normal3();
    slow = kMemory * slow + std::sqrt(1 - kMemory * kMemory) * fresh;
  }
  return p;
}

// Another point of the part is seen from frame `from` on, reached within `during` frames.
inline void slip(std::vector<Eigen::Vector3d>& track, int from, int during, const Eigen::Vector3d& by) {
  for (int i = from; i < static_cast<int>(track.size()); ++i)
    track[i] += std::min(1.0, static_cast<double>(i - from + 1) / during) * by;
}

}  // namespace prehend::articulation::testing
