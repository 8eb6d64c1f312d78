#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sample_arm.h"
#include <prehend/inertia/excitation.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/math/random.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::inertia {
namespace {

double log_det(const math::Matrix10d& information) { return std::log(information.determinant()); }

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

// Standard deviations of repeated estimates, each from its own noise.
struct Spread {
  double mass;
  Eigen::Vector3d com;
  Eigen::Matrix<double, 6, 1> inertia;
};

Spread repeated_estimates(const model::JointChain& chain, const MotionWorth& worth,
                          const ExcitationOptions& options, int runs) {
  const std::vector<Motion> motions = sensor_motions(chain, worth.trajectory);
  const math::SpatialInertia body = options.object.inertia_S();
  const math::Vector10d truth = body.parameters();
  math::RandomStream random(11);
  Spread spread{0.0, Eigen::Vector3d::Zero(), Eigen::Matrix<double, 6, 1>::Zero()};
  for (int run = 0; run < runs; ++run) {
    std::vector<Sample> samples(motions.size());
    for (std::size_t i = 0; i < motions.size(); ++i) {
      samples[i].motion = motions[i];
      samples[i].wrench = wrench_of(body, motions[i]);
      samples[i].wrench.head<3>() += options.noise.torque * random.normal3();
      samples[i].wrench.tail<3>() += options.noise.force * random.normal3();
    }
    const Estimate estimate =
        least_squares(samples, {.weights = {1.0 / options.noise.force, 1.0 / options.noise.torque}});
    const math::Vector10d phi = estimate.inertia_S.parameters();
    spread.mass += std::pow(phi[0] - truth[0], 2) / runs;
    spread.com += (estimate.inertia_S.com - body.com).cwiseAbs2() / runs;
    spread.inertia += (phi - truth).tail<6>().cwiseAbs2() / runs;
  }
  return {std::sqrt(spread.mass), spread.com.cwiseSqrt(), spread.inertia.cwiseSqrt()};
}

// The closed loop: plan, measure with noise, estimate, many times over.
TEST(Excitation, EstimatesScatterAsPredicted) {
  const model::JointChain chain = sample_arm();
  const ExcitationOptions options = short_plan();
  const Excitation plan = plan_excitation(chain, options);
  ASSERT_EQ(plan.status, ExcitationStatus::ok) << plan.brief_report();
  constexpr int kRuns = 300;
  // The deviation of a deviation from n runs is 1/sqrt(2 n) of it, 4 %; ten parameters twice: four of those.
  constexpr double kFour = 4.0 * 0.0409;
  for (const MotionWorth* worth : {&plan.plan, &plan.baseline}) {
    const Spread spread = repeated_estimates(chain, *worth, options, kRuns);
    EXPECT_NEAR(spread.mass / worth->std.mass, 1.0, kFour);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(spread.com[i] / worth->std.com[i], 1.0, kFour) << i;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(spread.inertia[i] / worth->std.inertia[i], 1.0, kFour) << i;
  }
  EXPECT_GT(plan.baseline.std.inertia.norm(), 5.0 * plan.plan.std.inertia.norm());
  EXPECT_GT(log_det(plan.plan.information), log_det(plan.baseline.information) + 10.0);
  EXPECT_LT(plan.plan.condition, plan.baseline.condition);
}

// Looked at with other eyes: at random instants, speeds by differences of the positions of random points of the ball.
TEST(Excitation, KeepsItsLimits) {
  const model::JointChain chain = sample_arm();
  ExcitationOptions options = short_plan();
  options.object.centre_S = Eigen::Vector3d(0.02, 0.0, 0.09);
  options.limits.tool_speed = 0.2;
  options.limits.workspace_W = Eigen::AlignedBox3d(Eigen::Vector3d(-9, -9, 0.1), Eigen::Vector3d(9, 9, 0.9));
  options.limits.keep_out_W.emplace_back(Eigen::Vector3d(-1, -1, 0), Eigen::Vector3d(0.1, 1, 1));
  const Excitation plan = plan_excitation(chain, options);
  ASSERT_EQ(plan.status, ExcitationStatus::ok) << plan.brief_report();
  EXPECT_TRUE(plan.plan.limits.hold());
  EXPECT_GE(plan.plan.limits.tool_speed.margin, 0.0);
  EXPECT_LT(plan.plan.limits.tool_speed.margin, 0.02 * 0.2);  // and uses them
  math::RandomStream random(12);
  model::ChainSweep sweep(chain);
  JointState state;
  const auto point = [&](double t, const Eigen::Vector3d& p) {
    plan.motion.at(t, state);
    sweep.forward(state.q, state.qd, state.qdd);
    return Eigen::Vector3d(sweep.X_WE() * p);
  };
  const double h = 1e-5;
  for (int i = 0; i < 20000; ++i) {
    const double t = random.uniform(h, plan.motion.duration - h);
    const Eigen::Vector3d p = options.object.centre() + options.object.radius() * random.unit_vector();
    const Eigen::Vector3d here = point(t, p);
    EXPECT_LE((point(t + h, p) - point(t - h, p)).norm() / (2 * h), 0.2 * (1.0 + 1e-4));
    EXPECT_GE(here.z(), 0.1);
    EXPECT_LE(here.z(), 0.9);
    EXPECT_FALSE(options.limits.keep_out_W[0].contains(here));
    for (int j = 0; j < 6; ++j) {
      EXPECT_LE(std::abs(state.qd[j]), chain.joints[static_cast<std::size_t>(j)].speed_limit);
      EXPECT_LE(std::abs(state.qdd[j]), 10.0 * (1 + 1e-6));
      EXPECT_GE(state.q[j], chain.joints[static_cast<std::size_t>(j)].lower);
      EXPECT_LE(state.q[j], chain.joints[static_cast<std::size_t>(j)].upper);
    }
  }
  for (const double t : {0.0, plan.motion.duration}) {
    plan.motion.at(t, state);
    EXPECT_LT(state.qd.norm() + state.qdd.norm(), 1e-10);
  }
}

TEST(Excitation, IsTheSameForAnyNumberOfThreads) {
  const model::JointChain chain = sample_arm();
  ExcitationOptions options = short_plan();
  options.duration = 3.0;
  options.threads = 1;
  const Excitation one = plan_excitation(chain, options);
  options.threads = 4;
  const Excitation four = plan_excitation(chain, options);
  EXPECT_EQ(one.plan.trajectory.q, four.plan.trajectory.q);
  options.seed = 1;
  EXPECT_NE(one.plan.trajectory.q, plan_excitation(chain, options).plan.trajectory.q);
}

TEST(Excitation, EachCriterionIsBestAtItsOwn) {
  const model::JointChain chain = sample_arm();
  ExcitationOptions options = short_plan();
  options.noise.has_bias = true;
  options.start = Eigen::VectorXd::Constant(6, 0.5);
  const Excitation d = plan_excitation(chain, options);
  options.criterion = Criterion::a_optimal;
  const Excitation a = plan_excitation(chain, options);
  math::Vector10d scale;
  const double m = options.object.mass, L = options.object.size;
  scale << m, Eigen::Vector3d::Constant(m * L), Eigen::Matrix<double, 6, 1>::Constant(m * L * L);
  const auto trace = [&](const Excitation& plan) {
    const math::Matrix10d covariance = plan.plan.information.inverse();
    return (covariance.diagonal().array() / scale.array().square()).sum();
  };
  EXPECT_GT(log_det(d.plan.information), log_det(a.plan.information));
  EXPECT_LT(trace(a), trace(d));
  for (const Excitation* plan : {&d, &a}) {
    EXPECT_LT((plan->plan.trajectory.q.row(0).transpose() - *options.start).norm(), 1e-12);
    EXPECT_TRUE(plan->plan.limits.hold());
  }
}

TEST(Excitation, LongMotionsRepeatAPeriod) {
  ExcitationOptions options = short_plan();
  options.duration = 12.0;
  options.max_harmonics = 4;
  options.starts = 1;
  const Excitation plan = plan_excitation(sample_arm(), options);
  EXPECT_EQ(plan.passes, 3);
  ASSERT_EQ(plan.status, ExcitationStatus::ok);
  EXPECT_EQ(plan.plan.trajectory.t.size(), 1201);
  EXPECT_LT((plan.plan.trajectory.q.row(150) - plan.plan.trajectory.q.row(550)).norm(), 1e-9);
}

TEST(Excitation, SaysWhatIsImpossible) {
  ExcitationOptions options = short_plan();
  options.starts = 2;
  const Excitation flat = plan_excitation(planar_arm(3), options);
  EXPECT_EQ(flat.status, ExcitationStatus::infeasible);
  ASSERT_EQ(flat.problems.size(), 1u);
  EXPECT_EQ(
      flat.problems[0],
      "this chain cannot identify all ten parameters, however it moves: its joints turn the object about "
      "too few axes");
  const model::JointChain arm = sample_arm();
  options.limits.workspace_W = Eigen::AlignedBox3d(Eigen::Vector3d(-9, -9, 5), Eigen::Vector3d(9, 9, 9));
  const Excitation high = plan_excitation(arm, options);
  EXPECT_EQ(high.status, ExcitationStatus::infeasible);
  ASSERT_EQ(high.problems.size(), 1u);
  EXPECT_EQ(high.problems[0],
            "no motion that keeps all limits was found: in 200 poses from each of 2 starts the object was "
            "outside of its room");
}

TEST(Excitation, NamesBadOptions) {
  const model::JointChain arm = sample_arm();
  const auto with = [&](auto change) {
    return message_of([&] {
      ExcitationOptions options = short_plan();
      change(options);
      plan_excitation(arm, options);
    });
  };
  EXPECT_EQ(
      with([](auto& o) { o.duration = 1.0; }),
      "ExcitationOptions::duration is 1 s; it must be at least 2 s at up to 1 Hz, or no joint can start and "
      "stop at rest");
  EXPECT_EQ(with([](auto& o) { o.limits.tool_speed = -1.0; }),
            "MotionLimits::tool_speed is -1 m/s; it must be finite and above 0 m/s");
  EXPECT_EQ(with([](auto& o) { o.object.mass = 0.0; }),
            "ExcitationOptions::object.mass is 0 kg; it must be finite and above 0 kg");
  EXPECT_EQ(with([](auto& o) { o.noise.force = 0.0; }),
            "WrenchNoise::force is 0 N; it must be finite and above 0 N");
  EXPECT_EQ(with([](auto& o) { o.start = Eigen::VectorXd::Zero(2); }),
            "ExcitationOptions::start is 2 joint positions; it must be 6, one for each joint of the chain");
  EXPECT_EQ(with([](auto& o) { o.start = Eigen::VectorXd::Constant(6, 1.9); }),
            "ExcitationOptions::start of joint 'lean' is 1.9; it must be between -1.8432 and 1.8432, its "
            "range less "
            "the margin");
  model::JointChain stuck = arm;
  stuck.joints[2].lower = stuck.joints[2].upper = 0.5;
  EXPECT_EQ(message_of([&] { plan_excitation(stuck, short_plan()); }),
            "joint 'bend' cannot move: its limits are 0.5 and 0.5");
}

}  // namespace
}  // namespace prehend::inertia
