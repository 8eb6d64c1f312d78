#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/pages.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

model::Scene page_cube() {
  return model::read_scene_text(R"(<mujoco><worldbody>
    <geom name="floor" type="box" size="2 2 0.1" pos="0 0 -0.1" friction="0.5"/>
    <body name="cube" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body>
    </worldbody></mujoco>)",
                                model::SceneFormat::mjcf, "cube.xml");
}

RobustnessResult ask(const model::Scene& scene, const Vector3d& p, const Vector3d& d) {
  const Push push{scene.find_body("cube"), p, d};
  return robustness(scene, {&push, 1});
}

TEST(MechanismPage, SlidingStaysOnTheFloor) {
  const model::Scene scene = page_cube();
  const RobustnessResult result = ask(scene, {-0.1, 0, 0.05}, {1, 0, 0});
  const auto& proof = result.answers.front().proof->motion;
  EXPECT_GT(proof.front().tail<3>().z(), 0.1);  // the proof dilates: v_n = mu v_t
  const Vector3d v = without_dilation(result.system, proof).front().tail<3>();
  EXPECT_GT(v.x(), 0.5);
  EXPECT_LT(std::abs(v.z()), 1e-6);
}

TEST(MechanismPage, TurningOnTheSpotStaysFlat) {
  // Pushed at an edge the cube turns while it slides: corners move at different speeds, and the proof tilts it.
  const model::Scene scene = page_cube();
  const RobustnessResult result = ask(scene, {-0.1, 0.09, 0.02}, {1, 0, 0});
  ASSERT_EQ(result.answers.front().mode, Mode::slip);
  const Proof& proof = *result.answers.front().proof;
  const auto shown = without_dilation(result.system, proof.motion, proof.forces_W);
  EXPECT_LT(shown.front().head<2>().norm() * result.system.length, 0.02);  // no tilt
  EXPECT_LT(std::abs(shown.front().tail<3>().z()), 0.02);
}

TEST(MechanismPage, TopplingIsLeftAlone) {
  const model::Scene scene = page_cube();
  const RobustnessResult result = ask(scene, {0.1, 0, 0.2}, {0, 0, 1});
  ASSERT_EQ(result.answers.front().mode, Mode::topple);
  const auto& proof = result.answers.front().proof->motion;
  const auto shown = without_dilation(result.system, proof, result.answers.front().proof->forces_W);
  EXPECT_LT((shown.front() - proof.front()).norm(), 0.02 * proof.front().norm());
}

TEST(MechanismPage, MotionStartsAtRestAndReachesAQuarterOfTheSize) {
  const model::Scene scene = page_cube();
  const RobustnessResult result = ask(scene, {-0.1, 0, 0.05}, {1, 0, 0});
  const report::SceneView view = report::view_scene(scene);
  const report::Motion motion =
      mechanism_motion(scene, result.system, view,
                       {result.answers.front().proof->motion, result.answers.front().proof->forces_W,
                        result.answers.front().moving});
  ASSERT_EQ(motion.tracks.size(), 1u);
  const auto& poses = motion.tracks.front().X_WB;
  ASSERT_EQ(poses.size(), motion.times.size());
  EXPECT_TRUE(poses.front().is_approx(scene.bodies[scene.find_body("cube")].X_WB, 1e-12));
  EXPECT_NEAR((poses.back().p() - poses.front().p()).norm(), 0.5 * result.system.length,
              0.01 * result.system.length);
}

TEST(RobustnessPage, SaysTheAnswerAtTheTop) {
  const model::Scene scene = page_cube();
  report::Page page = robustness_page(scene, ask(scene, {-0.1, 0, 0.05}, {1, 0, 0}));
  EXPECT_EQ(page.verdict_sentence(), "It holds up to 9.81 N on 'cube' (slip: 'cube').");
  EXPECT_EQ(page.verdict(), report::Verdict::good);
  page = robustness_page(scene, ask(scene, {0, 0, 0.2}, {0, 0, -1}));
  EXPECT_EQ(page.verdict_sentence(), "It withstands any force on 'cube'.");
}

TEST(RobustnessPage, MapCarriesAValueAndALabelPerVertex) {
  const model::Scene scene = page_cube();
  RobustnessOptions options;
  options.map_accuracy = 1e-3;
  const auto pushes = surface_pushes(scene, model::find_scene_contacts(scene), 200);
  MapPictureOptions drawing;
  drawing.vertices = 200;
  const MapPicture picture = draw_map_picture(scene, options, drawing);
  report::SceneView view = report::view_scene(scene);
  add_robustness_map(scene, picture, view);
  const report::SceneBody& body = view.scene.bodies[view.bodies[scene.find_body("cube")]];
  ASSERT_EQ(body.maps.size(), 1u);
  const report::ScalarMap& map = body.maps.front();
  ASSERT_EQ(map.values.size(), body.mesh_B.vertices.size());
  ASSERT_EQ(map.label_of.size(), body.mesh_B.vertices.size());
  for (std::size_t v = 0; v < map.values.size(); ++v) {
    const std::string& label = map.labels[static_cast<std::size_t>(map.label_of[v])];
    EXPECT_EQ(std::isinf(map.values[v]), label == "nothing moves, however hard") << label;
  }
  const report::Page page = robustness_page(scene, robustness(scene, pushes, options), &picture);
  EXPECT_EQ(page.verdict_sentence().substr(0, 34), "It stands; the weakest of 200 push");
}

}  // namespace
}  // namespace prehend::stability
