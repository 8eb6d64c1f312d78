#include <gtest/gtest.h>

#include <prehend/assist/trial.h>
#include <prehend/assist/pages.h>
#include <prehend/report/write_report.h>

namespace prehend::assist {
namespace {

TEST(Trial, TheTrialOfTheSourceIsCompleted) {
  const Scenario scenario = default_scenario();
  const TrialResult result = run_trial(scenario);
  ASSERT_EQ(result.outcome, TrialOutcome::completed) << result.brief_report();
  for (const ContactResult& contact : result.contacts) {
    ASSERT_TRUE(contact.touched_s && contact.detected_s && contact.released_s);
    EXPECT_LT(*contact.touched_s, *contact.detected_s);
    EXPECT_LT(*contact.peak_N, 30.0);
    EXPECT_LT(*contact.hold_N, 10.0);
  }
  EXPECT_EQ(result.other_contact_N, 0.0);
  EXPECT_EQ(result.widened_rows[0] + result.widened_rows[1] + result.widened_rows[3], 0);
  EXPECT_GT(report::report_html(trial_page(scenario, result)).size(), 100000u);
}

// The force of a touch grows with speed and the root of stiffness times mass: the approach is slower where that is more.
TEST(Trial, AStricterForceMakesASlowerTouch) {
  Scenario scenario = default_scenario();
  const double gentle = 6.0;
  scenario.tuning.approach_force_N = gentle;
  const TrialResult slow = run_trial(scenario);
  ASSERT_EQ(slow.outcome, TrialOutcome::completed) << slow.brief_report();
  EXPECT_LT(*slow.contacts[0].peak_N, gentle * 1.2);
}

}  // namespace
}  // namespace prehend::assist
