#include <stdexcept>

#include <gtest/gtest.h>

#include "sample_maker.h"
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/payload.h>

namespace prehend::inertia {
namespace {

TEST(Payload, AtRestItIsTheWeightAtTheCentreOfMass) {
  const math::SpatialInertia load = test::some_body();
  const math::Pose X_WS(Eigen::Quaterniond(0.4, 0.5, -0.6, 0.2).normalized(), Eigen::Vector3d(1, 2, 3));
  const Eigen::Vector3d gravity(0, 0, -9.81);
  const math::Vector6d wrench = payload_wrench(load, X_WS, gravity);
  const Eigen::Vector3d force_W = X_WS.R() * wrench.tail<3>(), torque_W = X_WS.R() * wrench.head<3>();
  EXPECT_LT((force_W - Eigen::Vector3d(0, 0, 0.7 * 9.81)).norm(), 1e-13);
  EXPECT_LT((torque_W - (X_WS.R() * load.com).cross(force_W)).norm(), 1e-13);
}

TEST(Payload, InFreeFallThereIsNone) {
  const Eigen::Vector3d gravity(0, 0, -9.81);
  EXPECT_LT(payload_wrench(test::some_body(), math::Pose(), gravity, {.a_W = gravity}).norm(), 1e-14);
}

TEST(Payload, MovingItIsTheWrenchOfTheBody) {
  const math::SpatialInertia load = test::some_body();
  const math::Pose X_WS(Eigen::Quaterniond(0.4, 0.5, -0.6, 0.2).normalized(), Eigen::Vector3d(1, 2, 3));
  const SensorMotion motion{.w_W = {1, 2, 3}, .a_W = {0.1, 0.2, 0.3}, .al_W = {-1, 0, 1}};
  const Eigen::Matrix3d R_SW = X_WS.R().transpose();
  const Eigen::Vector3d gravity(0, 1, -9.0);
  const Motion in_S{R_SW * (motion.a_W - gravity), R_SW * motion.w_W, R_SW * motion.al_W};
  EXPECT_LT((payload_wrench(load, X_WS, gravity, motion) - wrench_regressor(in_S) * load.parameters()).norm(),
            1e-12);
}

TEST(Payload, TheToolCanBeTakenAway) {
  const math::SpatialInertia object = test::some_body(),
                             tool = math::SpatialInertia::solid_cylinder(0.4, 0.03, 0.1);
  Samples both = test::make_samples(object + tool, 30, 1.0, 2);
  both.noise = SampleNoise{.a = 0.1, .w = 0.0, .al = 0.0, .force = 0.03, .torque = 0.01};
  const Samples alone = without_tool(both, tool);
  const Estimate found = least_squares(alone.samples);
  EXPECT_LT((found.inertia_S.parameters() - object.parameters()).norm(), 1e-12);
  EXPECT_NEAR(alone.noise->force, 0.05, 1e-12);  // 0.03 N and 0.4 kg times 0.1 m/s^2
  EXPECT_THROW(without_tool(both, math::SpatialInertia{.mass = -1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::inertia
