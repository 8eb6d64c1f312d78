#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "graph_scenes.h"
#include <prehend/math/house/infinity.h>
#include <prehend/math/random.h>
#include <prehend/stability/methods/slip_robustness.h>
#include <prehend/stability/statics/force_distribution.h>
#include <prehend/stability/test/unit_weight.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using math::kInfinity;

bool in_cone(const Vector3d& f, double mu) { return f.head<2>().norm() <= mu * f[2]; }

TEST(ConeExit, IsWhereTheForceLeavesTheCone) {
  int infinite = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    math::RandomStream random(3, trial);
    const double mu = random.uniform(0.05, 1.5);
    Vector3d f(random.normal(), random.normal(), random.uniform(0.1, 3.0));
    if (!in_cone(f, mu)) f.head<2>() *= random.uniform() * mu * f[2] / f.head<2>().norm();
    const Vector3d d = random.unit_vector();
    const double s = cone_exit(f, d, mu);
    if (std::isinf(s)) {
      ++infinite;
      for (const double far : {1e-3, 1.0, 1e3, 1e9})
        EXPECT_TRUE(in_cone(f + (far + 1e-9) * d, mu * (1 + 1e-9))) << trial;
      continue;
    }
    EXPECT_TRUE(in_cone(f + (1 - 1e-9) * s * d, mu * (1 + 1e-9))) << trial;
    EXPECT_FALSE(in_cone(f + (1 + 1e-6) * s * d + 1e-9 * d, mu * (1 - 1e-12))) << trial;
  }
  EXPECT_GT(infinite, 100);
}

// Equations (4.21)-(4.25) to the letter, for the force f and the push e.
struct Printed {
  double s_m, s_p, robustness;
};
Printed printed(const Vector3d& f, const Vector3d& e, double mu) {
  const double n =
      std::sqrt(std::pow(mu * (e[2] * f[0] - e[0] * f[2]), 2) +
                std::pow(mu * (e[2] * f[1] - e[1] * f[2]), 2) - std::pow(e[1] * f[0] - e[0] * f[1], 2));
  const double d = mu * mu * e[2] * e[2] - e.head<2>().squaredNorm();
  Printed result{};
  if (std::abs(d) > 1e-12) {
    result.s_m = (f[0] * e[0] + f[1] * e[1] - mu * mu * f[2] * e[2] - n) / d;
    result.s_p = result.s_m + 2 * n / d;
  } else {
    result.s_m = (f.head<2>().squaredNorm() - mu * mu * f[2] * f[2]) /
                 (2 * (mu * mu * std::abs(e[2]) * std::abs(f[2]) - e.head<2>().dot(f.head<2>())));
  }
  result.robustness = result.s_m >= 0 ? result.s_m : kInfinity;
  return result;
}

TEST(PrintedSlip, AgreesWhereItIsRight) {  // with the push's sign turned
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    math::RandomStream random(4, trial);
    const double mu = random.uniform(0.1, 1.2);
    const double angle = random.uniform(0, 6.28), part = random.uniform(0, 0.99);
    const Vector3d f(part * mu * std::cos(angle), part * mu * std::sin(angle), 1.0), e = random.unit_vector();
    const double ours = cone_exit(f, e, mu), theirs = printed(f, e, mu).robustness;
    if (std::isinf(ours)) {
      EXPECT_EQ(theirs, kInfinity) << trial;
    } else {
      EXPECT_NEAR(ours, theirs, 1e-7 * (1 + ours)) << trial;
    }
  }
}

TEST(PrintedSlip, AddsThePushToTheForceItTakesAway) {
  const Vector3d f(0, 0, 1), down(0, 0, -1);
  EXPECT_NEAR(printed(f, down, 0.5).robustness, 1.0, 1e-12);  // pressing on a block would loosen it
  EXPECT_EQ(cone_exit(f, -down, 0.5), kInfinity);
}

TEST(PrintedSlip, LosesTheSignOfThePushAlongTheConesEdge) {  // (4.24)
  const double mu = 0.75;
  const Vector3d f(0, 0, 1), out(0.6, 0, -0.8);  // mu |d_n| = |d_t|, away from the support
  EXPECT_EQ(printed(f, out, mu).robustness, kInfinity);
  EXPECT_NEAR(cone_exit(f, out, mu), 0.625, 1e-9);  // mu (1 - 0.8 s) = 0.6 s
}

TEST(PrintedSlip, TheOtherRootIsNoLimit) {
  const Vector3d f(0.2, 0, 1), out = Vector3d(0.1, 0, -1).normalized();
  const Printed p = printed(f, out, 0.5);
  EXPECT_NEAR(cone_exit(f, out, 0.5), p.s_m, 1e-12);
  EXPECT_GT(p.s_p, 1.2 * p.s_m);
  EXPECT_LT((f + p.s_p * out)[2], 0.0);  // there it would be tension
}

TEST(PrintedSlip, TakesAnEmptyContactForASlippingOne) {  // (4.25)
  const Vector3d into(0.1, 0, 1);
  EXPECT_EQ(printed(Vector3d::Zero(), into.normalized(), 0.5).robustness, 0.0);
  EXPECT_EQ(cone_exit(Vector3d::Zero(), into.normalized(), 0.5), kInfinity);
  EXPECT_EQ(cone_exit(Vector3d::Zero(), Vector3d(1, 0, 0.1).normalized(), 0.5), 0.0);
}

