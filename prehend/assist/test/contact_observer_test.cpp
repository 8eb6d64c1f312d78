#include <cstdlib>

#include <gtest/gtest.h>

#include <prehend/assist/control/contact_watch.h>
#include <prehend/assist/world/free_motions.h>
#include <prehend/model/input_error.h>

namespace prehend::assist {
namespace {

TEST(ContactObserver, ItsFileIsReadBack) {
  const ObserverModel model{{{"knee", 1e-3, -2e-4, 0.25, 1e-5, 3.0}, {"hip", 0.0, 0.5, 0.0, 0.0, 0.0}}};
  const ObserverModel again = parse_observer(model.to_csv(), "observer.csv");
  ASSERT_EQ(again.joints.size(), 2u);
  EXPECT_EQ(again.joints[0].name, "knee");
  EXPECT_EQ(again.joints[0].speed, 0.25);
  EXPECT_EQ(again.to_csv(), model.to_csv());
  EXPECT_THROW(parse_observer("joint,constant\nknee,1\n", "observer.csv"), model::InputError);
  EXPECT_THROW(parse_observer(model.to_csv() + "knee,0,0,0,0,0\n", "observer.csv"), model::InputError);
}

// The load is the servo's answer over its stiffness; its zero follows what dry friction explains, and no more.
TEST(ContactObserver, TheLoadSeesTheSpeedAndKeepsWhatFrictionDoesNotExplain) {
  const Scenario scenario = default_scenario();
  const RobotModel robot = built_in_robot();
  const ServoGains gains = servo_gains(robot, setup_robot(scenario).whole_body.upright);
  const int elbow = robot.find_joint("right_elbow_roll"), i = elbow + kBaseFreedoms;
  ObserverModel observer;
  observer.joints.push_back({"right_elbow_roll", 0.0, 0.003, 0.0, 0.0, 0.0});
  ContactWatch watch(robot, observer, gains, 1);
  watch.add(elbow, {0.002, 0.1}, {}, 0.5);
  EXPECT_DOUBLE_EQ(watch.residual(elbow), 0.002);
  EXPECT_NEAR(watch.load(elbow), 0.002 + 0.1 * gains.damping[i] / gains.stiffness[i], 1e-12);
  for (int k = 0; k < 200; ++k) {
    watch.add(elbow, {0.02, 0.0}, {}, 0.5);
    watch.settle(elbow, 0.5, 0.1);
  }
  EXPECT_NEAR(watch.filtered_load(elbow), 0.02 - 0.003 / 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(watch.filtered(elbow), 0.02);
  watch.forget(elbow);
  watch.add(elbow, {0.02, 0.0}, {}, 0.5);
  EXPECT_DOUBLE_EQ(watch.load(elbow), 0.02);
}

// Other motions than it was trained on (seed 99): the filtered residual stays below the threshold of a contact.
TEST(ContactObserver, FreeMotionsAreNoContacts) {
  const Scenario scenario = default_scenario();
  const FreeMotions free(scenario);
  const ObserverModel observer = observer_for(scenario);
  const RobotModel robot = built_in_robot();
  const ServoGains gains = servo_gains(robot, setup_robot(scenario).whole_body.upright);
  const bool is_slow = std::getenv("PREHEND_SLOW") != nullptr;
  const int motions = is_slow ? 1000 : 10;
  double largest = 0.0;
  int contacts = 0;
  for (int k = 0; k < motions; ++k) {
    ContactWatch watch(robot, observer, gains, scenario.tuning.median_ticks);
    bool noticed = false;
    free.run(99, k, [&](int joint, const ContactWatch::Error& error, const FreeMotions::Features& f) {
      watch.add(joint, error, {f[2], f[3], f[4]}, 1.0);
      if (joint == robot.joint_count() - 1) watch.next_tick();
      largest = std::max(largest, std::abs(watch.filtered_load(joint)));
      noticed = noticed || std::abs(watch.filtered_load(joint)) >= 0.015;
    });
    contacts += noticed;
  }
  EXPECT_EQ(contacts, 0) << "largest " << largest;
  RecordProperty("largest_filtered_residual_rad", std::to_string(largest));
}

}  // namespace
}  // namespace prehend::assist
