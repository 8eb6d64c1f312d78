#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <prehend/articulation/joints/perpendicular_axes.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;

Frames orientations(const std::vector<math::Pose>& poses) {
  Frames frames;
  for (const math::Pose& X : poses) frames.X.push_back({X.R(), X.p()});
  frames.weights.assign(frames.X.size(), 1.0);
  return frames;
}

// The search ends where a round gains a millionth: along a valley of f that noise alone makes, hundreds of such rounds remain, but never half of f.
constexpr double kHalf = 0.5;

// By its definition, frame by frame.
double mean_square(const Frames& frames, const Eigen::Vector3d& a_F, const Eigen::Vector3d& a_M) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < frames.X.size(); ++i) {
    sum += frames.weights[i] * std::pow(a_F.dot(frames.X[i].R * a_M), 2);
    weight += frames.weights[i];
  }
  return sum / weight;
}

Eigen::Vector3d least_eigenvector(const Eigen::Matrix3d& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A).eigenvectors().col(0);
}

// The best axis in F for one in M and the other way round, until nothing changes.
double alternated(const Frames& frames, Eigen::Vector3d a_M, int rounds) {
  Eigen::Vector3d a_F;
  for (int round = 0; round < rounds; ++round) {
    Eigen::Matrix3d A = Eigen::Matrix3d::Zero(), B = A;
    for (std::size_t i = 0; i < frames.X.size(); ++i) {
      const Eigen::Vector3d turned = frames.X[i].R * a_M;
      A += frames.weights[i] * turned * turned.transpose();
    }
    a_F = least_eigenvector(A);
    for (std::size_t i = 0; i < frames.X.size(); ++i) {
      const Eigen::Vector3d turned = frames.X[i].R.transpose() * a_F;
      B += frames.weights[i] * turned * turned.transpose();
    }
    a_M = least_eigenvector(B);
  }
  return mean_square(frames, a_F, a_M);
}

// Orientations of a joint, with noise and unequal weights.
Frames seen(model::JointType type, double turn, double noise, math::RandomStream& random) {
  const Joint joint = random_joint(type, random);
  std::vector<math::Pose> poses;
  for (int i = 0; i < 40; ++i)
    poses.push_back(disturbed(joint.forward(random_state(joint, random, turn, 0.3)), {0.0, noise}, random));
  Frames frames = orientations(poses);
  for (double& w : frames.weights) w = random.uniform(0.2, 1.0);
  return frames;
}

TEST(PerpendicularAxes, AreThoseOfAUniversalJoint) {
  math::RandomStream random(60);
  for (int i = 0; i < 20; ++i) {
    const Joint joint = random_joint(model::JointType::universal, random);
    std::vector<math::Pose> poses;
    for (int k = 0; k < 30; ++k) poses.push_back(joint.forward(random_state(joint, random, 1.5, 0.0)));
    const AxisPair pair = perpendicular_axes(orientations(poses)).front();
    EXPECT_LT(pair.a_F.cross(*joint.axis_F()).norm(), 1e-6);
    EXPECT_LT(pair.a_M.cross(*joint.axis2_M()).norm(), 1e-6);
    EXPECT_LT(std::abs(pair.cost), 1e-12);
  }
}

TEST(PerpendicularAxes, AreTwoPairsAfterOneAxisAndThenTheOther) {
  math::RandomStream random(61);
  const Joint joint = random_joint(model::JointType::universal, random);
  std::vector<math::Pose> poses;
  for (int k = 0; k < 40; ++k)
    poses.push_back(joint.forward(Eigen::Vector2d(0.02 * std::min(k, 20), 0.02 * std::max(0, k - 20))));
  const std::vector<AxisPair> pairs = perpendicular_axes(orientations(poses));
  ASSERT_GE(pairs.size(), 2u);
  EXPECT_LT(std::abs(pairs[1].cost), 1e-12);
  EXPECT_GT(pairs[0].a_F.cross(pairs[1].a_F).norm(), 0.5);
}

TEST(PerpendicularAxes, NoneIsBetter) {
  math::RandomStream random(62);
  for (const model::JointType type : {model::JointType::universal, model::JointType::revolute,
                                      model::JointType::prismatic, model::JointType::spherical})
    for (const double noise : {0.002, 0.05, 0.4}) {
      const Frames frames = seen(type, 1.2, noise, random);
      const std::vector<AxisPair> pairs = perpendicular_axes(frames);
      const double least = pairs.front().cost;
      EXPECT_NEAR(least, mean_square(frames, pairs[0].a_F, pairs[0].a_M), 1e-13);
      for (int i = 0; i < 6; ++i)
        EXPECT_GT(alternated(frames, random.unit_vector(), 1000), kHalf * least)
            << to_string(type) << " " << noise;
    }
}

TEST(PerpendicularAxes, AreLowestFirstAndFurtherRoundsGainLittle) {
  math::RandomStream random(63);
  for (const model::JointType type : {model::JointType::universal, model::JointType::revolute,
                                      model::JointType::prismatic, model::JointType::spherical}) {
    const Frames frames = seen(type, 0.8, 0.03, random);
    const std::vector<AxisPair> pairs = perpendicular_axes(frames);
    double last = 0;
    for (const AxisPair& pair : pairs) {
      EXPECT_GE(pair.cost, last);
      last = pair.cost;
      EXPECT_NEAR(mean_square(frames, pair.a_F, pair.a_M), pair.cost, 1e-12);
    }
    EXPECT_GT(alternated(frames, pairs.front().a_M, 1), (1 - 1e-3) * pairs.front().cost) << to_string(type);
  }
}

}  // namespace
}  // namespace prehend::articulation
