// The inputs on which every law of SO(3) and SE(3) is checked: identity, tiny, around the switch to series, near pi.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include <prehend/math/random.h>
#include <prehend/math/se3.h>

namespace prehend::math {

inline std::vector<Eigen::Vector3d> rotation_vectors() {
  std::vector<Eigen::Vector3d> vectors = {Eigen::Vector3d::Zero()};
  RandomStream random(11);
  for (double angle :
       {1e-300, 1e-160, 1e-12, 1e-8, 1e-5, 1.9e-4, 2.1e-4, 1e-3, 0.1, 0.499999, 0.5, 0.500001, 1.0, 2.0, 3.0,
        std::numbers::pi - 1e-3, std::numbers::pi - 1e-8, std::numbers::pi - 1e-12}) {
    for (const Eigen::Vector3d& axis :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, -1, 0), random.unit_vector()}) {
      vectors.push_back(angle * axis);
    }
  }
  for (int i = 0; i < 200; ++i) vectors.push_back(random.uniform(0, std::numbers::pi) * random.unit_vector());
  return vectors;
}

inline std::vector<Vector6d> tangent_vectors() {
  std::vector<Vector6d> vectors;
  RandomStream random(12);
  for (const Eigen::Vector3d& w : rotation_vectors()) {
    vectors.push_back((Vector6d() << w, random.normal3()).finished());
    vectors.push_back((Vector6d() << w, 1e-9 * random.normal3()).finished());
  }
  vectors.push_back(Vector6d::Zero());
  return vectors;
}

inline std::vector<Pose> random_poses(int count, std::uint64_t seed) {
  std::vector<Pose> poses;
  RandomStream random(seed);
  for (int i = 0; i < count; ++i) {
    const Eigen::Quaterniond q = random.rotation();
    poses.emplace_back(q, random.normal3());
  }
  return poses;
}

}  // namespace prehend::math
