#include <gtest/gtest.h>

#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using model::JointType;
using namespace testing;

// Largest distance between where the fitted and the true joint put points of M, in states seen.
double disagreement(const JointFit& fit, const Joint& truth, math::RandomStream& random) {
  double worst = 0;
  for (int i = 0; i < 20; ++i) {
    const math::Pose X = truth.forward(random_state(truth, random, 1.0, 0.2));
    const math::Pose Y = fit.joint.forward(fit.joint.inverse(X));
    worst = std::max({worst, (X.p() - Y.p()).norm(), math::log_so3(X.q().conjugate() * Y.q()).norm()});
  }
  return worst;
}

TEST(JointFit, ExactWithoutNoise) {
  math::RandomStream random(10);
  for (const JointType type : joint_types()) {
    if (type == JointType::free) continue;
    const Joint joint = random_joint(type, random);
    const Observations seen = simulate(joint, {}, random);
    const JointFit fit = fit_joint(type, seen);
    EXPECT_NE(fit.status, FitStatus::failed) << to_string(type);
    EXPECT_LT(disagreement(fit, joint, random), 1e-6) << to_string(type) << "\n" << fit.brief_report();
    EXPECT_EQ(fit.outliers, 0) << to_string(type);
  }
}

TEST(JointFit, FindsTheNoise) {
  math::RandomStream random(11);
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw,
                               JointType::cylindrical, JointType::universal, JointType::planar}) {
    const Joint joint = random_joint(type, random);
    Scenario scenario;
    scenario.frames = 1000;
    scenario.moving = {0.003, 0.02};
    const JointFit fit = fit_joint(type, simulate(joint, scenario, random));
    EXPECT_EQ(fit.status, FitStatus::ok) << to_string(type);
    // About 2000 residuals of each kind at least: 1.6 % each.
    EXPECT_NEAR(fit.noise.position / 0.003, 1, 0.08) << to_string(type);
    EXPECT_NEAR(fit.noise.angle / 0.02, 1, 0.08) << to_string(type);
  }
}

TEST(JointFit, FindsTheNoiseOfTwoTrackedParts) {
  math::RandomStream random(12);
  const Joint joint = random_joint(JointType::revolute, random);
  Scenario scenario;
  scenario.frames = 1000;
  scenario.fixed = scenario.moving = {0.003, 0.02};
  const JointFit fit = fit_joint(JointType::revolute, simulate(joint, scenario, random));
  EXPECT_NEAR(fit.noise.position / (0.003 * std::sqrt(2)), 1, 0.08);
  EXPECT_NEAR(fit.noise.angle / (0.02 * std::sqrt(2)), 1, 0.08);
  EXPECT_EQ(fit.fixed_share, 0.5);
}

// Normalised estimation error squared: over many trials the covariance's own scale of errors is right.
TEST(JointFit, CovarianceIsHonest) {
  for (const JointType type : {JointType::prismatic, JointType::revolute, JointType::screw}) {
    for (const bool both : {false, true}) {
      double axis = 0, point = 0, pitch = 0;
      constexpr int kTrials = 150;
      for (int trial = 0; trial < kTrials; ++trial) {
        math::RandomStream random(20, trial);
        const Joint joint = random_joint(type, random);
        Scenario scenario;
        scenario.frames = 100;
        scenario.moving = {0.003, 0.01};
        if (both) scenario.fixed = scenario.moving;
        const JointFit fit = fit_joint(type, simulate(joint, scenario, random));
        const double e = angle_between_lines(*fit.joint.axis_F(), *joint.axis_F()) / *fit.deviations.axis_F;
        axis += e * e / kTrials;
        if (type == JointType::prismatic) continue;
        const double c = distance_to_line(*fit.joint.point_F(), *joint.point_F(), *joint.axis_F()) /
                         *fit.deviations.point_F;
        point += c * c / kTrials;
        if (type == JointType::screw)
          pitch += std::pow((std::abs(fit.joint.pitch) - joint.pitch) / *fit.deviations.pitch, 2) / kTrials;
      }
      // Mean of 150 values of mean one and variance of one to two: deviation 0.1.
      EXPECT_NEAR(axis, 1, 0.35) << to_string(type) << both;
      if (type != JointType::prismatic) {
        EXPECT_NEAR(point, 1, 0.35) << to_string(type) << both;
      }
      if (type == JointType::screw) {
        EXPECT_NEAR(pitch, 1, 0.45) << both;
      }
    }
  }
}

