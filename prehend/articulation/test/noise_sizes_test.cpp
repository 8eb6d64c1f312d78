#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/articulation/fit/noise_sizes.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;

TEST(NoiseSizes, PrecisionAndSpreadAreDerivativesOfTheLoss) {
  const NoiseSizes sizes{{0.1, 0.3, 0.4, 0.2}};
  constexpr double kStep = 1e-5;
  for (const double freedoms : {1.0, 1.7, 3.0})
    for (const double squared : {0.01, 0.3, 2.0, 15.0}) {
      const NoiseSizes::At low = sizes.at(squared - kStep, freedoms),
                           high = sizes.at(squared + kStep, freedoms), at = sizes.at(squared, freedoms);
      EXPECT_NEAR((high.loss - low.loss) / (2 * kStep), at.precision, 1e-6 * at.precision);
      EXPECT_NEAR((high.precision - low.precision) / (2 * kStep), -0.5 * at.spread, 1e-5 * (1 + at.spread));
    }
}

TEST(NoiseSizes, FarOutTheLargestSizeCounts) {
  const NoiseSizes sizes{{0.1, 0.3, 0.4, 0.2}};
  const NoiseSizes::At at = sizes.at(1e5, 2.0);
  EXPECT_EQ(at.precision, 0.25);
  EXPECT_NEAR(at.loss, 0.25 * 1e5 + 2 * std::log(4.0), 10);  // less the share of that size
}

TEST(NoiseSizes, OneSizeIsFoundWhereThereIsOne) {
  math::RandomStream random(1);
  std::vector<double> one, uneven;
  for (int i = 0; i < 2000; ++i) {
    one.push_back(std::pow(random.normal(), 2));
    const double amplitude = random.uniform(), direction = random.uniform(-1, 1);
    uneven.push_back(
        9 * std::pow(amplitude * direction, 2));  // of a length in any direction, one component; mean one
  }
  const SizesFit gaussian = estimate_sizes(one, 1.0, 200), several = estimate_sizes(uneven, 1.0, 200);
  EXPECT_GT(gaussian.sizes.shares[NoiseSizes::kOne], 0.9);
  EXPECT_LT(gaussian.gain, 5);
  EXPECT_LT(several.sizes.shares[NoiseSizes::kOne], 0.8);
  EXPECT_GT(several.gain, 40);
}

// Errors in units of the stated deviation, with noise of uneven size.
TEST(NoiseSizes, DeviationsAreStatedRightly) {
  constexpr int kTrials = 150;
  double squared = 0;
  int sized = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    math::RandomStream random(2, trial);
    const Joint joint = random_joint(model::JointType::revolute, random);
    std::vector<math::Pose> poses;
    for (int i = 0; i < 100; ++i) {
      const math::Pose X = joint.forward(State::Constant(1, random.uniform(0, 90 * kDegree)));
      const double angle = random.uniform(0, 5 * kDegree), length = random.uniform(0, 0.01);
      const Eigen::Vector3d turn = angle * random.unit_vector(), shift = length * random.unit_vector();
      poses.push_back(math::Pose((math::exp_so3(turn) * X.q()).normalized(), X.p() + shift));
    }
    const JointFit fit = fit_joint(model::JointType::revolute, observations_of(poses));
    sized += fit.noise_has_sizes;
    const double cosine = std::min(1.0, std::abs(fit.joint.axis_F()->dot(*joint.axis_F())));
    squared += std::pow(std::acos(cosine) / *fit.deviations.axis_F, 2) / kTrials;
  }
  EXPECT_GT(sized, 0.95 * kTrials);
  EXPECT_NEAR(squared, 1, 0.35);  // of a mean of 150 squares of two components: deviation 0.08
}

// A part that is carried about at 30 Hz, and the same poses taken half-way between rows.
TEST(FreshNoise, OfACarriedPartButNotOfInterpolatedPoses) {
  const PoseNoise truth{0.002, 0.01};
  math::RandomStream random(5, 1);
  std::vector<double> t;
  std::vector<math::Pose> poses, between;
  for (int i = 0; i < 300; ++i) {
    t.push_back(i / 30.0);
    const math::Pose X(math::exp_so3(Eigen::Vector3d(0.8 * std::sin(2 * t.back()), 0.2, 0.1)),
                       Eigen::Vector3d(0.3 * std::cos(3 * t.back()), 0, 1));
    poses.push_back(disturbed(X, truth, random));
  }
  const auto found = fresh_noise(fresh_deviations(t, poses));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->position, truth.position, 0.1 * truth.position);  // a median of 296: deviation 0.03
  EXPECT_NEAR(found->angle, truth.angle, 0.1 * truth.angle);
  for (std::size_t i = 1; i < poses.size(); ++i)
    between.emplace_back(poses[i - 1].q().slerp(0.5, poses[i].q()), 0.5 * (poses[i - 1].p() + poses[i].p()));
  t.pop_back();
  EXPECT_FALSE(fresh_noise(fresh_deviations(t, between)));
  EXPECT_DOUBLE_EQ(fresh_share(PoseNoise{0.001, 0.01}, PoseNoise{0.001, 0.012}, 0.5), 0.5);
  EXPECT_NEAR(fresh_share(PoseNoise{0.001, 0.02}, PoseNoise{0.001, 0.01}, 0.5), 0.8, 1e-12);
}

}  // namespace
}  // namespace prehend::articulation
