#include <string>

#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {
namespace {

constexpr char kCube[] = R"(<mujoco><worldbody>
  <geom name="floor" type="box" size="2 2 0.1" pos="0 0 -0.1" friction="0.5"/>
  <body name="cube" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body>
</worldbody></mujoco>)";

PushAnswer ask(const model::Scene& scene, const Eigen::Vector3d& p, const Eigen::Vector3d& d) {
  const LimitAnalysis analysis(build_contact_system(scene));
  EXPECT_EQ(analysis.stability(), Stability::stable);
  return analysis.ask(push_load(scene, analysis.system(), {scene.find_body("cube"), p, d}));
}

TEST(LimitAnalysis, CubeOnFloor) {
  const model::Scene scene = model::read_scene_text(kCube, model::SceneFormat::mjcf, "cube.xml");
  const double weight = 2 * 9.81;
  // Low push: slips at mu m g. High push at height h: topples at m g a / (2 h).
  PushAnswer answer = ask(scene, {-0.1, 0, 0.05}, {1, 0, 0});
  EXPECT_NEAR(answer.robustness, 0.5 * weight, 1e-4 * weight);
  EXPECT_EQ(answer.mode, Mode::slip);
  EXPECT_LE(answer.lower, 0.5 * weight * (1 + 1e-8));
  EXPECT_GE(answer.upper, 0.5 * weight * (1 - 1e-8));
  EXPECT_EQ(answer.moving, std::vector<model::BodyIndex>{scene.find_body("cube")});
  answer = ask(scene, {0, 0, 0.2}, {0, 0, 1});
  EXPECT_NEAR(answer.robustness, weight, 1e-4 * weight);
  EXPECT_EQ(answer.mode, Mode::lift);
  answer = ask(scene, {0, 0, 0.2}, {0, 0, -1});
  EXPECT_TRUE(answer.unbounded);
  answer = ask(scene, {-0.1, 0, 0.2}, {1, 0, 0});  // both at once: mu m g = m g a / 2h
  EXPECT_NEAR(answer.robustness, 0.5 * weight, 1e-4 * weight);
  answer = ask(scene, {0.1, 0, 0.2}, {0, 0, 1});  // pulled up at an edge: half the weight
  EXPECT_NEAR(answer.robustness, 0.5 * weight, 1e-4 * weight);
  EXPECT_EQ(answer.mode, Mode::topple);
}

// Without friction a push sideways needs no force at all, and slides; pulling up is as with friction.
TEST(LimitAnalysis, FrictionlessCubeSlides) {
  std::string text = kCube;
  for (std::size_t at; (at = text.find("friction=\"0.5\"")) != std::string::npos;)
    text.replace(at, 14, "friction=\"0\"");
  const model::Scene scene = model::read_scene_text(text, model::SceneFormat::mjcf, "cube.xml");
  PushAnswer answer = ask(scene, {-0.1, 0, 0.05}, {1, 0, 0});
  EXPECT_EQ(answer.robustness, 0.0);
  EXPECT_LT(answer.upper, 1e-9);
  EXPECT_EQ(answer.mode, Mode::slip);
  EXPECT_EQ(answer.moving.size(), 1u);
  answer = ask(scene, {0, 0, 0.2}, {0, 0, 1});
  EXPECT_NEAR(answer.robustness, 2 * 9.81, 1e-3);
  EXPECT_EQ(answer.mode, Mode::lift);
}

// Forces that are given prove that the scene rests, or are not believed.
TEST(LimitAnalysis, TakesForcesAtRestThatProveIt) {
  const model::Scene scene = model::read_scene_text(kCube, model::SceneFormat::mjcf, "cube.xml");
  const ContactSystem system = build_contact_system(scene);
  ASSERT_EQ(system.contacts.size(), 4u);
  const double weight = 2 * 9.81;
  const auto up = [&](double share) {
    return std::vector<Eigen::Vector3d>(4, Eigen::Vector3d(0, 0, 0.25 * share * weight));
  };
  const LimitAnalysis proven(system, {}, up(1.0));
  EXPECT_EQ(proven.stability(), Stability::stable);
  EXPECT_EQ(proven.programs(), 0);
  EXPECT_NEAR(proven.resting_forces().front().z(), 0.25 * weight, 1e-12);
  const Load push = push_load(scene, system, {scene.find_body("cube"), {-0.1, 0, 0.05}, {1, 0, 0}});
  EXPECT_NEAR(proven.ask(push).robustness, 0.5 * weight, 1e-4 * weight);
  // Too little, a force outside its cone (all four balance), and one missing.
  std::vector<Eigen::Vector3d> sideways = up(1.0), few = up(4.0 / 3.0);
  for (std::size_t k = 0; k < 4; ++k) {
    const double away = system.contacts[k].p_W.x() > 0.0 ? 1.0 : -1.0;
    sideways[k].x() = away * 0.2 * weight;
  }
  few.pop_back();
  for (const auto& forces : {up(0.999), sideways, few}) {
    const LimitAnalysis asked(system, {}, forces);
    EXPECT_EQ(asked.stability(), Stability::stable);
    EXPECT_EQ(asked.programs(), 1);
  }
}

}  // namespace
}  // namespace prehend::stability
