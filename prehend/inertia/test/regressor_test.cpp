#include <vector>

#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/regressor.h>
#include <prehend/math/random.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

Motion random_motion(math::RandomStream& random) {
  return {random.normal3(), random.normal3(), random.normal3()};
}

TEST(Regressor, HeldStillItIsTheWeight) {
  // 2 kg, 0.1 m along x; gravity along -z: the sensor pushes up and turns about -y.
  const math::SpatialInertia body = math::SpatialInertia::point_mass(2.0, {0.1, 0.0, 0.0});
  const Motion still{.a = {0, 0, 9.81}};
  math::Vector6d expected;
  expected << 0, -2.0 * 0.1 * 9.81, 0, 0, 0, 2.0 * 9.81;
  EXPECT_LT((wrench_of(body, still) - expected).norm(), 1e-14);
}

TEST(Regressor, ASwungMassPullsInwards) {
  const math::SpatialInertia body = math::SpatialInertia::point_mass(2.0, {0.5, 0.0, 0.0});
  const math::Vector6d wrench = wrench_of(body, {.w = {0, 0, 3.0}});
  EXPECT_NEAR(wrench[3], -2.0 * 9.0 * 0.5, 1e-14);  // m w^2 r
  EXPECT_LT(wrench.head<3>().norm(), 1e-14);
}

TEST(Regressor, EqualsTheWrenchOfTheBody) {
  math::RandomStream random(3);
  for (int i = 0; i < 50; ++i) {
    const math::SpatialInertia body = test::some_body(random.uniform(0.1, 5.0), random.uniform(0.01, 2.0));
    const Motion motion = random_motion(random);
    const math::Vector6d direct = wrench_of(body, motion);
    EXPECT_LT((wrench_regressor(motion) * body.parameters() - direct).norm(), 1e-13 * (1.0 + direct.norm()));
  }
}

TEST(Regressor, ABodyIsTheSumOfItsPoints) {
  math::RandomStream random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Motion motion = random_motion(random);
    math::SpatialInertia body;
    math::Vector6d sum = math::Vector6d::Zero();
    for (int k = 0; k < 12; ++k) {
      const double mass = random.uniform(0.1, 1.0);
      const Vector3d p = random.normal3();
      body = body + math::SpatialInertia::point_mass(mass, p);
      // Newton for the point alone.
      const Vector3d force = mass * (motion.a + motion.al.cross(p) + motion.w.cross(motion.w.cross(p)));
      sum.head<3>() += p.cross(force);
      sum.tail<3>() += force;
    }
    EXPECT_LT((wrench_of(body, motion) - sum).norm(), 1e-12 * sum.norm());
  }
}

// The wrench about the moving origin is the rate of momentum in the world, found here by central differences along a motion
// that is known in closed form.
TEST(Regressor, IsTheRateOfMomentum) {
  const math::SpatialInertia body = test::some_body();
  const Vector3d gravity(0.3, -2.0, -9.0);
  const auto R_at = [](double t) {
    return (math::exp_so3(Vector3d(0.4 * t, 0.9 * t * t, 0)) * math::exp_so3(Vector3d(0, 0.2, 1.3 * t)))
        .toRotationMatrix();
  };
  const auto p_at = [](double t) { return Vector3d(std::sin(t), t * t, std::cos(2 * t)); };
  const double t = 0.37, h = 1e-4;
  const auto rate = [h](const auto& f, double at) { return ((f(at + h) - f(at - h)) / (2 * h)).eval(); };
  const auto w_at = [&](double at) {
    const Eigen::Matrix3d dR = rate(R_at, at);
    return Vector3d(math::vee(dR * R_at(at).transpose()));
  };
  const auto v_at = [&](double at) { return Vector3d(rate(p_at, at)); };
  const auto momentum = [&](double at) {
    const Vector3d c = R_at(at) * body.com;
    return Vector3d(body.mass * (v_at(at) + w_at(at).cross(c)));
  };
  const auto angular_about_world = [&](double at) {
    const Eigen::Matrix3d R = R_at(at);
    const Vector3d c = p_at(at) + R * body.com;
    return Vector3d(c.cross(momentum(at)) + R * body.I_com * R.transpose() * w_at(at));
  };
  const Vector3d force = rate(momentum, t) - body.mass * gravity;
  const Vector3d weight_arm = p_at(t) + R_at(t) * body.com;
  const Vector3d torque_world = rate(angular_about_world, t) - weight_arm.cross(body.mass * gravity);
  const Eigen::Matrix3d R_SW = R_at(t).transpose();
  const Motion motion{.a = R_SW * (rate(v_at, t) - gravity), .w = R_SW * w_at(t), .al = R_SW * rate(w_at, t)};
  const math::Vector6d wrench = wrench_regressor(motion) * body.parameters();
  EXPECT_LT((wrench.tail<3>() - R_SW * force).norm(), 1e-6 * force.norm());
  EXPECT_LT((wrench.head<3>() - R_SW * (torque_world - p_at(t).cross(force))).norm(),
            1e-6 * torque_world.norm());
}

}  // namespace
}  // namespace prehend::inertia
