#include <stdexcept>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <prehend/articulation/displaced_joint.h>
#include <prehend/articulation/joint_fit.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using model::JointType;
using namespace testing;

constexpr JointType kTypes[] = {JointType::rigid, JointType::prismatic, JointType::revolute, JointType::screw,
                                JointType::spherical};

// The moving part's pose in some states, as one vector of logarithms against the undisplaced joint; states follow freely.
Eigen::MatrixXd change_of_motion(const Joint& joint, const std::vector<State>& states) {
  const double h = 1e-6;
  const int n = parameters(joint.type);
  Eigen::MatrixXd J(6 * static_cast<int>(states.size()), n);
  for (int k = 0; k < n; ++k) {
    const Joint other = displaced(joint, k, h);
    for (std::size_t i = 0; i < states.size(); ++i) {
      math::Vector6d e = math::log_se3(joint.forward(states[i]).inverse() * other.forward(states[i])) / h;
      // What a change of the state would do as well is no change of the joint.
      if (joint.freedoms() > 0) {
        const StateJacobian S = joint.jacobian(states[i]);
        e -= S * S.colPivHouseholderQr().solve(e);
      }
      J.col(k).segment<6>(6 * static_cast<int>(i)) = e;
    }
  }
  return J;
}

TEST(DisplacedJoint, EveryParameterChangesTheMotionInItsOwnWay) {
  math::RandomStream random(31);
  for (const JointType type : kTypes) {
    const Joint joint = random_joint(type, random);
    std::vector<State> states;
    for (int i = 0; i < 12; ++i) states.push_back(random_state(joint, random, 1.0, 0.2));
    const Eigen::MatrixXd J = change_of_motion(joint, states);
    EXPECT_EQ(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(J).setThreshold(1e-5).rank(), parameters(type))
        << to_string(type);
  }
}

TEST(DisplacedJoint, ParametersAreThoseOfTheCovariance) {
  // Fits of the same motion with other noise scatter as the covariance says, parameter by parameter: here by the curvature of the
  // squared distance, in all directions at once.
  math::RandomStream random(32);
  for (const JointType type : kTypes) {
    const Joint joint = random_joint(type, random);
    Scenario scenario;
    scenario.frames = 120;  // all of them count for the curvature
    scenario.moving = {1e-4, 1e-3};
    FitOptions options;
    options.noise = scenario.moving;
    options.fixed_share = 0.0;
    const JointFit fit = fit_joint(type, simulate(joint, scenario, random), options);
    std::vector<State> states;
    for (const auto& q : fit.states) states.push_back(*q);
    const int n = parameters(type);
    // Distances of M's pose, whitened: noise of the moving part is in its own axes.
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n, n);
    math::Vector6d weight;
    weight << Eigen::Vector3d::Constant(1e3), Eigen::Vector3d::Constant(1e4);
    const double h = 1e-6;
    for (const State& q : states) {
      Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, n);
      for (int k = 0; k < n; ++k)
        J.col(k) =
            weight.asDiagonal() *
            (math::log_se3(fit.joint.forward(q).inverse() * displaced(fit.joint, k, h).forward(q)) / h);
      if (fit.joint.freedoms() > 0) {
        const Eigen::MatrixXd S = weight.asDiagonal() * fit.joint.jacobian(q);
        J -= (S * S.colPivHouseholderQr().solve(J)).eval();
      }
      H += J.transpose() * J;
    }
    const Eigen::MatrixXd product = H * fit.covariance;
    EXPECT_LT((product - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), 0.1) << to_string(type);
  }
}

TEST(DisplacedJoint, WhatIsNoParameterIsNamed) {
  const Joint joint{JointType::prismatic, {}, {}, 0.0};
  EXPECT_NO_THROW(displaced(joint, 6, 1e-3));
  EXPECT_THROW(displaced(joint, 7, 1e-3), std::invalid_argument);
  EXPECT_THROW(displaced(joint, -1, 1e-3), std::invalid_argument);
}

TEST(JointFit, AGivenStartIsFollowedToTheSameMaximum) {
  math::RandomStream random(33);
  for (const JointType type : kTypes) {
    Scenario scenario;
    scenario.moving = {1e-3, 5e-3};
    const Observations seen = simulate(random_joint(type, random), scenario, random);
    FitOptions options;
    options.noise = scenario.moving;
    const JointFit fit = fit_joint(type, seen, options);
    options.start = displaced(fit.joint, 0, 1e-3);
    const JointFit again = fit_joint(type, seen, options);
    EXPECT_NEAR(again.log_likelihood_independent, fit.log_likelihood_independent, 0.1) << to_string(type);
    options.max_iterations = 1;
    const JointFit nearer = fit_joint(type, seen, options);
    EXPECT_LT(nearer.log_likelihood_independent, fit.log_likelihood_independent + 0.1);
  }
  FitOptions options;
  options.start = Joint{JointType::revolute, {}, {}, 0.0};
  const Observations seen = simulate(random_joint(JointType::prismatic, random), {}, random);
  EXPECT_THROW(fit_joint(JointType::prismatic, seen, options), std::invalid_argument);
  options = {};
  options.start_number = -1;
  EXPECT_THROW(fit_joint(JointType::prismatic, seen, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::articulation
