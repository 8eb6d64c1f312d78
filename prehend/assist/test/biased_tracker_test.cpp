#include <cmath>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/assist/world/trial_world.h>

namespace prehend::assist {
namespace {

struct BiasedEnd {
  TrialOutcome outcome{TrialOutcome::running};
  std::optional<StopCause> cause;
  double contact_N{0.0}, other_N{0.0};  // largest: of the hands on their regions, of anything else
  bool touched{false};                  // the shoulder
};

// A whole trial with a tracker that shows everything of the person shifted by the same vector.
BiasedEnd trial_with(const Scenario& scenario, const Eigen::Vector3d& off_W) {
  TrialWorld world(scenario);
  Controller controller(scenario, observer_for(scenario));
  Command command;
  BiasedEnd end;
  double stopped = -1.0;
  while (world.time() < scenario.duration_s) {
    Sensors sensors = world.sense();
    if (sensors.person) {
      const Eigen::Vector3d off_C = world.camera().q().conjugate() * off_W;
      PersonDetection& seen = *sensors.person;
      seen.X_CP = math::Pose(seen.X_CP.q(), seen.X_CP.p() + off_C);
      seen.head_C += off_C;
      for (Eigen::Vector3d& p : seen.regions_C) p += off_C;
    }
    command = controller.tick(sensors);
    if (command.outcome == TrialOutcome::completed || command.outcome == TrialOutcome::declined) break;
    if (command.stop && stopped < 0.0) stopped = world.time();
    if (stopped >= 0.0 && world.time() > stopped + 4.0) break;
    world.react(command);
    world.run(command, 0.0, controller.period_s());
    for (const ContactTruth& contact : world.contacts()) end.contact_N = std::max(end.contact_N, contact.f);
    end.other_N = std::max(end.other_N, world.other_N());
  }
  end.outcome = command.outcome, end.cause = command.stop;
  end.touched = world.contacts().front().touched_at >= 0.0;
  return end;
}

// A tracker that is off by 5 cm along an axis lets the palm meet the person earlier or later than it sees them, or beside the
// shoulder: it yields at once, as gently as it touches. Off across the palm's way, as some diagonals are, it cannot feel it.
TEST(BiasedTracker, ATouchWhereNobodyIsSeenIsNotHeld) {
  const Scenario scenario = default_scenario();
  for (int k = 0; k < 6; ++k) {
    if (!test::is_slow_run() && k != 0 && k != 5) continue;  // short: seen too far away, seen too low
    const Eigen::Vector3d off = (k % 2 == 0 ? 0.05 : -0.05) * Eigen::Vector3d::Unit(k / 2);
    const BiasedEnd end = trial_with(scenario, off);
    EXPECT_EQ(end.outcome, TrialOutcome::safe_stop) << off.transpose();
    EXPECT_LE(end.contact_N, 30.0) << off.transpose();
    EXPECT_LE(end.other_N, 30.0) << off.transpose();
  }
}

}  // namespace
}  // namespace prehend::assist
