#include <memory>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <prehend/assist/robot/robot_state.h>
#include <prehend/assist/world/simulated_robot.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

Freedoms random_freedoms(math::RandomStream& random, int n, double size) {
  Freedoms x(n);
  for (int i = 0; i < n; ++i) x[i] = random.uniform(-size, size);
  return x;
}

TEST(RobotState, TheBuiltInRobotIsWhatItSaysItIs) {
  const RobotModel robot = built_in_robot();
  EXPECT_EQ(robot.joint_count(), 17);
  EXPECT_NEAR(robot.mass(), 28.0, 0.05);
  RobotState state(robot);
  double top = 0.0;
  for (const RobotCapsule& capsule : robot.capsules) top = std::max(top, state.point(capsule.segment, capsule.b_S).z() + capsule.radius);
  EXPECT_NEAR(top, 1.2, 0.02);
}

// MuJoCo computes the same mass matrix and bias forces by another way (in body coordinates, about the tree's centre of mass).
TEST(RobotState, DynamicsAgreeWithTheEngine) {
  const RobotModel robot = built_in_robot();
  const int n = robot.freedoms();
  ServoGains gains{Freedoms::Zero(n), Freedoms::Zero(n), Freedoms::Zero(n)};
  const std::string xml = robot_mjcf(robot, gains, std::vector<double>(robot.segments.size(), 1.0), 0.001);
  char error[500] = "";
  const std::unique_ptr<mjSpec, void (*)(mjSpec*)> spec(mj_parseXMLString(xml.c_str(), nullptr, error, sizeof error), mj_deleteSpec);
  ASSERT_TRUE(spec) << error;
  const std::unique_ptr<mjModel, void (*)(mjModel*)> m(mj_compile(spec.get(), nullptr), mj_deleteModel);
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m.get()), mj_deleteData);
  std::vector<int> address;
  for (int i = 0; i < n; ++i) {
    const std::string name = i < 3 ? "b" + std::to_string(i) : "j" + std::to_string(i - 3);
    address.push_back(m->jnt_dofadr[mj_name2id(m.get(), mjOBJ_JOINT, name.c_str())]);
    m->dof_damping[address.back()] = 0.0;
  }
  math::RandomStream random(4, 0);
  RobotState state(robot);
  for (int trial = 0; trial < 20; ++trial) {
    const Freedoms q = random_freedoms(random, n, 1.5), v = random_freedoms(random, n, 2.0);
    for (int i = 0; i < n; ++i) d->qpos[address[static_cast<std::size_t>(i)]] = q[i], d->qvel[address[static_cast<std::size_t>(i)]] = v[i];
    mj_forward(m.get(), d.get());
    std::vector<mjtNum> full(static_cast<std::size_t>(m->nv * m->nv));
    mj_fullM(m.get(), d.get(), full.data());
    state.set(q, v);
    state.compute_dynamics();
    for (int i = 0; i < n; ++i) {
      const int a = address[static_cast<std::size_t>(i)];
      EXPECT_NEAR(state.bias()[i], d->qfrc_bias[a], 1e-4) << i;  // the engine's inertias have 1e-6 kg m^2 more
      for (int j = 0; j < n; ++j)
        EXPECT_NEAR(state.mass_matrix()(i, j), full[static_cast<std::size_t>(a * m->nv + address[static_cast<std::size_t>(j)])], 2e-5);
    }
    const int hand = robot.find_joint("left_wrist_yaw") + 1;
    const int body = mj_name2id(m.get(), mjOBJ_BODY, ("s" + std::to_string(hand)).c_str());
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(state.p(hand)[k], d->xpos[3 * body + k], 1e-9);
  }
}

TEST(RobotState, JacobiansAndBiasesAreDerivatives) {
  const RobotModel robot = built_in_robot();
  const int n = robot.freedoms(), hand = robot.find_joint("right_wrist_yaw") + 1;
  math::RandomStream random(5, 0);
  const Freedoms q = random_freedoms(random, n, 1.2), v = random_freedoms(random, n, 1.0);
  const Eigen::Vector3d p_S(0.06, 0.01, 0.02);
  RobotState state(robot);
  const double h = 1e-5;
  const auto at = [&](double t) {
    state.set(q + t * v, v);
    return state.point(hand, p_S);
  };
  const Eigen::Vector3d later = at(h), former = at(-h), now = at(0.0);
  const Eigen::Vector3d rate = (later - former) / (2.0 * h), bend = (later - 2.0 * now + former) / (h * h);
  state.set(q, v);
  PointJacobian J;
  state.point_jacobian(hand, now, J);
  EXPECT_LT((J * v - rate).norm(), 1e-8);
  EXPECT_LT((state.point_velocity(hand, now) - rate).norm(), 1e-8);
  EXPECT_LT((state.point_bias(hand, now) - bend).norm(), 1e-4);
  // The centre of mass likewise, and the floor's force is the rate of momentum.
  const auto com = [&](double t) {
    state.set(q + t * v, v);
    state.compute_dynamics();
    return state.com();
  };
  const Eigen::Vector3d c1 = com(h), c0 = com(-h), c = com(0.0);
  state.com_jacobian(J);
  EXPECT_LT((J * v - (c1 - c0) / (2.0 * h)).norm(), 1e-8);
  EXPECT_LT((state.com_bias() - (c1 - 2.0 * c + c0) / (h * h)).norm(), 1e-4);
}

}  // namespace
}  // namespace prehend::assist
