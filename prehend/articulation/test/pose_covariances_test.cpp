// Poses with covariances of their own: the same joint as the likelihood of one noise where both describe the same, a better one where they do not.
#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

TEST(PoseCovariances, AgreeWithOneNoiseForAllWhereBothDescribeTheSame) {
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw,
                               JointType::cylindrical, JointType::spherical, JointType::planar}) {
    math::RandomStream random(7, static_cast<std::uint64_t>(type));
    const Joint joint = random_joint(type, random);
    Scenario scenario;
    scenario.frames = 80;
    scenario.fixed = scenario.moving = {0.002, 0.004};
    const Observations plain = simulate(joint, scenario, random);
    Observations weighted = plain;
    for (const Observation& o : weighted.poses)
      weighted.covariances.push_back(relative_covariance(scenario.fixed, scenario.moving, o.X_FM));
    FitOptions known;
    known.noise = PoseNoise{0.002 * M_SQRT2, 0.004 * M_SQRT2};
    known.robust = false;
    const JointFit expected = fit_joint(type, plain, known);
    // Gaussian in the limit; stated covariances as they are.
    FitOptions gaussian;
    gaussian.covariance_tails = 1e9;
    gaussian.noise = typical_noise(weighted.covariances);
    const JointFit found = fit_joint(type, weighted, gaussian);
    ASSERT_EQ(found.status, FitStatus::ok) << to_string(type);
    // Compared by what the joints make of the states: a tenth of what noise leaves of 80 frames.
    for (const Observation& o : plain.poses) {
      const math::Pose a = expected.joint.forward(*expected.states[o.time]),
                       b = found.joint.forward(*found.states[o.time]);
      EXPECT_LT((a.p() - b.p()).norm(), 1e-4) << to_string(type);
      EXPECT_LT(a.q().angularDistance(b.q()), 2e-4) << to_string(type);
    }
    EXPECT_NEAR(found.log_likelihood_independent, expected.log_likelihood_independent, 0.5)
        << to_string(type);
  }
}

// A camera's markers: depth and tilt known fifteen times worse than the rest, and every frame differently.
math::Matrix6d marker_covariance(math::RandomStream& random, const math::Pose& X_CM) {
  const double blur = std::exp(random.uniform(-1.0, 1.0));
  math::Vector6d deviation;
  deviation << 0.02, 0.02, 0.001, 0.0005, 0.0005, 0.008;  // in the camera's axes, z its line of sight
  math::Matrix6d R = math::Matrix6d::Zero();
  R.topLeftCorner<3, 3>() = R.bottomRightCorner<3, 3>() = X_CM.R().transpose();
  return R * (blur * deviation).cwiseAbs2().asDiagonal() * R.transpose();
}
math::Pose measured(const math::Pose& X, const math::Matrix6d& covariance, math::RandomStream& random) {
  math::Vector6d e;
  e << random.normal3(), random.normal3();
  return X * math::exp_se3(covariance.llt().matrixL() * e);
}

TEST(PoseCovariances, TheScaleOfStatedCovariancesIsFound) {
  math::RandomStream random(11);
  const Joint joint = random_joint(JointType::revolute, random);
  Observations seen;
  std::vector<math::Pose> poses;
  std::vector<math::Matrix6d> stated;
  for (int i = 0; i < 200; ++i) {
    const math::Pose X = joint.forward(State::Constant(1, 0.01 * i));
    stated.push_back(marker_covariance(random, X));
    poses.push_back(measured(X, 9.0 * stated.back(), random));  // three times worse than stated
  }
  seen = observations_of(poses);
  seen.covariances = stated;
  FitOptions options;
  options.covariance_tails = 1e9;
  const JointFit fit = fit_joint(JointType::revolute, seen, options);
  ASSERT_EQ(fit.status, FitStatus::ok);
  const PoseNoise typical = typical_noise(stated);
  EXPECT_NEAR(fit.noise.position / typical.position, 3.0, 0.2);
  // Against the fit that takes all poses and axes alike.
  Observations plain = seen;
  plain.covariances.clear();
  FitOptions one_size;
  one_size.noise_shape = NoiseShape::gaussian;
  const JointFit alike = fit_joint(JointType::revolute, plain, one_size);
  const double with = angle_between_lines(*fit.joint.axis_F(), *joint.axis_F()),
               without = angle_between_lines(*alike.joint.axis_F(), *joint.axis_F());
  EXPECT_LT(with, 0.5 * without) << with << " " << without;
}

TEST(PoseCovariances, AnArmSeenByACameraIsDiscovered) {
  MotionOptions options;
  options.frames = 120;
  options.motion = MotionKind::smooth;
  options.place = {0, 0, 1.0};
  options.place_spread = options.root_step = options.root_turn = 0;
  options.position_noise = options.angle_noise = 0;
  options.seed = 5;
  SimulatedMotion motion = simulate_motion(named_object("arm"), options);
  math::RandomStream random(5);
  for (model::PoseRow& row : motion.log.rows) {
    const math::Pose X(*row.q_WP, row.p_WP);
    motion.log.covariances.push_back(marker_covariance(random, X));
    const math::Pose Y = measured(X, motion.log.covariances.back(), random);
    row.p_WP = Y.p();
    row.q_WP = Y.q();
  }
  const Discovery found = discover(motion.log, "film");
  EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
  ASSERT_EQ(found.joints.size(), 4u);
  for (const DiscoveredJoint& joint : found.joints) {
    EXPECT_EQ(joint.joint.type, JointType::revolute) << found.brief_report();
    EXPECT_EQ(std::abs(joint.parent - joint.child), 1) << found.brief_report();
  }
}

}  // namespace
}  // namespace prehend::articulation
