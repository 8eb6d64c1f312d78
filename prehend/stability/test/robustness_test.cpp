#include <gtest/gtest.h>

#include <prehend/math/enum_text.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/push_file.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

// A floor, and whatever stands on it.
model::Scene on_floor(const std::string& bodies) {
  return model::read_scene_text(R"(<mujoco><worldbody>
    <geom name="floor" type="box" size="2 2 0.1" pos="0 0 -0.1" friction="0.5"/>)" +
                                    bodies + "</worldbody></mujoco>",
                                model::SceneFormat::mjcf, "scene.xml");
}
std::string box(const std::string& name, const Vector3d& at, double half, double mass,
                double friction = 0.5) {
  const auto text = [](double x) { return std::to_string(x) + " "; };
  return "<body name='" + name + "' pos='" + text(at.x()) + text(at.y()) + text(at.z()) +
         "'><freejoint/><geom type='box' size='" + text(half) + text(half) + text(half) + "' mass='" +
         text(mass) + "' friction='" + text(friction) + "'/></body>";
}
model::Scene cube() { return on_floor(box("cube", {0, 0, 0.1}, 0.1, 2)); }

RobustnessResult ask(const model::Scene& scene, const std::string& body, const Vector3d& p, const Vector3d& d,
                     const RobustnessOptions& options = {}) {
  const Push push{scene.find_body(body), p, d};
  return robustness(scene, {&push, 1}, options);
}
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Robustness, CubeByHand) {
  const model::Scene scene = cube();
  const double weight = 2 * 9.81;
  const RobustnessResult result = ask(scene, "cube", {-0.1, 0, 0.05}, {3, 0, 0});
  ASSERT_EQ(result.status, RobustnessStatus::ok);
  const PushAnswer& answer = result.answers.front();
  EXPECT_NEAR(answer.robustness, 0.5 * weight, 1e-4 * weight);
  EXPECT_EQ(answer.mode, Mode::slip);
  EXPECT_EQ(result.pushes.front().d_W, Vector3d::UnitX());  // normalised
  EXPECT_NE(result.brief_report().find("slip"), std::string::npos);
  // Forces at rest carry the weight.
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& f : result.resting_forces_W) sum += f;
  EXPECT_LT((sum - Vector3d(0, 0, weight)).norm(), 1e-6 * weight);
}

TEST(Robustness, UnboundedIsNullInJson) {
  const model::Scene scene = cube();
  const RobustnessResult result = ask(scene, "cube", {0, 0, 0.2}, {0, 0, -1});
  EXPECT_NE(result.to_json().find(
                R"("robustness_N":null,"unbounded":true,"lower_N":null,"upper_N":null,"mode":"unbounded")"),
            std::string::npos)
      << result.to_json();
}

TEST(Robustness, RefusesPushesThatAreNone) {
  const model::Scene scene = cube();
  EXPECT_NE(refusal([&] { ask(scene, "world", {0, 0, 0}, {1, 0, 0}); }).find("body 'world' is fixed"),
            std::string::npos);
  EXPECT_NE(refusal([&] { ask(scene, "cube", {-0.1, 0, 0.1}, {0, 0, 0}); }).find("no direction"),
            std::string::npos);
  EXPECT_NE(refusal([&] { ask(scene, "nobody", {-0.1, 0, 0.1}, {1, 0, 0}); }).find("not one of the scene's"),
            std::string::npos);
  // 3 cm before the surface, and in the middle of the body.
  EXPECT_NE(refusal([&] {
              ask(scene, "cube", {-0.13, 0, 0.1}, {1, 0, 0});
            }).find("lies 0.03 m off the surface of body 'cube'"),
            std::string::npos);
  EXPECT_NE(refusal([&] { ask(scene, "cube", {0, 0, 0.1}, {1, 0, 0}); }).find("lies 0.1 m off"),
            std::string::npos);
  RobustnessOptions anywhere;
  anywhere.check_points = false;
  EXPECT_EQ(ask(scene, "cube", {0, 0, 0.1}, {1, 0, 0}, anywhere).status, RobustnessStatus::ok);
  // Half a millimetre off is a rounded number, not a mistake.
  EXPECT_EQ(ask(scene, "cube", {-0.1005, 0, 0.1}, {1, 0, 0}).status, RobustnessStatus::ok);
}

