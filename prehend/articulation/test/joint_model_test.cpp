#include <gtest/gtest.h>

#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/joints/joint_kind.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using model::JointType;
using testing::random_joint;
using testing::random_state;

TEST(JointModel, InverseUndoesForward) {
  math::RandomStream random(1);
  for (const JointType type : joint_types()) {
    for (int trial = 0; trial < 20; ++trial) {
      const Joint joint = random_joint(type, random);
      const State q = random_state(joint, random, 3.0, 0.5);
      const State back = joint.inverse(joint.forward(q));
      ASSERT_EQ(back.size(), q.size());
      if (q.size() > 0) {
        EXPECT_LT((back - q).norm(), 1e-7) << to_string(type);
      }
    }
  }
}

TEST(JointModel, ScrewCountsTurns) {
  math::RandomStream random(2);
  const Joint joint = random_joint(JointType::screw, random);
  for (const double angle : {-20.0, -3.5, 4.0, 31.0}) {
    const State q = State::Constant(1, angle);
    EXPECT_NEAR(joint.inverse(joint.forward(q))[0], angle, 1e-9);
  }
}

TEST(JointModel, JacobianAgainstDifferences) {
  math::RandomStream random(3);
  for (const JointType type : joint_types()) {
    const Joint joint = random_joint(type, random);
    const State q = random_state(joint, random, 2.0, 0.5);
    const StateJacobian J = joint.jacobian(q);
    const math::Pose X_MF = joint.forward(q).inverse();
    constexpr double h = 1e-5;
    for (int k = 0; k < q.size(); ++k) {
      State plus = q, minus = q;
      plus[k] += h, minus[k] -= h;
      const math::Vector6d numeric =
          (math::log_se3(X_MF * joint.forward(plus)) - math::log_se3(X_MF * joint.forward(minus))) / (2 * h);
      EXPECT_LT((numeric - J.col(k)).norm(), 1e-8) << to_string(type) << " state " << k;
    }
  }
}

// Rank of the map from 12 local directions (and pitch) to motions, less what a change of states imitates: the count of
// parameters, found by numbers alone.
TEST(JointModel, ParameterCountsAreTheRankOfTheFamily) {
  math::RandomStream random(4);
  for (const JointType type : joint_types()) {
    const Joint joint = random_joint(type, random);
    constexpr int kPoses = 12;
    const int d = joint.freedoms(), columns = 12 + (type == JointType::screw ? 1 : 0);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6 * kPoses, columns + d * kPoses);
    for (int i = 0; i < kPoses; ++i) {
      const State q = random_state(joint, random, 2.0, 0.5);
      const math::Pose X_MF = joint.forward(q).inverse();
      for (int k = 0; k < columns; ++k) {
        const auto moved = [&](double h) {
          Joint other = joint;
          const math::Vector6d e = h * math::Vector6d::Unit(k % 6);
          if (k < 6)
            other.X_FJ = other.X_FJ * math::exp_se3(e);
          else if (k < 12)
            other.X_MJ = other.X_MJ * math::exp_se3(e);
          else
            other.pitch += h;
          return math::log_se3(X_MF * other.forward(q));
        };
        A.block<6, 1>(6 * i, k) = (moved(1e-5) - moved(-1e-5)) / 2e-5;
      }
      if (d > 0) A.block(6 * i, columns + d * i, 6, d) = joint.jacobian(q);
    }
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(A);
    svd.setThreshold(1e-7);
    EXPECT_EQ(svd.rank() - d * kPoses, parameters(type)) << to_string(type);
  }
  EXPECT_EQ(parameters(JointType::revolute), 9);
  EXPECT_EQ(parameters_with_zero(JointType::revolute), 10);
  EXPECT_EQ(parameters(JointType::prismatic), 7);
  EXPECT_EQ(parameters_with_zero(JointType::prismatic), 8);
}

TEST(JointModel, RefusesStatesOfWrongSize) {
  Joint joint;
  joint.type = JointType::revolute;
  EXPECT_THROW(joint.forward(State::Zero(2)), std::invalid_argument);
  EXPECT_THROW(parameters(JointType::screw, false), std::invalid_argument);
}

TEST(RelativeCovariance, AgreesWithSampling) {
  math::RandomStream random(5);
  const PoseNoise fixed{0.004, 0.02}, moving{0.003, 0.01};
  const math::Pose X_FM(random.rotation(), Eigen::Vector3d(0.4, -0.2, 0.3));
  math::Matrix6d sampled = math::Matrix6d::Zero();
  constexpr int kSamples = 40000;
  for (int i = 0; i < kSamples; ++i) {
    const math::Pose seen =
        testing::disturbed(math::Pose(), fixed, random).inverse() * testing::disturbed(X_FM, moving, random);
    const math::Vector6d e = math::log_se3(X_FM.inverse() * seen);
    sampled += e * e.transpose() / kSamples;
  }
  const math::Matrix6d expected = relative_covariance(fixed, moving, X_FM);
  const Eigen::LLT<math::Matrix6d> llt(expected);
  const math::Matrix6d whitened =
      llt.matrixL().solve(math::Matrix6d(llt.matrixL().solve(sampled).transpose()));
  // Sampling error of a variance is sqrt(2 / n) = 0.7 %; five of them, and second-order terms of 0.02 rad.
  EXPECT_LT((whitened - math::Matrix6d::Identity()).cwiseAbs().maxCoeff(), 0.04);
  // The fixed part's rotation moves the child: without it the position's variance would be 25 mm^2.
  const double trace = expected.bottomRightCorner<3, 3>().trace();
  EXPECT_GT(trace, 3 * 25e-6 + 2 * 0.29 * 0.02 * 0.02 * 0.9);
}

}  // namespace
}  // namespace prehend::articulation
