// Tendons, gravity compensation, margins and springs of MJCF, against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

model::Scene read(const std::string& world, const std::string& more = "") {
  return model::read_scene_text(
      "<mujoco><option gravity='0 0 -10'/><worldbody>" + world + "</worldbody>" + more + "</mujoco>",
      model::SceneFormat::mjcf, "scene.xml");
}

std::string box(const std::string& name, const std::string& place, double mass, const std::string& more = "",
                const std::string& own = "") {
  return "<body name='" + name + "' pos='" + place + "' " + own +
         "><freejoint/><geom type='box' size='.05 .05 .05' mass='" + std::to_string(mass) + "'/>" + more +
         "</body>";
}

std::string spatial(const std::string& path, const std::string& more = "") {
  return "<spatial " + more + ">" + path + "</spatial>";
}
std::string tendons(const std::string& all) { return "<tendon>" + all + "</tendon>"; }

bool rests(const model::Scene& scene) {
  const ContactForcesResult result = contact_forces(scene);
  EXPECT_NE(result.status, ContactForcesStatus::undetermined);
  return result.status == ContactForcesStatus::stable;
}

double limit(const model::Scene& scene, const std::string& body, const Eigen::Vector3d& at,
             const Eigen::Vector3d& push) {
  const Push asked{scene.find_body(body), at, push};
  const RobustnessResult result = robustness(scene, {&asked, 1});
  EXPECT_EQ(result.status, RobustnessStatus::ok);
  return result.answers.empty() ? -1.0 : result.answers.front().lower;
}

const std::string kHook = "<site name='hook' pos='0 0 1'/>", kEye = "<site name='eye' pos='0 0 .05'/>",
                  kRope = "<site site='hook'/><site site='eye'/>";

TEST(Ropes, ABoxHangsOnItsRope) {
  const auto hung = [](const std::string& more) {
    return read(kHook + box("a", "0 0 .45", 2, kEye), tendons(spatial(kRope, more)));
  };
  EXPECT_TRUE(rests(hung("range='0 .5'")));
  EXPECT_FALSE(rests(hung("range='0 .6'")));  // slack
  EXPECT_FALSE(rests(hung("range='.5 2'")));  // a strut
  EXPECT_FALSE(rests(hung("")));
  EXPECT_FALSE(rests(hung("range='0 .5' limited='false'")));
  const model::Scene scene = hung("range='0 .5'");
  EXPECT_TRUE(scene.problems.empty());
  EXPECT_NEAR(limit(scene, "a", {0, 0, .4}, {0, 0, 1}), 20.0, 0.02);     // its weight
  EXPECT_NEAR(limit(scene, "a", {.05, 0, .45}, {-1, 0, 0}), 0.0, 1e-3);  // nothing beside it
  // 1 mm of slack is named.
  EXPECT_EQ(hung("range='0 .501'").problems.size(), 1u);
}

TEST(Ropes, PulleysDivideAndDrumsTurn) {
  const auto over = [](double other, double length, const std::string& first, const std::string& between) {
    return read(kHook + "<site name='hook2' pos='.3 0 1'/>" + box("a", "0 0 .45", 2, kEye) +
                    box("b", ".3 0 .45", other, "<site name='eye2' pos='0 0 .05'/>"),
                tendons(spatial(first + "<site site='eye'/><site site='hook'/>" + between +
                                    "<site site='hook2'/><site site='eye2'/>",
                                "range='0 " + std::to_string(length) + "'")));
  };
  EXPECT_TRUE(rests(over(2.0, 1.3, "", "")));
  EXPECT_FALSE(rests(over(2.1, 1.3, "", "")));
  EXPECT_TRUE(rests(over(1.0, 0.75, "<pulley divisor='1'/>", "<pulley divisor='2'/>")));
  EXPECT_FALSE(rests(over(2.0, 0.75, "<pulley divisor='1'/>", "<pulley divisor='2'/>")));
  const model::Scene drum = read(
      "<geom name='drum' type='cylinder' size='.1 .1' pos='0 0 1' euler='90 0 0' contype='0' "
      "conaffinity='0'/>"
      "<site name='side' pos='0 0 1.2'/>" +
          box("a", "-.1 0 .45", 2, kEye) + box("b", ".1 0 .45", 2, "<site name='eye2' pos='0 0 .05'/>"),
      tendons(spatial("<site site='eye'/><geom geom='drum' sidesite='side'/><site site='eye2'/>",
                      "range='0 1.3141'")));
  EXPECT_TRUE(rests(drum));
}