TEST(Robustness, SaysWhichPushOfMany) {
  const model::Scene scene = cube();
  const std::vector<Push> pushes{{scene.find_body("cube"), {-0.1, 0, 0.1}, {1, 0, 0}},
                                 {scene.find_body("cube"), {-0.1, 0, 0.1}, {0, 0, 0}}};
  EXPECT_EQ(refusal([&] { robustness(scene, pushes); }).substr(0, 15), "push 2 of 2: th");
}

TEST(Robustness, InvalidOptionsAreNamed) {
  const model::Scene scene = cube();
  RobustnessOptions options;
  options.accuracy = 0.5;
  EXPECT_EQ(refusal([&] { ask(scene, "cube", {-0.1, 0, 0.1}, {1, 0, 0}, options); }),
            "RobustnessOptions::accuracy is 0.5; it must be between 1e-09 and 0.1");
  EXPECT_FALSE(from_string<Method>("guess"));
  EXPECT_EQ(from_string<Method>("lp4"), Method::lp4);
  EXPECT_EQ(enum_choices<Method>(), "exact, graph, isolated, lp4, lp8 or simulate");
}

TEST(Robustness, PenetratingBodiesGiveNoAnswer) {
  const model::Scene scene = on_floor(box("low", {0, 0, 0.1}, 0.1, 1) + box("high", {0, 0, 0.295}, 0.1, 1));
  const RobustnessResult result = ask(scene, "high", {-0.1, 0, 0.3}, {1, 0, 0});
  EXPECT_EQ(result.status, RobustnessStatus::undetermined);
  EXPECT_TRUE(result.answers.empty());
  ASSERT_FALSE(result.problems.empty());
  EXPECT_NE(result.problems.front().find("'low' and 'high' overlap by 5 mm"), std::string::npos)
      << result.problems.front();
}

TEST(Robustness, FloatingBodyIsUnstableByName) {
  const model::Scene scene = on_floor(box("cube", {0, 0, 0.1}, 0.1, 1) + box("cloud", {0, 0, 1.0}, 0.1, 1));
  const RobustnessResult result = ask(scene, "cube", {-0.1, 0, 0.1}, {1, 0, 0});
  EXPECT_EQ(result.status, RobustnessStatus::unstable);
  EXPECT_EQ(result.moving, std::vector{scene.find_body("cloud")});
  EXPECT_EQ(result.problems.front(), "the scene falls by itself: 'cloud' moves without any push");
  EXPECT_NE(result.problems.back().find("'cloud' touches nothing"), std::string::npos);
  EXPECT_NE(result.to_json().find(R"("moving":["cloud"])"), std::string::npos);
  // Falling is down.
  EXPECT_LT(result.falling[1].tail<3>().z(), -0.5);
}

TEST(Robustness, OverhangingBodyIsUnstable) {
  const model::Scene scene = on_floor(box("low", {0, 0, 0.1}, 0.1, 1) + box("high", {0.11, 0, 0.3}, 0.1, 1));
  const RobustnessResult result = ask(scene, "low", {-0.1, 0, 0.1}, {1, 0, 0});
  EXPECT_EQ(result.status, RobustnessStatus::unstable);
  EXPECT_EQ(result.moving, std::vector{scene.find_body("high")});
}

TEST(Robustness, AllThatFallIsNamedAndNothingElse) {
  // Two overhanging pairs, a free ball of a box, and a pair that stands.
  const model::Scene scene = on_floor(box("a", {0, 0, 0.1}, 0.1, 1) + box("b", {0.11, 0, 0.3}, 0.1, 1) +
                                      box("c", {1, 0, 0.1}, 0.1, 1) + box("d", {1.12, 0, 0.3}, 0.1, 1) +
                                      box("e", {-1, 0, 0.1}, 0.1, 1) + box("f", {-1, 0, 0.3}, 0.1, 1) +
                                      box("g", {0, 1, 0.5}, 0.1, 1));
  const RobustnessResult result = ask(scene, "a", {-0.1, 0, 0.1}, {1, 0, 0});
  EXPECT_EQ(result.moving, (std::vector{scene.find_body("b"), scene.find_body("d"), scene.find_body("g")}));
  // The motion is admissible, and the weights do work on it.
  double power = 0.0;
  for (NodeIndex i(0); i < result.system.bodies.size(); ++i)
    power += result.system.gravity_wrench(i).dot(result.falling[i]);
  EXPECT_GT(power, 0.1);
  for (ContactIndex k(0); k < result.system.contacts.size(); ++k) {
    const SystemContact& contact = result.system.contacts[k];
    const Vector3d v = result.system.relative_velocity(k, result.falling);
    const double normal = v.dot(contact.n_W());
    EXPECT_GE(normal, contact.mu * (v - normal * contact.n_W()).norm() - 1e-6);
  }
}

