#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/free_motion.h>
#include <prehend/articulation/evidence/left_out_motion.h>

namespace prehend::articulation {
namespace {

constexpr int kLeftOutFrames = 200;
constexpr double kNoise = 0.001;  // [m, rad] per axis

math::Pose noisy(const math::Pose& X, std::mt19937& random) {
  std::normal_distribution<double> unit(0.0, kNoise);
  math::Vector6d e;
  for (int k = 0; k < 6; ++k) e[k] = unit(random);
  return X * math::exp_se3(e);
}

// A door about z, at angle(i) in frame i.
template <class Angle>
Observations door(const Angle& angle) {
  std::mt19937 random(31);
  std::vector<math::Pose> poses;
  for (int i = 0; i < kLeftOutFrames; ++i) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(angle(i), Eigen::Vector3d::UnitZ()));
    poses.push_back(noisy(math::Pose(q, q * Eigen::Vector3d(0.3, 0, 0)), random));
  }
  return observations_of(poses, true);
}

JointFit rigid_fit(const Observations& seen) {
  FitOptions known;
  known.noise = PoseNoise{kNoise, kNoise};
  return fit_joint(model::JointType::rigid, seen, known);
}

// What is left of the last opening where a recording was cut: twelve frames.
TEST(LeftOutMotion, AnOpeningThatWasCutIsMotion) {
  const Observations seen = door([](int i) { return i < 12 ? 0.4 * std::pow((12.0 - i) / 12.0, 2) : 0.0; });
  const JointFit rigid = rigid_fit(seen);
  ASSERT_GT(rigid.outliers, 0);
  EXPECT_TRUE(leaves_motion_out(rigid, seen));
}

TEST(LeftOutMotion, AFlippedMarkerIsNone) {
  const Observations seen = door([](int i) { return i >= 60 && i < 72 ? 0.4 : 0.0; });
  const JointFit rigid = rigid_fit(seen);
  ASSERT_GT(rigid.outliers, 0);
  EXPECT_FALSE(leaves_motion_out(rigid, seen));
  const Observations at_the_end = door([](int i) { return i >= kLeftOutFrames - 12 ? 0.4 : 0.0; });
  EXPECT_FALSE(leaves_motion_out(rigid_fit(at_the_end), at_the_end));
}

// Moved about by hand against moved about between two places.
TEST(FreeMotion, IsSmoothAndLarge) {
  std::mt19937 random(32);
  std::vector<math::Pose> carried, exchanged, worn;
  for (int i = 0; i < kLeftOutFrames; ++i) {
    const double t = 0.05 * i;
    const Eigen::Vector3d p(0.2 * std::sin(t), 0.15 * std::sin(1.3 * t), 0.1 * std::cos(0.8 * t));
    const Eigen::Quaterniond q(Eigen::AngleAxisd(0.5 * std::sin(0.9 * t), Eigen::Vector3d(0.6, 0, 0.8)));
    carried.push_back(noisy(math::Pose(q, p), random));
    exchanged.push_back(noisy(math::Pose::translation(i % 100 < 50 ? p : -2 * p), random));
    worn.push_back(noisy(math::Pose::translation(Eigen::Vector3d(p[0], 0.02 * p[1], 0)), random));
  }
  const PoseNoise slow{0.005, 0.05};
  const auto leaves = [&](const std::vector<math::Pose>& poses) {
    const Observations seen = observations_of(poses, true);
    FitOptions gaussian;
    gaussian.noise_shape = NoiseShape::gaussian;
    return leaves_free_motion(fit_joint(model::JointType::prismatic, seen, gaussian), seen, slow);
  };
  EXPECT_TRUE(leaves(carried));
  EXPECT_FALSE(leaves(exchanged));
  EXPECT_FALSE(leaves(worn));
}

}  // namespace
}  // namespace prehend::articulation
