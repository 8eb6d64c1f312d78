#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/remainder.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

constexpr int kWaveFrames = 4000;
constexpr double kOnce = 2 * M_PI / kWaveFrames;  // [rad] one wave in all frames

double state_at(int i) { return 0.7 * std::sin(0.031 * i); }

// A hinge about z through both origins whose moving part is displaced by `shift` [m] along z.
struct WavingHinge {
  JointFit fit;
  Observations seen;
};
WavingHinge hinge_with(const std::function<double(int)>& shift) {
  WavingHinge result;
  result.fit.joint.type = JointType::revolute;
  result.fit.weights.assign(kWaveFrames, 1.0);
  std::vector<math::Pose> poses;
  for (int i = 0; i < kWaveFrames; ++i) {
    const State q = State::Constant(1, state_at(i));
    poses.push_back(result.fit.joint.forward(q) * math::Pose::translation({0, 0, shift(i)}));
    result.fit.states.push_back(q);
  }
  result.fit.lower = State::Constant(1, -0.7);
  result.fit.upper = State::Constant(1, 0.7);
  result.seen = observations_of(poses);
  return result;
}

TEST(Remainder, WhatIsNewInEveryFrameIsNotSlow) {
  math::RandomStream random(610);
  const WavingHinge noisy = hinge_with([&](int) { return 0.001 * random.normal3().x(); });
  const Remainder left = remainder_of(noisy.fit, noisy.seen);
  EXPECT_NEAR(left.worst.position, 0.001, 5e-5);
  EXPECT_LT(left.slow_worst.position, 0.001 * 0.25);
  EXPECT_NEAR(left.worst.angle, 0, 1e-12);
}

TEST(Remainder, ASlowWaveIsSlow) {
  const WavingHinge waving = hinge_with([](int i) { return 0.002 * std::sin(0.02 * i); });
  const Remainder left = remainder_of(waving.fit, waving.seen);
  EXPECT_NEAR(left.slow_worst.position, 0.002 / std::sqrt(2.0), 2e-5);
  EXPECT_NEAR(left.slow.position, 0.002 / std::sqrt(6.0), 2e-5);
}

// A turn about a point far away displaces the origin, and that point by nothing.
TEST(Remainder, IsThatOfThePointThatIsDisplacedLeast) {
  WavingHinge still = hinge_with([](int) { return 0.0; });
  const Eigen::Vector3d centre(0.3, -0.2, 0.4);
  for (int i = 0; i < kWaveFrames; ++i) {
    const Eigen::Matrix3d R =
        math::exp_so3(Eigen::Vector3d(0.01 * std::sin(8 * kOnce * i), 0.01 * std::cos(11 * kOnce * i), 0))
            .toRotationMatrix();
    math::Pose& X = still.seen.poses[static_cast<std::size_t>(i)].X_FM;
    X = X * math::Pose(Eigen::Quaterniond(R), centre - R * centre);
  }
  const Remainder left = remainder_of(still.fit, still.seen);
  EXPECT_LT(left.worst.position, 0.02 * 0.01 * centre.norm());
  EXPECT_NEAR(left.slow_worst.angle, 0.01 / std::sqrt(2.0), 1e-4);
}

TEST(Remainder, MotionRepeatsAsTheStateDoesAndErrorsDoNot) {
  const WavingHinge bending = hinge_with([](int i) { return 0.003 * state_at(i) * state_at(i); });
  EXPECT_LT(unrepeated_share(bending.fit, bending.seen, 100).position, 0.01);
  const WavingHinge waving = hinge_with([](int i) { return 0.003 * std::sin(0.0177 * i + 1); });
  EXPECT_GT(unrepeated_share(waving.fit, waving.seen, 100).position, 0.9);
  EXPECT_EQ(unrepeated_share(waving.fit, waving.seen, 3).position, 0);  // too few to tell
}

}  // namespace
}  // namespace prehend::articulation
