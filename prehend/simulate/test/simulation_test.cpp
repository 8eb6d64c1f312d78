#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include <prehend/simulate/simulation.h>
#include <prehend/simulate/test/test_scenes.h>

namespace prehend::simulate {
namespace {

using model::BodyIndex;
using model::JointIndex;
using model::Scene;

TEST(Simulation, FreeFallFollowsTheParabola) {
  Scene scene;
  const BodyIndex box = add_box(scene, "box", 2.0, {0.1, 0.2, 0.3}, math::Pose::translation({1, 2, 3}));
  Simulation simulation(scene);
  simulation.set_velocity(box, {{0, 0, 0}, {0.5, 0, 0}});
  simulation.run(1.0);
  const double t = simulation.time(), h = 0.001;
  EXPECT_NEAR(t, 1.0, 1e-9);
  // Semi-implicit Euler falls g t (t + h) / 2: the exact answer of the discrete scheme, and g t^2/2 up to h.
  EXPECT_NEAR(simulation.X_WB(box).p().z(), 3 - 9.81 * t * (t + h) / 2, 1e-9);
  EXPECT_NEAR(simulation.X_WB(box).p().x(), 1.5, 1e-9);
  EXPECT_NEAR(simulation.velocity(box).linear.z(), -9.81 * t, 1e-9);
}

TEST(Simulation, WhatThePhysicsLeavesOutIsNoted) {
  Scene scene;
  const BodyIndex box = add_box(scene, "box", 2.0, {0.1, 0.2, 0.3}, math::Pose());
  EXPECT_TRUE(Simulation(scene).notes().empty());
  scene.bodies[box].carried_mass = 2.0;
  scene.couplings.emplace_back().name = "rope";
  const Simulation simulation(scene);
  ASSERT_EQ(simulation.notes().size(), 1u);
  EXPECT_EQ(simulation.notes()[0],
            "the physics leaves out: couplings of joints and ropes, weight that is carried (gravcomp)");
}

TEST(Simulation, BlockOnASlopeSlidesOnlyAboveTheFrictionAngle) {
  const double friction = 0.5, critical = std::atan(friction);
  for (const double angle : {critical - 0.02, critical + 0.05}) {
    Scene scene;
    add_floor(scene, friction, tilted(angle));
    const BodyIndex box = add_box(scene, "box", 1.0, {0.2, 0.2, 0.1},
                                  tilted(angle) * math::Pose::translation({0, 0, 0.05}), friction);
    Simulation simulation(scene);
    simulation.run(0.2);  // contacts load up
    const double start = simulation.X_WB(box).p().norm();
    const double v0 = simulation.velocity(box).linear.norm();
    simulation.run(1.0);
    if (angle < critical) {
      EXPECT_LT(simulation.velocity(box).linear.norm(), 1e-3);
      EXPECT_LT(std::abs(simulation.X_WB(box).p().norm() - start), 1e-3);
    } else {
      // a = g (sin - mu cos), to 2 %: contacts are soft.
      const double a = 9.81 * (std::sin(angle) - friction * std::cos(angle));
      EXPECT_NEAR((simulation.velocity(box).linear.norm() - v0) / a, 1.0, 0.02);
    }
  }
}

Scene pendulum_scene(double length) {
  Scene scene;
  model::Body bob;
  bob.name = "bob";
  bob.inertia = math::SpatialInertia::solid_sphere(1.0, 0.01);
  bob.inertia.com = {0, 0, -length};
  scene.bodies.push_back(bob);
  model::Joint hinge;
  hinge.name = "hinge";
  hinge.type = model::JointType::revolute;
  hinge.parent = BodyIndex(0);
  hinge.child = BodyIndex(1);
  hinge.axis_C = Eigen::Vector3d::UnitY();
  scene.joints.push_back(hinge);
  return scene;
}

TEST(Simulation, PendulumHasTheRightPeriod) {
  const double length = 0.5, amplitude = 0.3;
  Simulation simulation(pendulum_scene(length));
  simulation.set_joint_state(JointIndex(0), amplitude);
  // Count the time of ten upward passages through zero.
  double first = 0, last = 0, previous = simulation.joint_state(JointIndex(0));
  int passages = 0;
  while (passages < 11) {
    simulation.step();
    const double now = simulation.joint_state(JointIndex(0));
    if (previous < 0 && now >= 0) {
      const double t = simulation.time() - 0.001 * now / (now - previous);
      (passages == 0 ? first : last) = t;
      ++passages;
    }
    previous = now;
  }
  // The complete elliptic integral by the arithmetic-geometric mean; I/(m l) replaces l for the extended bob.
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 6; ++i) {
    const double next = (a + b) / 2;
    b = std::sqrt(a * b);
    a = next;
  }
  const double reduced = length + 0.4 * 0.01 * 0.01 / length;
  EXPECT_NEAR((last - first) / 10, 2 * std::numbers::pi * std::sqrt(reduced / 9.81) / a, 2e-4);
}

TEST(Simulation, MomentumIsKeptWithoutForces) {
  Scene scene;
  scene.gravity_W.setZero();
  const BodyIndex a = add_box(scene, "a", 2.0, {0.1, 0.2, 0.3}, math::Pose::translation({0, 0, 0}));
  const BodyIndex b = add_box(scene, "b", 1.0, {0.2, 0.1, 0.1}, math::Pose::translation({1, 0.05, 0.02}));
  Simulation simulation(scene);
  simulation.set_velocity(a, {{0.1, 2.0, 0.3}, {1.0, 0, 0}});
  simulation.set_velocity(b, {{0, 0, -1}, {-1.0, 0.1, 0}});
  const math::Wrench before = simulation.momentum();
  EXPECT_NEAR(before.force.x(), 2.0 - 1.0, 1e-12);
  simulation.run(2.0);  // they collide on the way
  const math::Wrench after = simulation.momentum();
  EXPECT_LT((after.force - before.force).norm(), 1e-9);
  EXPECT_LT((after.moment - before.moment).norm(), 5e-3);  // first order in the time step
}

TEST(Simulation, RestingBoxIsCarriedByContactsThatSumToItsWeight) {
  Scene scene;
  add_floor(scene);
  const BodyIndex box = add_box(scene, "box", 3.0, {0.2, 0.2, 0.2}, math::Pose::translation({0, 0, 0.1}));
  Simulation simulation(scene);
  simulation.run(1.0);
  const auto contacts = simulation.contacts();
  ASSERT_EQ(contacts.size(), 4u);
  for (const SimulatedContact& contact : contacts) {
    const double sign = contact.b.body == box ? 1.0 : -1.0;
    EXPECT_NEAR(sign * contact.n_W.z(), 1.0, 1e-6);
    EXPECT_NEAR(sign * contact.f_W.z(), 3.0 * 9.81 / 4, 0.01);
    EXPECT_LT(std::abs(contact.gap), 1e-3);
  }
  const math::Wrench sum = simulation.contact_wrench(box);
  EXPECT_NEAR(sum.force.z(), 3.0 * 9.81, 0.01);
  EXPECT_LT(sum.moment.norm(), 0.01);
}

TEST(Simulation, ForceTorqueSensorFeelsTheHangingWeight) {
  Scene scene = pendulum_scene(0.4);
  Simulation simulation(scene);
  simulation.set_joint_state(JointIndex(0), std::numbers::pi / 2);
  // Held level by the joint's own torque: the parent carries m g and the moment m g l about y.
  simulation.set_joint_force(JointIndex(0), 0.0);
  const math::Wrench falling = simulation.parent_wrench(BodyIndex(1));
  EXPECT_NEAR(falling.moment.y(), 0.0, 1e-9);  // a hinge transmits no moment about its axis
  EXPECT_LT(falling.force.z(), 0.01 * 9.81);   // released, it falls freely but for the bob's size
  Simulation still(scene);
  EXPECT_NEAR(still.parent_wrench(BodyIndex(1)).force.z(), 9.81, 1e-9);
}

TEST(Simulation, WrenchesPushWhereTheyAreApplied) {
  Scene scene;
  scene.gravity_W.setZero();
  const BodyIndex box = add_box(scene, "box", 2.0, {0.2, 0.2, 0.2}, {});
  Simulation simulation(scene);
  simulation.apply_wrench(box, {{0, 0, 0}, {4, 0, 0}}, {0, 0.1, 0});
  simulation.step();
  const math::Twist V = simulation.velocity(box);
  const double I = 2.0 / 12 * (0.04 + 0.04);
  EXPECT_NEAR(V.linear.x(), 4.0 / 2 * 0.001, 1e-12);
  EXPECT_NEAR(V.angular.z(), -0.4 / I * 0.001, 1e-9);
  simulation.clear_wrenches();
  const double v = simulation.velocity(box).linear.x();
  simulation.run(0.1);
  EXPECT_NEAR(simulation.velocity(box).linear.x(), v, 1e-12);
}

TEST(Simulation, SnapshotsAndReadingsDoNotChangeTheFuture) {
  Scene scene;
  add_floor(scene);
  const BodyIndex a = add_box(scene, "a", 1.0, {0.2, 0.2, 0.2}, math::Pose::translation({0, 0, 0.3}));
  add_box(scene, "b", 1.0, {0.2, 0.2, 0.2}, math::Pose::translation({0.07, 0.03, 0.6}));
  Simulation plain(scene), watched(scene);
  plain.run(0.4);
  for (int i = 0; i < 400; ++i) {
    watched.step();
    watched.contacts();
    watched.X_WB(a);
  }
  EXPECT_EQ(plain.snapshot().numbers, watched.snapshot().numbers);
  const Simulation::Snapshot middle = plain.snapshot();
  plain.run(0.5);
  const auto end = plain.snapshot().numbers;
  plain.restore(middle);
  plain.run(0.5);
  EXPECT_EQ(plain.snapshot().numbers, end);
}

TEST(Simulation, ScrewJointAdvancesWithItsAngle) {
  Scene scene = pendulum_scene(0.2);
  scene.joints[0].type = model::JointType::screw;
  scene.joints[0].pitch = 0.01;
  scene.joints[0].axis_C = -Eigen::Vector3d::UnitX();
  scene.gravity_W.setZero();
  Simulation simulation(scene);
  simulation.set_joint_state(JointIndex(0), 0.0, 2.0);
  simulation.run(0.5);
  EXPECT_NEAR(simulation.joint_state(JointIndex(0)), 1.0, 0.02);
  EXPECT_NEAR(simulation.X_WB(BodyIndex(1)).p().x(), -0.01 * simulation.joint_state(JointIndex(0)), 2e-5);
}

TEST(Simulation, ExplosionNamesBodyAndTime) {
  Scene scene;
  const BodyIndex box = add_box(scene, "firework", 1e-3, {0.1, 0.1, 0.1}, {});
  Simulation simulation(scene);
  simulation.apply_wrench(box, {{0, 0, 0}, {1e12, 0, 0}}, {0, 0, 0});
  try {
    simulation.run(1.0);
    FAIL() << "no explosion";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("body 'firework' leaves the finite world"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST(Simulation, WhatTheEngineRefusesIsExplained) {
  Scene scene;
  add_box(scene, "ghost", 0.0, {0.1, 0.1, 0.1}, {});
  try {
    Simulation simulation(scene);
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("body 'ghost'"), std::string::npos) << error.what();
  }
  SimulationOptions options;
  options.timestep = -1;
  try {
    Simulation simulation(Scene{}, options);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "SimulationOptions::timestep is -1 s; it must be finite and above 0 s");
  }
}

}  // namespace
}  // namespace prehend::simulate
