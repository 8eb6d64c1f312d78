#include <gtest/gtest.h>

#include "sample_arm.h"
#include <prehend/inertia/pages.h>
#include <prehend/inertia/still_poses.h>
#include <prehend/model/house/chain_sweep.h>
#include <prehend/report/write_report.h>

namespace prehend::inertia {
namespace {

TEST(ExcitationPage, ShowsArmPlotsAndTables) {
  const model::Scene scene = sample_arm_scene();
  const model::JointChain chain = model::joint_chain(scene);
  ExcitationOptions options = short_plan();
  options.starts = 1;
  const Excitation motion = plan_excitation(chain, options), still = plan_still_poses(chain, 4, options);
  for (const Excitation* plan : {&motion, &still}) {
    ASSERT_EQ(plan->status, ExcitationStatus::ok);
    const report::Page page = excitation_page(scene, chain, *plan, options);
    EXPECT_EQ(page.scene_count(), 3);
    const std::string html = report::report_html(page);  // throws on anything that cannot be shown
    EXPECT_NE(html.find("path of the sensor"), std::string::npos);
  }
}

// Every link where the engine-checked kinematics put it: the flange and the sensor, which is welded to it.
TEST(ExcitationPage, LinksFollowTheChain) {
  const model::Scene scene = sample_arm_scene();
  const model::JointChain chain = model::joint_chain(scene);
  ExcitationOptions options = short_plan();
  options.starts = 1;
  const Excitation plan = plan_excitation(chain, options);
  const report::Scene3d shown = moving_arm(scene, chain, plan, options);
  const report::Motion& film = shown.motions.at(0);
  ASSERT_EQ(film.tracks.size(), 7u + 2u);  // six moving links, the sensor; ball and cube
  model::ChainSweep sweep(chain);
  JointState state;
  for (const report::BodyTrack& track : film.tracks) {
    if (shown.bodies[track.body].name != "sensor") continue;
    for (std::size_t i = 0; i < film.times.size(); i += 7) {
      plan.motion.at(film.times[i], state);
      sweep.forward(state.q, state.qd, state.qdd);
      EXPECT_TRUE(track.X_WB[i].is_approx(sweep.X_WE(), 1e-12));
    }
  }
}

}  // namespace
}  // namespace prehend::inertia