struct Slip {
  explicit Slip(const model::Scene& s, bool sampled = true)
      : scene(s),
        system(build_contact_system(s, options(sampled))),
        graph(make_contact_graph(system)),
        resting(least_cone_forces(system)),
        analysis(system, graph, resting.forces_W) {}
  static ContactSystemOptions options(bool sampled) {
    ContactSystemOptions o;
    o.points = sampled ? ContactPoints::sampled : ContactPoints::corners;
    return o;
  }
  SlipAnswer ask(const std::string& body, const Vector3d& e) const {
    return analysis.ask(system.node_of_body[scene.find_body(body)], e);
  }
  model::Scene scene;
  ContactSystem system;
  ContactGraph graph;
  ForceDistribution resting;
  SlipAnalysis analysis;
};

TEST(SlipAnalysis, ACube) {
  const double mu = 0.4;
  const Slip slip(graph_scenes::cubes(1, mu));
  EXPECT_NEAR(slip.ask("cube0", {1, 0, 0}).robustness, mu * kWeight, 1e-9);
  EXPECT_NEAR(slip.ask("cube0", Vector3d(1, 2, 0).normalized()).robustness, mu * kWeight, 1e-9);
  EXPECT_EQ(slip.ask("cube0", {0, 0, -1}).robustness, kInfinity);
  // Steeper than the cone: no limit. Flatter: mu (W + s sin) = s cos.
  EXPECT_EQ(slip.ask("cube0", Vector3d(0.3, 0, -1).normalized()).robustness, kInfinity);
  const Vector3d e = Vector3d(1, 0, -1).normalized();
  EXPECT_NEAR(slip.ask("cube0", e).robustness, mu * kWeight / (e.x() + mu * e.z()), 1e-9);
  const SlipAnswer up = slip.ask("cube0", {0, 0, 1});
  EXPECT_NEAR(up.robustness, kWeight, 1e-9);
  EXPECT_TRUE(up.opens);
  EXPECT_FALSE(slip.ask("cube0", {1, 0, 0}).opens);
}

TEST(SlipAnalysis, OnASlope) {
  const double mu = 0.6, angle = 0.3;
  graph_scenes::SceneBuilder builder(mu);
  builder.frame = math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitY())));
  builder.add_floor();
  builder.add("cube0", {1, 1, 1}, {0, 0, 0.5}, 1.0);
  const Slip slip(builder.scene, false);
  const Vector3d down = builder.frame.q() * Vector3d::UnitX();
  const double normal = kWeight * std::cos(angle), along = kWeight * std::sin(angle);
  // The sum over points is what the interface holds where all points are loaded alike, else less.
  EXPECT_LE(slip.ask("cube0", down).robustness, mu * normal - along + 1e-9);
  EXPECT_GT(slip.ask("cube0", down).robustness, 0.8 * (mu * normal - along));
  EXPECT_NEAR(slip.ask("cube0", -down).robustness, mu * normal + along, 0.1 * normal);
}

TEST(SlipAnalysis, AnUpperBlockRidesUnlessItIsHeld) {
  const double mu = 0.3;
  const Slip free(graph_scenes::cubes(3, mu));
  const SlipAnswer middle = free.ask("cube1", {1, 0, 0});
  EXPECT_NEAR(middle.robustness, 2 * mu * kWeight, 1e-8);
  EXPECT_EQ(middle.moving, (std::vector<bool>{false, true, true}));
  EXPECT_NEAR(free.ask("cube2", {1, 0, 0}).robustness, mu * kWeight, 1e-8);
  EXPECT_NEAR(free.ask("cube0", {1, 0, 0}).robustness, 3 * mu * kWeight, 1e-8);

  // A fixed post behind the uppermost cube: pushed towards it, the middle one drags below and above.
  graph_scenes::SceneBuilder builder(mu);
  builder.add_floor();
  for (int i = 0; i < 3; ++i) builder.add("cube" + std::to_string(i), {1, 1, 1}, {0, 0, i + 0.5}, 1.0);
  builder.add("post", {1, 1, 0.8}, {1, 0, 2.5}, 0.0);
  const Slip held(builder.scene);
  const SlipAnswer towards = held.ask("cube1", {1, 0, 0});
  // The smallest forces lean a little on the post, hence the tolerance.
  EXPECT_NEAR(towards.robustness, 3 * mu * kWeight, 0.1 * mu * kWeight);
  EXPECT_EQ(towards.moving, (std::vector<bool>{false, true, false}));
  EXPECT_LT(held.ask("cube1", {-1, 0, 0}).robustness, 2 * mu * kWeight + 1e-8);
}

TEST(SlipAnalysis, AnInterfaceCarriesMoreFromOneSide) {
  // Pushed up, the lower of two cubes lifts both; pushed down, the upper one presses on the lower.
  const Slip slip(graph_scenes::cubes(2, 0.5));
  EXPECT_NEAR(slip.ask("cube0", {0, 0, 1}).robustness, 2 * kWeight, 1e-8);
  EXPECT_NEAR(slip.ask("cube1", {0, 0, 1}).robustness, kWeight, 1e-8);
  EXPECT_EQ(slip.ask("cube1", {0, 0, -1}).robustness, kInfinity);
  const InterfaceIndex between(1);
  EXPECT_NE(slip.analysis.capacity(between, true, {0, 0, 1}),
            slip.analysis.capacity(between, false, {0, 0, 1}));
}

}  // namespace
}  // namespace prehend::stability