TEST(Ropes, FixedTendonsLimitSumsOfJoints) {
  const std::string lever =
      "<body name='%' pos='0 0 1'><joint name='j%' axis='0 1 0'/><geom type='box' size='.2 .02 .02' pos='.2 "
      "0 0' mass='1'/></body>";
  const auto named = [&](const std::string& name) {
    std::string text = lever;
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%'))
      text.replace(at, 1, name);
    return text;
  };
  const auto held = [&](const std::string& tendon) {
    return rests(read(named("a"), tendons("<fixed " + tendon)));
  };
  const std::string joint = "<joint joint='ja' coef='1'/></fixed>";
  EXPECT_TRUE(held("range='-1 0'>" + joint));
  EXPECT_FALSE(held("range='0 1'>" + joint));
  EXPECT_TRUE(held("frictionloss='2.01'>" + joint));  // against 2 N m
  EXPECT_FALSE(held("frictionloss='1.99'>" + joint));
  EXPECT_TRUE(held("stiffness='10' springlength='-.2'>" + joint));
  EXPECT_FALSE(held("stiffness='10' springlength='-.19'>" + joint));
  EXPECT_TRUE(rests(
      read(named("a"), tendons("<fixed name='t'>" + joint) + "<equality><tendon tendon1='t'/></equality>")));
}

TEST(Ropes, SpringsHoldWhatTheyAreKnownTo) {
  const auto held = [](const std::string& joint, double mass) {
    return rests(read("<body pos='0 0 1'><joint axis='0 1 0' " + joint +
                      "/><geom type='box' size='.2 .02 .02' pos='.2 0 0' mass='" + std::to_string(mass) +
                      "'/></body>"));
  };
  // 1e-3 rad of 5000 N m/rad are 5 N m, against 2 N m of each kilogram.
  EXPECT_TRUE(held("stiffness='5000'", 2.4));
  EXPECT_FALSE(held("stiffness='5000'", 2.6));
  EXPECT_FALSE(held("stiffness='3'", 1.0));
}

TEST(Ropes, WeightsThatAreCarried) {
  EXPECT_TRUE(rests(read(box("a", "0 0 1", 1, "", "gravcomp='1'"))));
  EXPECT_FALSE(rests(read(box("a", "0 0 1", 1, "", "gravcomp='.5'"))));
  EXPECT_FALSE(rests(read(box("a", "0 0 1", 1, "", "gravcomp='2'"))));
  // A load of 3 kg beyond the edge does not tip the box that carries it, once it is carried itself.
  const auto table = [](const std::string& carried) {
    return read(
        "<geom type='box' size='.1 .1 .1' pos='0 0 .1'/><body name='a' pos='0 0 .25'><freejoint/>"
        "<geom type='box' size='.1 .1 .05' mass='1'/><body pos='.15 0 0' " +
        carried + "><geom type='box' size='.05 .05 .05' mass='3'/></body></body>");
  };
  EXPECT_FALSE(rests(table("")));
  const model::Scene scene = table("gravcomp='1'");
  EXPECT_TRUE(scene.problems.empty());
  EXPECT_TRUE(rests(scene));
  EXPECT_NEAR(limit(scene, "a", {0, 0, .3}, {0, 0, 1}), 10.0, 0.01);  // lifted by what is left of its weight
}

TEST(Ropes, MarginsTouch) {
  const auto apart = [](double gap, const std::string& margins) {
    return read("<geom type='plane' size='1 1 1' " + margins + "/>" +
                box("a", "0 0 " + std::to_string(.05 + gap), 1, ""));
  };
  EXPECT_TRUE(rests(apart(.002, "margin='.002'")));
  EXPECT_FALSE(rests(apart(.003, "margin='.002'")));
  EXPECT_FALSE(rests(apart(.002, "")));
  EXPECT_NEAR(limit(apart(.002, "margin='.002' friction='.3'"), "a", {.05, 0, .02}, {-1, 0, 0}), 10.0, 0.02);
}

TEST(Ropes, ProofsOfThemAreChecked) {
  const model::Scene scene =
      read(kHook + box("a", "0 0 .45", 2, kEye) + box("b", "0 0 .35", 1, "", "gravcomp='1'"),
           tendons(spatial(kRope, "range='0 .5'")));
  const LimitAnalysis analysis(build_contact_system(scene));
  ASSERT_EQ(analysis.stability(), Stability::stable);
  EXPECT_TRUE(
      check_resting_forces(analysis.system(), analysis.resting_forces(), analysis.resting_joint_forces(), {})
          .valid);
  ContactSystem heavier = analysis.system();
  heavier.bodies[0].lift_W.z() += 1.0;
  EXPECT_FALSE(
      check_resting_forces(heavier, analysis.resting_forces(), analysis.resting_joint_forces(), {}).valid);
}

}  // namespace
}  // namespace prehend::stability
