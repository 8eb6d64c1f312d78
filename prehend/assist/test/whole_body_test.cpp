#include <cstdlib>

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

struct Hardest {
  double torque{0.0}, room{1.0}, distance{1.0}, position{1.0};  // share of the effort, [m] of the pressure point, [m] between own parts, [rad] to an end
};

// What the motors, the floor and the own parts see for one acceleration, from the equations of motion alone.
void look_at(Hardest& hardest, const WholeBody& body, const RobotSetup& setup, const Freedoms& a) {
  const Freedoms tau = body.state().mass_matrix() * a + body.state().bias();
  for (int i = kBaseFreedoms; i < setup.robot.freedoms(); ++i) {
    const RobotJoint& joint = setup.robot.joints[static_cast<std::size_t>(i - kBaseFreedoms)];
    hardest.torque = std::max(hardest.torque, std::abs(tau[i]) / joint.effort);
    hardest.position = std::min({hardest.position, body.state().q()[i] - joint.lower, joint.upper - body.state().q()[i]});
  }
  hardest.room = std::min(hardest.room, tipping_room(body.state(), a, setup.whole_body.base.support));
  for (const WholeBody::Pair& pair : body.pairs()) hardest.distance = std::min(hardest.distance, capsule_gap(body.capsule_W(pair.a), body.capsule_W(pair.b)).distance);
}

