#include <numbers>

#include <generated/benchmark_scenes.h>
#include <generated/cone_limit.h>
#include <gtest/gtest.h>

#include <prehend/stability/methods/linear_limit.h>
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

ContactSystem linear_sampled_system(const model::Scene& scene) {
  ContactSystemOptions options;
  options.points = ContactPoints::sampled;
  return build_contact_system(scene, options);
}

// A push through the middle of the pressure, low enough to slide, reaches what the pyramid allows along it: with 4
// sides the corners of (4.10) lie 45 degrees from the tangents.
TEST(LinearLimit, SlidingCubeReachesThePyramid) {
  const CubeScene sizes;
  const model::Scene scene = cube_scene(sizes);
  const ContactSystem system = build_contact_system(scene);
  const double full = sizes.friction * sizes.mass * 9.81;
  for (const int sides : {4, 8}) {
    LinearLimit limit(system, {sides, 1e6});
    ASSERT_EQ(limit.at_rest(), AnswerStatus::ok);
    for (const double degrees : {0.0, 10.0, 22.5, 45.0, 77.0}) {
      const double angle = degrees * std::numbers::pi / 180;
      const Vector3d d(std::cos(angle), std::sin(angle), 0);
      const Load load = push_load(scene, system, {model::BodyIndex(1), {0, 0, 0}, d});
      // Inscribed polygon: cos(pi/N) / cos(angle to the middle of the nearest side).
      const double step = 2 * std::numbers::pi / sides;
      const double off = std::remainder(angle, step);
      EXPECT_NEAR(limit.ask_warm(load).limit, full * std::cos(step / 2) / std::cos(off), 1e-9 * full)
          << degrees;
    }
  }
}

TEST(LinearLimit, ThreeRoutesOneNumber) {
  for (const model::Scene& scene : {cube_scene(), cube_stack_scene(), table_scene(), slant_scene(2)}) {
    const ContactSystem system = linear_sampled_system(scene);
    LinearLimit limit(system, {8, 1e6});
    const model::SceneContacts contacts = model::find_scene_contacts(scene);
    for (const Push& push : surface_pushes(scene, contacts, 12, 5)) {
      const Load load = push_load(scene, system, push);
      const LinearAnswer warm = limit.ask_warm(load), cold = limit.ask_cold(load),
                         printed = limit.ask_printed(load);
      ASSERT_EQ(warm.status, AnswerStatus::ok) << warm.note;
      ASSERT_EQ(cold.status, AnswerStatus::ok) << cold.note;
      ASSERT_EQ(printed.status, AnswerStatus::ok) << printed.note;
      ASSERT_EQ(warm.unbounded, cold.unbounded);
      ASSERT_EQ(warm.unbounded, printed.unbounded);
      if (warm.unbounded) continue;
      EXPECT_NEAR(warm.limit / cold.limit, 1.0, 1e-7) << scene.name;
      EXPECT_NEAR(warm.limit / printed.limit, 1.0, 1e-7) << scene.name;
    }
  }
}

TEST(LinearLimit, NeverAboveTheTrueLimitAndGrowingWithTheSides) {
  const model::Scene scene = table_scene();
  const ContactSystem sampled = linear_sampled_system(scene), exact = build_contact_system(scene);
  LinearLimit four(sampled, {4, 1e6}), eight(sampled, {8, 1e6}), many(exact, {64, 1e6});
  const model::SceneContacts contacts = model::find_scene_contacts(scene);
  for (const Push& push : surface_pushes(scene, contacts, 40, 6)) {
    const ConeLimitAnswer truth = cone_limit(exact, push_load(scene, exact, push));
    const double low = four.ask_warm(push_load(scene, sampled, push)).limit;
    const double high = eight.ask_warm(push_load(scene, sampled, push)).limit;
    EXPECT_LE(low, high * (1 + 1e-9));  // the octagon's corners hold the square's
    EXPECT_LE(high, truth.limit * (1 + 1e-7));
    if (!truth.unbounded) {
      // 64 sides are within 1 - cos(pi/64) = 0.12 % in friction; the limit may lose a few times that.
      EXPECT_NEAR(many.ask_warm(push_load(scene, exact, push)).limit / truth.limit, 1.0, 0.01);
    }
  }
}

TEST(LinearLimit, LiftsExactlyTheWeight) {
  const model::Scene scene = cube_scene();
  const ContactSystem system = linear_sampled_system(scene);
  LinearLimit limit(system);
  const Load up = push_load(scene, system, {model::BodyIndex(1), {0, 0, 0.1}, Vector3d::UnitZ()});
  EXPECT_NEAR(limit.ask_warm(up).limit, 0.5 * 9.81, 1e-9);
  EXPECT_NEAR(limit.ask_cold(up).limit, 0.5 * 9.81, 1e-9);
  EXPECT_NEAR(limit.ask_printed(up).limit, 0.5 * 9.81, 1e-9);
  EXPECT_TRUE(limit.ask_warm(push_load(scene, system, {model::BodyIndex(1), {0, 0, 0.1}, -Vector3d::UnitZ()}))
                  .unbounded);
}

TEST(LinearLimit, WhatFallsIsUnstable) {
  CubeScene slippery;
  model::Scene scene = cube_scene(slippery);
  scene.gravity_W = {8.0, 0, -9.81};  // steeper than the friction angle
  const ContactSystem system = linear_sampled_system(scene);
  LinearLimit limit(system);
  EXPECT_EQ(limit.at_rest(), AnswerStatus::unstable);
  const Load load = push_load(scene, system, {model::BodyIndex(1), {0, 0, 0.05}, Vector3d::UnitX()});
  EXPECT_EQ(limit.ask_warm(load).status, AnswerStatus::unstable);
  EXPECT_EQ(limit.ask_cold(load).status, AnswerStatus::unstable);
  EXPECT_EQ(limit.ask_printed(load).status, AnswerStatus::unstable);
}