TEST(JointFit, LeverMakesLikelihoodBetterThanTheClosedForm) {
  double closed = 0, likely = 0, closed_centre = 0, likely_centre = 0;
  for (int trial = 0; trial < 100; ++trial) {
    math::RandomStream random(30, trial);
    const Joint joint = random_joint(JointType::revolute, random, 0.3);
    Scenario scenario;
    scenario.frames = 50;
    scenario.turn = 45 * kDegree;
    scenario.moving = {0.0033, 0.029};
    const Observations seen = simulate(joint, scenario, random);
    FitOptions options;
    options.method = FitMethod::closed_form;
    const Joint a = fit_joint(JointType::revolute, seen, options).joint,
                b = fit_joint(JointType::revolute, seen).joint;
    closed += angle_between_lines(*a.axis_F(), *joint.axis_F());
    likely += angle_between_lines(*b.axis_F(), *joint.axis_F());
    closed_centre += distance_to_line(*a.point_F(), *joint.point_F(), *joint.axis_F());
    likely_centre += distance_to_line(*b.point_F(), *joint.point_F(), *joint.axis_F());
  }
  EXPECT_GT(closed / likely, 1.3);
  EXPECT_GT(closed_centre / likely_centre, 1.2);  // 1.3 in the mean of 1000 trials, scatter 0.1
}

// A turn of 6 mm under 3 mm of noise: the shift cannot tell the turn, the order of the frames can.
TEST(JointFit, FineThreadsAreCountedByContinuity) {
  double squared = 0;
  constexpr int kTrials = 40;
  for (int trial = 0; trial < kTrials; ++trial) {
    math::RandomStream random(35, trial);
    Joint joint = random_joint(JointType::screw, random, 0.0);
    joint.pitch = 0.001;
    std::vector<math::Pose> poses;
    for (int i = 0; i < 100; ++i)
      poses.push_back(
          disturbed(joint.forward(State::Constant(1, 4 * M_PI * i / 100)), {0.003, 0.03}, random));
    const JointFit fit = fit_joint(JointType::screw, observations_of(poses));
    squared += std::pow((std::abs(fit.joint.pitch) - joint.pitch) / *fit.deviations.pitch, 2) / kTrials;
    EXPECT_NEAR(fit.upper[0] - fit.lower[0], 4 * M_PI, 0.3);
  }
  EXPECT_NEAR(squared, 1, 0.7);  // three deviations of a mean of 40
}

// Noise of a length uniform between zero and a bound, as in source L: frames differ in precision, and small residuals tell which.
TEST(JointFit, SizesOfNoiseGainWhereAmplitudesDiffer) {
  double gaussian = 0, estimated = 0;
  for (int trial = 0; trial < 60; ++trial) {
    math::RandomStream random(36, trial);
    const Joint joint = random_joint(JointType::revolute, random, 0.3);
    std::vector<math::Pose> poses;
    for (int i = 0; i < 100; ++i) {
      const math::Pose X = joint.forward(State::Constant(1, 60 * kDegree * i / 100));
      const Eigen::Quaterniond turn = math::exp_so3(random.uniform(0, 5 * kDegree) * random.unit_vector());
      poses.push_back(
          math::Pose((turn * X.q()).normalized(), X.p() + random.uniform(0, 0.01) * random.unit_vector()));
    }
    const Observations seen = observations_of(poses);
    FitOptions options;
    options.noise_shape = NoiseShape::gaussian;
    gaussian +=
        angle_between_lines(*fit_joint(JointType::revolute, seen, options).joint.axis_F(), *joint.axis_F());
    options.noise_shape = NoiseShape::estimated;
    estimated +=
        angle_between_lines(*fit_joint(JointType::revolute, seen, options).joint.axis_F(), *joint.axis_F());
  }
  EXPECT_LT(estimated, 0.8 * gaussian);
}

// A flip is a turn about an axis, too, and a fit that takes it for the motion takes the motion for noise.
TEST(JointFit, IgnoresFlippedMarkers) {
  for (const JointType type : {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw})
    for (int trial = 0; trial < 25; ++trial) {
      math::RandomStream random(40, trial);
      const Joint joint = random_joint(type, random);
      Scenario scenario;
      scenario.moving = {0.002, 0.01};
      Observations seen = simulate(joint, scenario, random);
      flip_some(seen, 5, 10);
      const JointFit fit = fit_joint(type, seen);
      EXPECT_EQ(fit.outliers, 20) << to_string(type) << " " << trial;
      EXPECT_LT(disagreement(fit, joint, random), 0.012)
          << to_string(type) << " " << trial << fit.brief_report();
    }
}

