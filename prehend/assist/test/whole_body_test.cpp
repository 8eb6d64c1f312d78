#include <gtest/gtest.h>

#include <prehend/assist/control/core.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

// [m] Least distance of the floor's pressure point from the edges of the wheels' polygon, from the whole momentum's rate.
double tipping_room(const RobotState& state, const Freedoms& a, const std::vector<Eigen::Vector2d>& support) {
  const Eigen::Matrix<double, 6, 1> rate = state.momentum_rows() * a;
  const Eigen::Vector3d m = rate.head<3>() + state.floor_bias().w, f = rate.tail<3>() + state.floor_bias().v;
  const Eigen::Vector3d p(-m.y() / f.z(), m.x() / f.z(), 0.0), p_B = state.R(0).transpose() * (p - state.p(0));
  double room = 1e9;
  for (std::size_t k = 0; k < support.size(); ++k) {
    const Eigen::Vector2d corner = support[k], along = (support[(k + 1) % support.size()] - corner).normalized();
    room = std::min(room, along.x() * (p_B.y() - corner.y()) - along.y() * (p_B.x() - corner.x()));
  }
  return room;
}

// Random tasks drive every joint into its ends, the base to its speed, the hands into the chest: whatever is asked, full braking satisfies every hard
// row in every tick, so the program always has a solution, and no limit is broken.
TEST(WholeBody, BrakingAlwaysSatisfiesEveryHardRow) {
  const Scenario scenario = default_scenario();
  const RobotSetup setup = setup_robot(scenario);
  WholeBody body(setup.robot, setup.whole_body);
  const int n = setup.robot.freedoms();
  math::RandomStream random(3, 0);
  Freedoms q = setup.whole_body.upright, v = Freedoms::Zero(n);
  Tasks tasks;
  tasks.posture = q;
  tasks.posture_weight = Freedoms::Constant(n, 10.0);
  const Surroundings nobody{};
  double closest = 1.0, room = 1.0;
  for (int tick = 0; tick < 6000; ++tick) {
    if (tick % 120 == 0) {
      for (int i = 3; i < n; ++i) tasks.posture[i] = random.uniform(body.lower(i) - 0.5, body.upper(i) + 0.5);
      for (int i = 0; i < 3; ++i) tasks.base_goal[i] = random.uniform(-2.0, 2.0);
      tasks.posture_stiffness = random.uniform(1.0, 60.0);
      tasks.com_weight = tick % 240 == 0 ? 1e4 : 1.0;
    }
    ASSERT_EQ(body.solve(q, v, tasks, nobody, false), ProgramStatus::solved) << tick;
    const Freedoms a = body.acceleration();
    const Freedoms tau = body.state().mass_matrix() * a + body.state().bias();
    q += setup.whole_body.period * v + 0.5 * setup.whole_body.period * setup.whole_body.period * a;
    v += setup.whole_body.period * a;
    closest = std::min(closest, body.self_distance());
    room = std::min(room, tipping_room(body.state(), a, setup.whole_body.base.support));
    EXPECT_LE(std::hypot(v[0], v[1]), scenario.robot.speed_mps);
    EXPECT_LE(std::hypot(a[0], a[1]), scenario.robot.acceleration_mps2);
    for (int i = 3; i < n; ++i) {
      const RobotJoint& joint = setup.robot.joints[static_cast<std::size_t>(i - 3)];
      ASSERT_GE(q[i], joint.lower) << joint.name << " tick " << tick;
      ASSERT_LE(q[i], joint.upper) << joint.name << " tick " << tick;
      ASSERT_LE(std::abs(v[i]), joint.speed);
      ASSERT_LE(std::abs(tau[i]), joint.effort * (1.0 + 1e-6));
    }
  }
  EXPECT_EQ(body.widened().other, 0);   // positions, speeds, base: by construction
  EXPECT_EQ(body.widened().torque, 0);  // by the choice of the decelerations
  EXPECT_LT(body.widened().tipping, 24);  // one in a thousand; its rows keep a margin of 2 cm
  EXPECT_GT(room, 0.0);  // where a row was widened to what braking does, its margin is used, but the robot does not tip
  EXPECT_GT(closest, 0.0);
}

// A (3) as printed reads a yaw error at the right place as a shift; the composition that fits A (2) does not.
TEST(WholeBody, TheErrorOfTheSourceMixesTurnAndShift) {
  const math::Pose X_CB = math::Pose(Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitY())), {0.1, 1.1, 0.5});
  const math::Pose turn = math::Pose::rotation(Eigen::Quaterniond(Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitZ())));
  const math::Pose X_CG = X_CB * turn;  // the goal: the same place, turned
  const math::Pose printed = X_CB * X_CG.inverse(), right = X_CG.inverse() * X_CB;
  EXPECT_LT(right.p().norm(), 1e-12);
  EXPECT_GT(printed.p().norm(), 0.1);
}

}  // namespace
}  // namespace prehend::assist