TEST(LinearRobustness, SameForAnyNumberOfThreadsAndUnits) {
  const model::Scene scene = cube_stack_scene();
  const model::SceneContacts contacts = model::find_scene_contacts(scene);
  const std::vector<Push> pushes = surface_pushes(scene, contacts, 600, 7);
  const ContactSystem system = linear_sampled_system(scene);
  RobustnessOptions options;
  options.method = Method::lp8;
  const std::vector<PushAnswer> one = linear_robustness(scene, system, pushes, options);
  options.threads = 2;
  const std::vector<PushAnswer> two = linear_robustness(scene, system, pushes, options);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].status, AnswerStatus::ok) << one[i].note;
    EXPECT_EQ(one[i].robustness, two[i].robustness);
    EXPECT_EQ(one[i].lower, one[i].robustness);
    EXPECT_TRUE(std::isnan(one[i].upper));
  }
  options.method = Method::exact;
  EXPECT_THROW(linear_robustness(scene, system, pushes, options), std::invalid_argument);
}

// The same table in millimetres and in kilometres, light and heavy, far from the origin.
TEST(LinearLimit, FreeOfUnits) {
  const model::Scene scene = table_scene();
  const ContactSystem system = linear_sampled_system(scene);
  const model::SceneContacts contacts = model::find_scene_contacts(scene);
  LinearLimit limit(system);
  for (const double size : {1e-3, 1e3}) {
    for (const double mass : {1e-3, 1e3}) {
      const Vector3d far = size * Vector3d(100, -50, 30);
      ContactSystem other = system;
      for (SystemBody& body : other.bodies) body.mass *= mass, body.com_W = size * body.com_W + far;
      for (SystemContact& contact : other.contacts) contact.p_W = size * contact.p_W + far;
      other.origin_W = size * system.origin_W + far;
      other.length *= size;
      other.weight *= mass;
      LinearLimit other_limit(other);
      for (Push push : surface_pushes(scene, contacts, 15, 8)) {
        const LinearAnswer one = limit.ask_warm(push_load(scene, system, push));
        push.p_W = size * push.p_W + far;
        const LinearAnswer two = other_limit.ask_warm(push_load(scene, other, push));
        const ConeLimitAnswer cone = cone_limit(other, push_load(scene, other, push));
        ASSERT_EQ(one.unbounded, two.unbounded);
        EXPECT_EQ(cone.status, AnswerStatus::ok);
        if (!one.unbounded) {
          EXPECT_NEAR(two.limit / (mass * one.limit), 1.0, 1e-6);
        }
      }
    }
  }
}

TEST(LinearLimit, CornersOfTheQuestion) {
  // A body in the air falls; without friction nothing holds sideways; without weight everything or nothing holds.
  model::Scene scene = cube_scene();
  scene.bodies[1].X_WB = math::Pose::translation({0, 0, 1});
  EXPECT_EQ(LinearLimit(build_contact_system(scene)).at_rest(), AnswerStatus::unstable);

  const model::Scene ice = cube_scene({0.1, 0.5, 0.0});
  const ContactSystem slippery = build_contact_system(ice);
  LinearLimit limit(slippery);
  ASSERT_EQ(limit.at_rest(), AnswerStatus::ok);
  const Load sideways = push_load(ice, slippery, {model::BodyIndex(1), {0, 0, 0.05}, Vector3d::UnitX()});
  for (const LinearAnswer& answer :
       {limit.ask_warm(sideways), limit.ask_cold(sideways), limit.ask_printed(sideways)}) {
    EXPECT_EQ(answer.status, AnswerStatus::ok);
    EXPECT_NEAR(answer.limit, 0.0, 1e-9);
  }

  model::Scene weightless = cube_scene();
  weightless.gravity_W.setZero();
  const ContactSystem floating = build_contact_system(weightless);
  LinearLimit free(floating);
  EXPECT_TRUE(
      free.ask_warm(push_load(weightless, floating, {model::BodyIndex(1), {0, 0, 0.1}, -Vector3d::UnitZ()}))
          .unbounded);
  EXPECT_NEAR(
      free.ask_warm(push_load(weightless, floating, {model::BodyIndex(1), {0, 0, 0.1}, Vector3d::UnitZ()}))
          .limit,
      0.0, 1e-9);

  // A thousand to one: the light cube on top decides for itself, the heavy one below carries it.
  model::Scene uneven = cube_stack_scene(2);
  uneven.bodies[2].inertia.mass = 5e-4;
  const ContactSystem light = build_contact_system(uneven);
  LinearLimit light_limit(light);
  const Load push = push_load(uneven, light, {model::BodyIndex(2), {0, 0, 0.1}, Vector3d(1, 1, 0)});
  EXPECT_NEAR(light_limit.ask_warm(push).limit / (0.7 * 5e-4 * 9.81 * std::cos(std::numbers::pi / 8)), 1.0,
              1e-6);
}

TEST(LinearLimit, BadOptionsAreNamed) {
  const ContactSystem system = build_contact_system(cube_scene());
  try {
    LinearLimit(system, {2, 1e6});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "LinearLimitOptions::sides is 2; it must be finite and at least 3");
  }
  LinearLimit limit(system);
  EXPECT_THROW(limit.ask_warm({{NodeIndex(0), math::Vector6d::Zero()}}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