int slow_times(int count) { return std::getenv("PREHEND_SLOW") != nullptr ? 100 * count : count; }
std::uint64_t test_seed(std::uint64_t otherwise) {
  const char* given = std::getenv("PREHEND_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

void random_tasks(Tasks& tasks, const WholeBody& body, math::RandomStream& random) {
  const int n = static_cast<int>(tasks.posture.size());
  for (int i = 3; i < n; ++i) tasks.posture[i] = random.uniform(body.lower(i) - 0.5, body.upper(i) + 0.5);
  for (int i = 0; i < 3; ++i) tasks.base_goal[i] = random.uniform(-2.0, 2.0);
  tasks.posture_stiffness = random.uniform(1.0, 60.0);
  tasks.com_weight = random.uniform() < 0.5 ? 1e4 : 1.0;
  tasks.base_weight = random.uniform() < 0.5 ? 1e4 : 1.0;
}

// Random tasks drive every joint into its ends, the base to its speed, the hands into the chest and the centre of mass out of the wheels: whatever is asked, full braking satisfies every hard
// row in every tick, and now and then it is carried out to rest on a copy, where it must keep every limit in every tick.
TEST(WholeBody, BrakingAlwaysSatisfiesEveryHardRow) {
  const Scenario scenario = default_scenario();
  const RobotSetup setup = setup_robot(scenario);
  WholeBody body(setup.robot, setup.whole_body), copy(setup.robot, setup.whole_body);
  const int n = setup.robot.freedoms();
  const double period = setup.whole_body.period;
  math::RandomStream random(test_seed(3), 0);
  Freedoms q = setup.whole_body.upright, v = Freedoms::Zero(n);
  Tasks tasks, stop;
  tasks.posture = stop.posture = q;
  tasks.posture_weight = stop.posture_weight = Freedoms::Constant(n, 10.0);
  const Surroundings nobody{};
  Hardest moving, braking;
  const auto advance = [&](Freedoms& q_next, Freedoms& v_next, const Freedoms& a) {
    q_next += period * v_next + 0.5 * period * period * a;
    v_next += period * a;
  };
  for (int tick = 0; tick < slow_times(1600); ++tick) {
    if (tick % 120 == 0) random_tasks(tasks, body, random);
    ASSERT_EQ(body.solve(q, v, tasks, nobody, false), ProgramStatus::solved) << tick;
    const Freedoms a = body.acceleration();
    look_at(moving, body, setup, a);
    advance(q, v, a);
    ASSERT_LE(std::hypot(v[0], v[1]), scenario.robot.speed_mps);
    ASSERT_LE(std::hypot(a[0], a[1]), scenario.robot.acceleration_mps2);
    for (int i = 3; i < n; ++i) ASSERT_LE(std::abs(v[i]), setup.robot.joints[static_cast<std::size_t>(i - 3)].speed);
    if (tick % 40 != 39) continue;
    Freedoms q_stop = q, v_stop = v;
    for (int k = 0; k < 100 && v_stop.cwiseAbs().maxCoeff() > 1e-12; ++k) {
      copy.solve(q_stop, v_stop, stop, nobody, false);  // for its rows and dynamics
      look_at(braking, copy, setup, copy.braking(v_stop));
      advance(q_stop, v_stop, copy.braking(v_stop));
    }
    ASSERT_LT(v_stop.cwiseAbs().maxCoeff(), 1e-9);
  }
  for (const WidenedRows& rows : {body.widened(), copy.widened()}) EXPECT_EQ(rows.other + rows.torque + rows.tipping, 0) << rows.other << " " << rows.torque << " " << rows.tipping;
  for (const Hardest& hardest : {moving, braking}) {
    EXPECT_LE(hardest.torque, 0.85 + 1e-6);   // the share of a motor that references may use
    EXPECT_GE(hardest.room, 0.02 - 1e-6);     // the rows' margin
    EXPECT_GE(hardest.distance, 0.01 - 1e-6);
    EXPECT_GE(hardest.position, 0.0);
  }
  EXPECT_GT(body.drawn_back(), 0);  // the tasks did ask for more than is proved
  RecordProperty("drawn_back", body.drawn_back());
}

// Whatever is asked, no part of the robot comes to a person who sits still, and braking from any state on the way does not either.
TEST(WholeBody, NothingMeetsAPersonWhoSitsStill) {
  const RobotSetup setup = setup_robot(default_scenario());
  WholeBody body(setup.robot, setup.whole_body);
  const int n = setup.robot.freedoms();
  const double period = setup.whole_body.period;
  math::RandomStream random(test_seed(5), 0);
  Surroundings person;
  person.count = kBodyParts;
  person.touchable_by.fill(-1);
  const SeatedFigure figure = seated_figure(1.75, 0.45, {region_centre(1.75, BodyRegion::right_hand), region_centre(1.75, BodyRegion::left_hand)});
  const Eigen::AngleAxisd turn(3.0, Eigen::Vector3d::UnitZ());
  for (std::size_t k = 0; k < kBodyParts; ++k) {
    const Capsule& part = figure.parts_P[k];
    person.capsules[k] = {turn * part.a + Eigen::Vector3d(1.2, 0.1, 0.45), turn * part.b + Eigen::Vector3d(1.2, 0.1, 0.45), part.radius};
    person.is_on[k] = true;
  }
  const auto nearest = [&] {
    double least = 1.0;
    for (int c = 0; c < static_cast<int>(setup.robot.capsules.size()); ++c)
      for (std::size_t k = 0; k < kBodyParts; ++k) least = std::min(least, capsule_gap(body.capsule_W(c), person.capsules[k]).distance);
    return least;
  };
  Freedoms q = setup.whole_body.upright, v = Freedoms::Zero(n);
  q[0] = 0.3, q[1] = 0.1;
  Tasks tasks;
  tasks.posture = q;
  tasks.posture_weight = Freedoms::Constant(n, 10.0);
  double least = 1.0;
  for (int tick = 0; tick < slow_times(1500); ++tick) {
    if (tick % 250 == 0) {
      random_tasks(tasks, body, random);
      tasks.base_goal = {random.uniform(0.5, 1.8), random.uniform(-0.7, 0.9), random.uniform(-3.0, 3.0)};
      tasks.base_weight = tasks.com_weight = 1e4;
    }
    ASSERT_EQ(body.solve(q, v, tasks, person, false), ProgramStatus::solved) << tick;
    least = std::min(least, nearest());
    const Freedoms a = body.acceleration();
    q += period * v + 0.5 * period * period * a;
    v += period * a;
  }
  EXPECT_GE(least, 0.01 - 1e-9);
  EXPECT_LT(least, 0.06);  // it was asked to
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
