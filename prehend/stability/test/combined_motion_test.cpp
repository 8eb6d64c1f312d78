#include <cmath>

#include <gtest/gtest.h>

#include "graph_scenes.h"
#include <prehend/math/random.h>
#include <prehend/stability/methods/combined_motion.h>
#include <prehend/stability/statics/force_distribution.h>
#include <prehend/stability/test/unit_weight.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

struct OneCube {
  explicit OneCube(double mu)
      : scene(graph_scenes::cubes(1, mu)),
        system(build_contact_system(scene)),
        object(make_super_object(system, std::vector<Vector3d>(system.contacts.size(), Vector3d::Zero()),
                                 interface_corners(system), {true})),
        motion(system, object) {}
  CombinedAnswer ask(const Vector3d& p, const Vector3d& e) { return motion.ask(system.force_wrench(e, p)); }
  model::Scene scene;
  ContactSystem system;
  SuperObject object;
  CombinedMotion motion;
};

TEST(CombinedMotion, MidlinePushesByHand) {
  OneCube cube(0.7);
  const CombinedAnswer low = cube.ask({-0.5, 0, 0.4}, {1, 0, 0});
  EXPECT_NEAR(low.robustness, 0.7 * kWeight, 1e-5);
  EXPECT_EQ(cube.motion.mode(low.twist), Mode::slip);
  const CombinedAnswer high = cube.ask({-0.5, 0, 0.9}, {1, 0, 0});
  EXPECT_NEAR(high.robustness, 0.5 * kWeight / 0.9, 1e-5);
  EXPECT_EQ(cube.motion.mode(high.twist), Mode::topple);
  EXPECT_EQ(cube.ask({0, 0, 1}, {0, 0, -1}).status, CombinedAnswer::Status::unbounded);
  const CombinedAnswer up = cube.ask({0, 0, 0}, {0, 0, 1});
  EXPECT_NEAR(up.robustness, kWeight, 1e-5);
}

// A push low at the side's edge, by hand: forces lie in the plane, the weight on two points at the rim, each with
// half of it. Push F at y = 1/2 along x: the near point alone takes F, the far one nothing if both friction forces are
// along x: F = mu W / 2 is safe; and the true limit lies between that and mu W.
TEST(CombinedMotion, APushBesideTheMiddleTurnsTheCube) {
  OneCube cube(0.5);
  const CombinedAnswer middle = cube.ask({-0.5, 0, 0.1}, {1, 0, 0}),
                       edge = cube.ask({-0.5, 0.5, 0.1}, {1, 0, 0});
  EXPECT_NEAR(middle.robustness, 0.5 * kWeight, 1e-5);
  EXPECT_GT(edge.robustness, 0.25 * kWeight);
  EXPECT_LT(edge.robustness, 0.9 * middle.robustness);
  EXPECT_GT(std::abs(edge.twist[2]), 1e-3);
}

TEST(CombinedMotion, IsTheLimitOfOneBodyForAnyPush) {
  OneCube cube(0.6);
  int bounded = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    math::RandomStream random(9, trial);
    const Vector3d p(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0, 1)),
        e = random.unit_vector();
    const double truth =
        graph_scenes::true_limit(cube.system, {{NodeIndex(0), cube.system.force_wrench(e, p)}});
    const CombinedAnswer answer = cube.ask(p, e);
    if (std::isinf(truth)) {
      EXPECT_EQ(answer.status, CombinedAnswer::Status::unbounded) << trial;
      continue;
    }
    ++bounded;
    ASSERT_EQ(answer.status, CombinedAnswer::Status::bounded) << trial;
    EXPECT_NEAR(answer.robustness, truth, 1e-5 * truth) << trial;
    // The motion is admissible and stops the push: weights and push do no work together.
    math::Vector6d twist = answer.twist;
    const double gravity = cube.object.weight.dot(twist), push = cube.system.force_wrench(e, p).dot(twist);
    EXPECT_NEAR(gravity + answer.robustness * push, 0.0, 1e-4 * std::abs(gravity)) << trial;
    for (const CutContact& contact : cube.object.contacts) {
      const Vector3d v = twist.tail<3>() + twist.head<3>().cross(contact.p_W - cube.system.origin_W);
      const double v_n = v.dot(contact.n_W());
      EXPECT_GE(v_n - contact.mu * (v - v_n * contact.n_W()).norm(), -1e-7 * twist.norm()) << trial;
    }
  }
  EXPECT_GT(bounded, 100);
}

TEST(CombinedMotion, NoFrictionMeansNoResistanceAlongTheFloor) {
  OneCube cube(0.0);
  const CombinedAnswer answer = cube.ask({-0.5, 0, 0.5}, {1, 0, 0});
  ASSERT_EQ(answer.status, CombinedAnswer::Status::bounded);
  EXPECT_EQ(answer.robustness, 0.0);
  EXPECT_EQ(cube.ask({0.2, 0, 1.0}, {0, 0, -1}).status, CombinedAnswer::Status::unbounded);
}

}  // namespace
}  // namespace prehend::stability