TEST(Robustness, FrictionlessCubeHoldsNothingSideways) {
  const model::Scene scene = model::read_scene_text(R"(<mujoco><worldbody>
    <geom type="box" size="2 2 0.1" pos="0 0 -0.1" friction="0"/>
    <body name="cube" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" friction="0"/></body>
    </worldbody></mujoco>)",
                                                    model::SceneFormat::mjcf, "ice.xml");
  const RobustnessResult side = ask(scene, "cube", {-0.1, 0, 0.1}, {1, 0, 0});
  ASSERT_EQ(side.status, RobustnessStatus::ok);
  EXPECT_LT(side.answers.front().robustness, 1e-5);
  EXPECT_TRUE(ask(scene, "cube", {0, 0, 0.2}, {0, 0, -1}).answers.front().unbounded);
}

TEST(Robustness, ThousandToOneMasses) {
  // A feather on an anvil slips at mu times its weight; an anvil on a feather topples with it about the floor's edge.
  for (const bool heavy_above : {false, true}) {
    const double low = heavy_above ? 0.01 : 10.0, high = heavy_above ? 10.0 : 0.01;
    const model::Scene scene =
        on_floor(box("low", {0, 0, 0.1}, 0.1, low) + box("high", {0, 0, 0.3}, 0.1, high));
    const RobustnessResult result = ask(scene, "high", {-0.1, 0, 0.21}, {1, 0, 0});
    ASSERT_EQ(result.status, RobustnessStatus::ok);
    const double expected = heavy_above ? 10.01 * 9.81 * 0.1 / 0.21 : 0.5 * 9.81 * high;
    EXPECT_NEAR(result.answers.front().robustness, expected, 1e-3 * expected) << heavy_above;
  }
}

TEST(Robustness, Sliver) {
  // A card of 0.2 mm on its face: it slips at mu m g, whatever its thickness.
  const model::Scene scene = on_floor(
      "<body name='card' pos='0 0 0.0001'><freejoint/><geom type='box' size='0.1 0.05 0.0001' mass='0.01' "
      "friction='0.5'/></body>");
  const RobustnessResult result = ask(scene, "card", {-0.1, 0, 0.0001}, {1, 0, 0});
  ASSERT_EQ(result.status, RobustnessStatus::ok);
  EXPECT_NEAR(result.answers.front().robustness, 0.5 * 0.01 * 9.81, 1e-3 * 0.01 * 9.81);
}

TEST(Pushes, TableWithLinesInItsErrors) {
  const model::Scene scene = cube();
  const std::string head = "# pushes\nbody,x,y,z,dx,dy,dz\n";
  const auto pushes =
      parse_pushes(head + "cube,-0.1,0,0.1,2,0,0\ncube,0,0,0.2,0,0,-1\n", "q.csv", scene, 1e-4);
  ASSERT_EQ(pushes.size(), 2u);
  EXPECT_EQ(pushes[0].d_W, Vector3d(2, 0, 0));
  const auto message = [&](const std::string& row) {
    try {
      parse_pushes(head + row, "q.csv", scene, 1e-4);
    } catch (const model::InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message("ball,0,0,0,1,0,0\n").find("q.csv:3: error: the scene has no body 'ball'; it has: '"), 0u);
  EXPECT_NE(message("cube,0,0,0.1,1,0,0\n").find("q.csv:3: error: the point (0, 0, 0.1) lies 0.1 m off"),
            std::string::npos);
  EXPECT_NE(message("cube,0,0,x,1,0,0\n").find("q.csv:3: error:"), std::string::npos);
  // What was answered can be asked again.
  const RobustnessResult result = robustness(scene, pushes);
  const auto again = parse_pushes(answers_csv(result), "again.csv", scene, 1e-4);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[1].p_W, pushes[1].p_W);
}

}  // namespace
}  // namespace prehend::stability
