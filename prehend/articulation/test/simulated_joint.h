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

}  // namespace prehend::articulation::testing
