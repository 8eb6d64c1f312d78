#include <cstdlib>

#include <gtest/gtest.h>

#include <prehend/assist/control/core.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

Freedoms random_posture(const RobotModel& robot, math::RandomStream& random) {
  Freedoms q = Freedoms::Zero(robot.freedoms());
  for (int i = 0; i < robot.freedoms(); ++i)
    q[i] = i < kBaseFreedoms ? random.uniform(-3.0, 3.0) : random.uniform(robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)].lower, robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)].upper);
  return q;
}

// A joint braked period by period stops exactly there.
TEST(StoppingReserve, TheStoppingDistanceIsThatOfBrakingTickByTick) {
  const double D = 5.0, T = 0.012;
  for (double start : {0.0, 0.001, 0.05, 0.06, 0.0601, 0.3, 0.777, 0.9}) {
    double v = start, way = 0.0;
    while (v > 0.0) {
      const double next = std::max(0.0, v - D * T);
      way += 0.5 * (v + next) * T;
      v = next;
    }
    EXPECT_NEAR(StoppingReserve::stopping_distance(start, D, T), way, 1e-12) << start;
    EXPECT_EQ(StoppingReserve::stopping_distance(-start, D, T), StoppingReserve::stopping_distance(start, D, T));
  }
}

// [m] Of the pressure point inside the wheels' least edge beyond the margin, times vertical force over weight: what a tipping row bounds.
double tipping_slack(const RobotState& state, const Freedoms& a, const std::vector<Eigen::Vector2d>& support) {
  const Eigen::Matrix<double, 6, 1> rate = state.momentum_rows() * a;
  const Eigen::Vector3d m = rate.head<3>() + state.floor_bias().w, f = rate.tail<3>() + state.floor_bias().v;
  const Eigen::Vector3d p_B = state.R(0).transpose() * (Eigen::Vector3d(-m.y() / f.z(), m.x() / f.z(), 0.0) - state.p(0));
  double least = 1e3;
  for (std::size_t k = 0; k < support.size(); ++k) {
    const Eigen::Vector2d along = (support[(k + 1) % support.size()] - support[k]).normalized(), off = p_B.head<2>() - support[k];
    least = std::min(least, along.x() * off.y() - along.y() * off.x() - 0.02);
  }
  return least * f.z() / (state.robot().mass() * 9.81);
}

// Room is a lower bound: what the equations of motion say of full braking is never worse; and braking never reduces it. Postures over all joint ranges, speeds to the limits. Returns in how
// many states room is left.
int check_room(const RobotModel& robot, const WholeBody::Setup& setup, std::uint64_t seed, int states) {
  WholeBody body(robot, setup);
  RobotState state(robot);
  const int n = robot.freedoms();
  const double T = setup.period;
  math::RandomStream random(seed, 0);
  int left = 0;
  for (int k = 0; k < states; ++k) {
    const double share = random.uniform(), pace = random.uniform();
    const Freedoms q = setup.upright + share * (random_posture(robot, random) - setup.upright);
    Freedoms v(n);
    for (int i = 0; i < n; ++i) v[i] = pace * random.uniform(-1.0, 1.0) * body.speed_limit(i);
    state.set(q, v);
    state.compute_dynamics();
    const StoppingReserve::Room room = body.reserve().room(state, v);
    const Freedoms a = body.braking(v), tau = state.mass_matrix() * a + state.bias();
    for (int i = kBaseFreedoms; i < n; ++i)
      EXPECT_LE(room.torque, 0.85 - std::abs(tau[i]) / robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)].effort + 1e-12) << "state " << k << " joint " << i;
    EXPECT_LE(room.tipping, tipping_slack(state, a, setup.base.support) + 1e-12) << "state " << k;
    left += room.holds();
    state.set(q + T * v + 0.5 * T * T * a, Freedoms::Zero(n));
    const StoppingReserve::Room after = body.reserve().room(state, v + T * a);
    EXPECT_GE(after.torque, room.torque - 1e-12) << "state " << k;
    EXPECT_GE(after.tipping, room.tipping - 1e-12) << "state " << k;
    EXPECT_GE(after.distance, room.distance - 1e-12) << "state " << k;
    if (testing::Test::HasFailure()) break;
  }
  return left;
}

