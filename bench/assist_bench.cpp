// The controller's tick and its parts, in processor time: `assist_bench --benchmark_filter=...`.
#include <benchmark/benchmark.h>

#include <prehend/assist/control/core.h>
#include <prehend/assist/trial.h>

namespace prehend::assist {
namespace {

void dynamics(benchmark::State& state) {
  const RobotModel robot = built_in_robot();
  RobotState robot_state(robot);
  const Freedoms q = Freedoms::Constant(robot.freedoms(), 0.3), v = Freedoms::Constant(robot.freedoms(), 0.1);
  for (auto _ : state) {
    robot_state.set(q, v);
    robot_state.compute_dynamics();
    benchmark::DoNotOptimize(robot_state.bias()[0]);
  }
}
BENCHMARK(dynamics);

void whole_body(benchmark::State& state) {
  const RobotSetup setup = setup_robot(default_scenario());
  WholeBody body(setup.robot, setup.whole_body);
  const int n = setup.robot.freedoms();
  Freedoms q = setup.whole_body.upright, v = Freedoms::Zero(n);
  Tasks tasks;
  tasks.posture = q;
  tasks.posture_weight = Freedoms::Constant(n, 10.0);
  tasks.base_goal = {1.0, 0.3, 0.4};
  tasks.hands[0].is_on = true;
  tasks.hands[0].segment = setup.contacts[0].segment, tasks.hands[0].p_S = setup.contacts[0].p_S, tasks.hands[0].goal_W = {0.5, 0.3, 1.0};
  for (auto _ : state) {
    benchmark::DoNotOptimize(body.solve(q, v, tasks, {}, false));
    q += 0.012 * v, v += 0.012 * body.acceleration();
  }
  state.counters["rows"] = body.rows();
}
BENCHMARK(whole_body);

void trial(benchmark::State& state) {
  const Scenario scenario = default_scenario();
  for (auto _ : state) {
    const TrialResult result = run_trial(scenario);
    state.counters["p99_us"] = result.ticks.p99_us;
    state.counters["simulated_s"] = result.duration_s;
  }
}
BENCHMARK(trial)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace prehend::assist
