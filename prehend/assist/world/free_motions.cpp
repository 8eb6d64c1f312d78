#include <algorithm>
#include <cmath>

#include <prehend/assist/world/free_motions.h>
#include <prehend/assist/world/simulated_robot.h>
#include <prehend/math/random.h>

namespace prehend::assist {
namespace {

constexpr double kMotionTime = 3.0;                          // [s]
constexpr double kSettlingTime = 0.15;                       // [s] left out at the start
constexpr double kReadNoise = 2e-4, kReadSpeedNoise = 2e-3;  // [rad], [rad/s]

}  // namespace

FreeMotions::FreeMotions(const Scenario& scenario) : scenario_(scenario), setup_(setup_robot(scenario_)) {}

void FreeMotions::run(std::uint64_t seed, int motion, const Sample& sample) const {
  math::RandomStream random(seed, 1000 + static_cast<std::uint64_t>(motion));
  const RobotModel& robot = setup_.robot;
  const int n = robot.freedoms();
  const double period = setup_.whole_body.period;
  WholeBody whole_body(robot, setup_.whole_body);
  const auto random_posture = [&](double share) {
    Freedoms q = setup_.whole_body.upright;
    for (int i = kBaseFreedoms; i < n; ++i) {
      const double low = std::max(whole_body.lower(i), q[i] - 1.5),
                   high = std::min(whole_body.upper(i), q[i] + 1.5);
      const double target = random.uniform(low, high);
      q[i] += share * (target - q[i]);
    }
    return q;
  };
  Freedoms q = random_posture(0.3), v = Freedoms::Zero(n), a = v, tau = v;
  for (int i = kBaseFreedoms; i < n; ++i)
    q[i] = std::clamp(q[i], whole_body.lower(i) + 0.01, whole_body.upper(i) - 0.01);
  SimulatedRobot simulated(robot, servo_gains(robot, setup_.whole_body.upright),
                           {q, period, physics_steps(period), 1, scenario_.robot.acceleration_mps2,
                            scenario_.robot.turn_acceleration_radps2});
  Tasks tasks;
  tasks.posture = random_posture(0.8);
  tasks.posture_weight = Freedoms::Constant(n, 10.0);
  tasks.posture_stiffness = random.uniform(1.0, 6.0);
  const double x = random.uniform(-0.3, 0.3), y = random.uniform(-0.3, 0.3);
  tasks.base_goal = {x, y, random.uniform(-0.5, 0.5)};
  const Surroundings nobody{};
  Command command;
  command.stiffness.fill(1.0);
  for (double t = 0.0; t < kMotionTime; t += period) {
    if (t > kSettlingTime) {
      for (int j = 0; j < robot.joint_count(); ++j) {
        const int i = j + kBaseFreedoms;
        const double position = q[i] - simulated.state().q()[i] - kReadNoise * random.normal();
        const double speed = v[i] - simulated.state().v()[i] - kReadSpeedNoise * random.normal();
        Features features;
        features << 1.0, std::tanh(v[i] / 0.03), v[i], a[i], tau[i];
        sample(j, {position, speed}, features);
      }
    }
    whole_body.solve(q, v, tasks, nobody, false);
    a = whole_body.acceleration();
    tau = whole_body.state().mass_matrix() * a + whole_body.state().bias();
    for (int j = 0; j < robot.joint_count(); ++j) {
      const std::size_t k = static_cast<std::size_t>(j);
      const int i = j + kBaseFreedoms;
      command.q[k] = q[i], command.v[k] = v[i], command.a[k] = a[i], command.tau[k] = tau[i];
    }
    command.base = q.head<3>(), command.base_rate = v.head<3>(), command.base_acceleration = a.head<3>(),
    command.base_force = tau.head<3>();
    simulated.command(command);
    for (int k = 0; k < physics_steps(period); ++k) simulated.step();
    q += period * v + 0.5 * period * period * a;
    v += period * a;
  }
}

}  // namespace prehend::assist
