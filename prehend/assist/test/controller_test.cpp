#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>
#include <tests/sanitized.h>

#include <prehend/assist/world/trial_world.h>

#if !defined(PREHEND_WITH_ADDRESS_SANITIZER) && defined(__GLIBC__)
// Counts what this thread asks for, whoever asks.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
}
static thread_local long allocations_asked = 0;
extern "C" {
void* malloc(std::size_t size) { return ++allocations_asked, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++allocations_asked, __libc_calloc(count, size); }
void* realloc(void* memory, std::size_t size) { return ++allocations_asked, __libc_realloc(memory, size); }
}
#define PREHEND_COUNTS_ALLOCATIONS 1
#endif

namespace prehend::assist {
namespace {

struct Trial {
  explicit Trial(const Scenario& scenario) : world(scenario), controller(scenario, observer_for(scenario)) {}
  const Command& tick() {
    const Sensors sensors = world.sense();
#ifdef PREHEND_COUNTS_ALLOCATIONS
    const long before = allocations_asked;
#endif
    command = controller.tick(sensors);
#ifdef PREHEND_COUNTS_ALLOCATIONS
    allocations += allocations_asked - before;
#endif
    world.react(command);
    world.run(command, 0.0, controller.period_s());
    return command;
  }
  TrialWorld world;
  Controller controller;
  Command command;
  long allocations{0};
};

TEST(Controller, ATickAllocatesNothing) {
#ifndef PREHEND_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer has its own malloc";
#else
  Trial trial(default_scenario());
  while (trial.command.outcome == TrialOutcome::running && trial.world.time() < 100.0) trial.tick();
  EXPECT_EQ(trial.command.outcome, TrialOutcome::completed);
  EXPECT_EQ(trial.allocations, 0);
  const long before = allocations_asked;
  std::free(std::malloc(16));
  EXPECT_EQ(allocations_asked, before + 1);  // the count counts
#endif
}

TEST(Controller, IsAFunctionOfItsSensors) {
  const Scenario scenario = default_scenario();
  const ObserverModel observer = observer_for(scenario);
  Trial trial(scenario);
  Controller twin(scenario, observer);
  for (int k = 0; k < 300; ++k) {
    const Sensors sensors = trial.world.sense();
    const Command a = trial.controller.tick(sensors), b = twin.tick(sensors);
    ASSERT_EQ(a.q, b.q);
    ASSERT_EQ(a.tau, b.tau);
    trial.world.run(a, 0.0, trial.controller.period_s());
  }
}

// Sight is lost while driving: within the short time the base goes on, then it stands, and the trial stops.
TEST(Controller, ABlindBaseStands) {
  Trial trial(default_scenario());
  while (trial.world.time() < 5.0) trial.tick();
  EXPECT_GT(std::hypot(trial.command.base_rate.x(), trial.command.base_rate.y()), 0.08);
  double stood = -1.0, stopped = -1.0;
  const double lost = trial.world.time();
  while (trial.world.time() < lost + 7.0) {
    Sensors sensors = trial.world.sense();
    sensors.person.reset();
    const Command& command = trial.controller.tick(sensors);
    if (stood < 0.0 && command.base_rate.norm() < 1e-3) stood = trial.world.time() - lost;
    if (stopped < 0.0 && command.stop) stopped = trial.world.time() - lost;
    trial.world.run(command, 0.0, trial.controller.period_s());
  }
  EXPECT_GT(stood, 0.4);
  EXPECT_LT(stood, 1.1);
  EXPECT_NEAR(stopped, 5.0, 0.15);
}

TEST(Controller, NotANumberInAnySensorStopsAtOnce) {
  for (int signal = 0; signal < 5; ++signal) {
    Trial trial(default_scenario());
    for (int k = 0; k < 50; ++k) trial.tick();
    Sensors sensors = trial.world.sense();
    const double nan = std::nan("");
    if (signal == 0) sensors.q[3] = nan;
    if (signal == 1) sensors.v[3] = nan;
    if (signal == 2) sensors.tau[0] = nan;
    if (signal == 3) sensors.base.y() = nan;
    if (signal == 4) sensors.t_s = nan;
    const Command command = trial.controller.tick(sensors);
    ASSERT_TRUE(command.stop.has_value());
    EXPECT_EQ(*command.stop, StopCause::sensor_invalid);
    for (int j = 0; j < trial.controller.joint_count(); ++j) {
      EXPECT_TRUE(std::isfinite(command.q[static_cast<std::size_t>(j)]));
      EXPECT_TRUE(std::isfinite(command.tau[static_cast<std::size_t>(j)]));
    }
  }
}

// No state would ever end by its time limit.
TEST(Controller, AClockThatStandsOrRunsBackStops) {
  for (const double step : {0.0, -0.5}) {
    Trial trial(default_scenario());
    for (int k = 0; k < 50; ++k) trial.tick();
    Sensors sensors = trial.world.sense();
    ASSERT_FALSE(trial.controller.tick(sensors).stop.has_value());
    sensors.t_s += step;
    const Command command = trial.controller.tick(sensors);
    ASSERT_TRUE(command.stop.has_value()) << step;
    EXPECT_EQ(*command.stop, StopCause::sensor_invalid);
  }
}

// Nobody in the picture at first: the head looks to both sides, and the person beside the robot is found.
TEST(Controller, APersonBesideTheRobotIsLookedFor) {
  for (const double side : {1.0, -1.0}) {
    Scenario scenario = default_scenario();
    scenario.person.x_m = 0.2, scenario.person.y_m = 1.4 * side, scenario.person.yaw_rad = -1.57 * side;
    Trial trial(scenario);
    while (trial.world.time() < 5.5 && trial.command.state == StateName::InitialPosture) trial.tick();
    EXPECT_EQ(trial.command.state, StateName::NavigateToHuman) << side;
  }
}

}  // namespace
}  // namespace prehend::assist
