// Proofs with joints are checked by certificate.h, and it refuses broken ones. Values against closed forms, Clarabel and
// physics: joints_test.py.
#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

constexpr char kTrap[] = R"(<mujoco><worldbody>
  <body name="trap" pos="0 0 1"><joint name="hinge" type="hinge" axis="0 1 0" %MORE%/>
    <geom type="box" pos=".5 0 0" size=".5 .3 .02" mass="6"/></body>
  <geom type="box" pos="%STOP% 0 .93" size=".05 .3 .05"/>
  <body name="box" pos=".3 0 1.12"><freejoint/><geom type="box" size=".1 .1 .1" mass="2" friction="0.5"/></body>
</worldbody></mujoco>)";

model::Scene trap(const std::string& more, const std::string& stop = ".9") {
  std::string text = kTrap;
  const auto put = [&](const std::string& word, const std::string& by) {
    text.replace(text.find(word), word.size(), by);
  };
  put("%MORE%", more);
  put("%STOP%", stop);
  return model::read_scene_text(text, model::SceneFormat::mjcf, "trap.xml");
}

Push up(const model::Scene& scene) { return {scene.find_body("trap"), {0.8, 0, 0.98}, {0, 0, 1}}; }

TEST(JointRows, AHingeHasFiveAndItsFrictionASixth) {
  EXPECT_EQ(build_contact_system(trap("")).joint_rows.size(), 5u);
  const ContactSystem braked = build_contact_system(trap("frictionloss='2'"));
  ASSERT_EQ(braked.joint_rows.size(), 6u);
  EXPECT_DOUBLE_EQ(braked.joint_rows.back().lower, -2.0);
  EXPECT_DOUBLE_EQ(braked.joint_rows.back().upper, 2.0);
  const ContactSystem limited = build_contact_system(trap("range='-10 0' limited='true'"));
  ASSERT_EQ(limited.joint_rows.size(), 6u);
  EXPECT_TRUE(std::isinf(limited.joint_rows.back().lower));
  EXPECT_DOUBLE_EQ(limited.joint_rows.back().upper, 0.0);
}

TEST(JointRows, ProofsHoldAndBrokenOnesDoNot) {
  for (const char* more : {"", "frictionloss='2'", "range='-10 0' limited='true' frictionloss='1'",
                           "stiffness='3' springref='20'"}) {
    const model::Scene scene = trap(more);
    const LimitAnalysis analysis(build_contact_system(scene));
    ASSERT_EQ(analysis.stability(), Stability::stable) << more;
    EXPECT_TRUE(check_resting_forces(analysis.system(), analysis.resting_forces(),
                                     analysis.resting_joint_forces(), {})
                    .valid);
    for (const Eigen::Vector3d& d :
         {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(0, 0, -1), Eigen::Vector3d(0.1, 0.2, 1)}) {
      Push push = up(scene);
      push.d_W = d;
      const Load load = push_load(scene, analysis.system(), push);
      const PushAnswer answer = analysis.ask(load);
      ASSERT_EQ(answer.status, AnswerStatus::ok) << more;
      const Certificate certificate = check_answer(analysis.system(), load, answer);
      EXPECT_TRUE(certificate.valid) << more << ": " << certificate.brief_report();
      if (answer.unbounded) continue;
      PushAnswer broken = answer;
      auto proof = std::make_shared<Proof>(*answer.proof);
      proof->joint_forces[1] += 0.1;
      broken.proof = proof;
      EXPECT_FALSE(check_answer(analysis.system(), load, broken).valid);
      proof = std::make_shared<Proof>(*answer.proof);
      proof->motion[0].tail<3>() += Eigen::Vector3d(0, 0.01, 0);  // along the hinge's axis
      broken.proof = proof;
      EXPECT_FALSE(check_answer(analysis.system(), load, broken).valid);
    }
  }
}

TEST(JointRows, AFallingMotionRespectsTheHinge) {
  const model::Scene scene = trap("", "-5");
  const ContactSystem system = build_contact_system(scene);
  const ContactForcesResult result = contact_forces(system, {});
  ASSERT_EQ(result.status, ContactForcesStatus::unstable);
  EXPECT_TRUE(check_falling(system, result.falling).valid);
  for (const JointRow& row : system.joint_rows) EXPECT_NEAR(row.rate(result.falling), 0.0, 1e-8);
}

TEST(JointRows, MapsAgreeWithSinglePushes) {
  const model::Scene scene = trap("frictionloss='2'");
  const LimitAnalysis analysis(build_contact_system(scene));
  std::vector<PointPush> pushes;
  const NodeIndex node = analysis.system().node_of_body[scene.find_body("trap")];
  for (int i = 0; i < 40; ++i) pushes.push_back({node, {0.1 + 0.02 * i, 0.1, 0.98}, {0, 0, 1}});
  const std::vector<PushAnswer> mapped = analysis.map(pushes);
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    const PushAnswer one =
        analysis.ask({{node, analysis.system().force_wrench(pushes[i].d_W, pushes[i].p_W)}});
    EXPECT_NEAR(mapped[i].robustness, one.robustness, 2e-3 * one.robustness) << i;
  }
}

}  // namespace
}  // namespace prehend::stability