// Full braking carried out tick by tick never comes nearer to a thing beside the robot than was proved, and it does come nearer than at the start.
TEST(StoppingReserve, DistancesProvedForBrakingAreKept) {
  const RobotSetup setup = setup_robot(default_scenario());
  const WholeBody body(setup.robot, setup.whole_body);
  RobotState state(setup.robot), scratch(setup.robot);
  const int n = setup.robot.freedoms();
  const double T = setup.whole_body.period;
  math::RandomStream random(14, 0);
  int closer = 0, tight = 0;
  for (int k = 0; k < 600; ++k) {
    Freedoms q = setup.whole_body.upright + 0.7 * (random_posture(setup.robot, random) - setup.whole_body.upright), v(n);
    for (int i = 0; i < n; ++i) v[i] = random.uniform(-1.0, 1.0) * body.speed_limit(i);
    state.set(q, Freedoms::Zero(n));
    const int c = static_cast<int>(random.uniform() * static_cast<double>(setup.robot.capsules.size()));
    const RobotCapsule& own = setup.robot.capsules[static_cast<std::size_t>(c)];
    const Eigen::Vector3d beside = state.point(own.segment, own.a_S) + 0.25 * random.normal3();
    const StoppingReserve::Near near{c, {beside, beside + 0.1 * random.normal3(), 0.04}, k % 2 == 0 ? 0.0 : 0.03};
    const auto distance = [&](const RobotState& at) { return capsule_gap({at.point(own.segment, own.a_S), at.point(own.segment, own.b_S), own.radius}, near.other).distance; };
    const StoppingReserve::GapRoom room = body.reserve().gap_room(state, v, {&near, 1}, 10.0, scratch);
    const double start = distance(state);
    double least = start;
    for (int tick = 0; tick < 100 && v.cwiseAbs().maxCoeff() > 1e-12; ++tick) {
      const Freedoms a = body.braking(v);
      q += T * v + 0.5 * T * T * a, v += T * a;
      state.set(q, Freedoms::Zero(n));
      least = std::min(least, distance(state));
    }
    ASSERT_LE(room.proved, least + near.nearer + 1e-9) << k;
    ASSERT_GE(room.seen, least + near.nearer - 1e-9) << k;
    closer += least < start - 0.005;
    tight += room.proved > least + near.nearer - 0.03;
  }
  EXPECT_GT(closer, 100);  // the sample does approach
  EXPECT_GT(tight, 500);  // a bound that says little would stop the robot for nothing
}

TEST(StoppingReserve, RoomIsALowerBoundAndBrakingNeverReducesIt) {
  const RobotSetup setup = setup_robot(default_scenario());
  const int states = std::getenv("PREHEND_SLOW") != nullptr ? 200000 : 3000;
  EXPECT_GT(check_room(setup.robot, setup.whole_body, std::getenv("PREHEND_SEED") ? std::strtoull(std::getenv("PREHEND_SEED"), nullptr, 10) : 12, states), states / 50);
}

// A lift with an arm that slides out and turns: straight and turning freedoms above and below each other.
TEST(StoppingReserve, RoomIsALowerBoundForARobotThatSlides) {
  const auto link = [](const std::string& name, const std::string& at, double mass) {
    return "<link name='" + name + "'><inertial><origin xyz='" + at + "'/><mass value='" + std::to_string(mass) +
           "'/><inertia ixx='0.02' iyy='0.05' izz='0.04' ixy='0.003' ixz='0' iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& links, const std::string& rest) {
    return "<joint name='" + name + "' type='" + type + "'>" + links + rest + "</joint>";
  };
  const std::string urdf = "<robot name='lift'>" + link("base_link", "0 0 0.1", 20) + link("mast", "0.02 0 0.3", 6) + link("shoulder", "0.05 0.01 0", 2) + link("slide", "0.1 0 0.02", 1.5) +
      link("hand", "0.1 -0.02 0", 1) +
      joint("lift", "prismatic", "<parent link='base_link'/><child link='mast'/>", "<origin xyz='0 0 0.3'/><axis xyz='0 0 1'/><limit lower='0' upper='0.4' effort='300' velocity='0.3'/>") +
      joint("yaw", "revolute", "<parent link='mast'/><child link='shoulder'/>", "<origin xyz='0.05 0 0.5'/><axis xyz='0 0.6 0.8'/><limit lower='-1.5' upper='1.5' effort='60' velocity='2'/>") +
      joint("out", "prismatic", "<parent link='shoulder'/><child link='slide'/>", "<origin xyz='0.1 0 0' rpy='0 0.4 0'/><axis xyz='1 0 0'/><limit lower='-0.1' upper='0.3' effort='80' velocity='0.4'/>") +
      joint("wrist", "revolute", "<parent link='slide'/><child link='hand'/>", "<origin xyz='0.2 0 0'/><axis xyz='0 1 0'/><limit lower='-2' upper='2' effort='20' velocity='3'/>") + "</robot>";
  const RobotModel robot = robot_from_text(urdf, "lift.urdf");
  WholeBody::Setup setup;
  setup.upright = Freedoms::Zero(robot.freedoms());
  setup.base.support = {{0.3, -0.25}, {0.3, 0.25}, {-0.3, 0.2}, {-0.3, -0.2}};
  EXPECT_GT(check_room(robot, setup, 13, 3000), 300);
}

}  // namespace
}  // namespace prehend::assist