TEST(JointFit, UniversalListsBothSolutionsOfOneAxisAfterTheOther) {
  constexpr int kTrials = 25;
  int both = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    math::RandomStream random(50, trial);
    const Joint joint = random_joint(JointType::universal, random, 0.0);
    const JointFit fit = fit_joint(JointType::universal, one_axis_after_the_other(joint, random));
    const auto is_truth = [&](const Joint& other) {
      return angle_between_lines(*other.axis_F(), *joint.axis_F()) < 2 * kDegree &&
             angle_between_lines(*other.axis2_M(), *joint.axis2_M()) < 2 * kDegree;
    };
    both += fit.alternatives.size() == 1 && (is_truth(fit.joint) || is_truth(fit.alternatives.front()));
  }
  EXPECT_GE(both, kTrials - 1);  // noise tells them apart at three deviations: 2 of 200
}

TEST(JointFit, UniversalMovedAboutBothAxesAtOnceHasOneSolution) {
  for (int trial = 0; trial < 25; ++trial) {
    math::RandomStream random(51, trial);
    const Joint joint = random_joint(JointType::universal, random, 0.0);
    Scenario scenario;
    scenario.moving = {0.002, 0.01};
    const JointFit fit = fit_joint(JointType::universal, simulate(joint, scenario, random));
    EXPECT_TRUE(fit.alternatives.empty()) << trial;
    EXPECT_LT(angle_between_lines(*fit.joint.axis_F(), *joint.axis_F()), 2 * kDegree) << trial;
  }
}

TEST(JointFit, CircleAndLineOfPositions) {
  math::RandomStream random(60);
  const math::Pose X_FJ(random.rotation(), Eigen::Vector3d(1, 2, 3));
  std::vector<Eigen::Vector3d> arc, line;
  for (int i = 0; i < 200; ++i) {
    const double angle = 1.2 * i / 200;
    arc.push_back(X_FJ * Eigen::Vector3d(0.4 * std::cos(angle), 0.4 * std::sin(angle), 0) +
                  0.002 * random.normal3());
    line.push_back(X_FJ * Eigen::Vector3d(0, 0, 0.3 * i / 200) + 0.002 * random.normal3());
  }
  const JointFit circle = fit_joint(JointType::revolute, observations_of(arc));
  const Eigen::Vector3d z = X_FJ.q() * Eigen::Vector3d::UnitZ();
  EXPECT_LT(angle_between_lines(*circle.joint.axis_F(), z), 4 * *circle.deviations.axis_F);
  EXPECT_LT(*circle.deviations.axis_F, 0.02);
  EXPECT_LT((*circle.joint.point_F() - X_FJ.p()).norm(), 5 * *circle.deviations.point_F);
  EXPECT_NEAR(circle.noise.position, 0.002, 0.0003);
  EXPECT_NEAR(circle.upper[0] - circle.lower[0], 1.2, 0.05);
  const JointFit straight = fit_joint(JointType::prismatic, observations_of(line));
  EXPECT_LT(angle_between_lines(*straight.joint.axis_F(), z), 4 * *straight.deviations.axis_F);
  EXPECT_NEAR(straight.noise.position, 0.002, 0.0003);
  EXPECT_THROW(fit_joint(JointType::screw, observations_of(line)), std::invalid_argument);
}

TEST(JointFit, NamesBadOptionsAndTooFewFrames) {
  FitOptions options;
  options.fixed_share = 1.5;
  const Observations two = observations_of(std::vector<math::Pose>(2));
  try {
    fit_joint(JointType::rigid, two, options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("fixed_share is 1.5"), std::string::npos);
  }
  const JointFit fit = fit_joint(JointType::revolute, two);
  EXPECT_EQ(fit.status, FitStatus::failed);
  EXPECT_NE(fit.problems.front().find("needs at least"), std::string::npos);
}

// Of a door that is barely opened most of the measured turns are noise; its stated deviation must not take them for motion.
TEST(JointFit, DeviationsOfBarelyOpenedDoorsAreHonest) {
  for (const double degrees : {1.0, 2.0, 8.0}) {
    int within = 0, far = 0;
    constexpr int kBarelyOpened = 100;
    for (int number = 0; number < kBarelyOpened; ++number) {
      math::RandomStream random(7300, number);
      const Joint joint = random_joint(JointType::revolute, random, 0.5);
      Scenario scenario;
      scenario.frames = 100;
      scenario.moving = {0.002, 0.01};
      scenario.turn = degrees * kDegree;
      FitOptions options;
      options.radius_scale = 0.5;
      const JointFit fit = fit_joint(JointType::revolute, simulate(joint, scenario, random), options);
      const double error = angle_between_lines(*fit.joint.axis_F(), *joint.axis_F()) / *fit.deviations.axis_F;
      within += error < 1.96;
      far += error > 4;
    }
    // 95 of 100 would lie within; two standard deviations of the count are 4.
    EXPECT_GE(within, 90) << degrees;
    EXPECT_LE(far, 1) << degrees;
  }
}

}  // namespace
}  // namespace prehend::articulation
