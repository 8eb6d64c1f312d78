#include <gtest/gtest.h>

#include <prehend/math/angles.h>
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

// Two contacts at each end of a plank between blocks; a ball and a can beside it.
model::Scene round_and_flat() {
  return model::read_scene_text(R"(<mujoco><worldbody>
    <geom name="floor" type="plane" size="2 2 0.1" friction="0.5"/>
    <body name="cube" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body>
    <body name="can" pos="0.5 0 0.1"><freejoint/><geom type="cylinder" size="0.05 0.1" mass="1" friction="0.5"/></body>
    <body name="ball" pos="1 0 0.05"><freejoint/><geom type="sphere" size="0.05" mass="1" friction="0.5"/></body>
    </worldbody></mujoco>)",
                                model::SceneFormat::mjcf, "round.xml");
}

TEST(ForceLayers, OneForcePerInterfaceIsTheSumOfItsPoints) {
  const model::Scene scene = round_and_flat();
  const ContactSystem system = build_contact_system(scene);
  const ContactForcesResult result = contact_forces(system, {});
  std::vector<Vector3d> forces_W;
  for (const ContactForce& contact : result.contacts) forces_W.push_back(contact.f_W);
  const std::vector<InterfaceForce> sums = interface_forces(system, forces_W);
  ASSERT_EQ(sums.size(), 3u);
  for (const InterfaceForce& sum : sums) {
    const model::Body& body = scene.bodies[system.interfaces[sum.interface].body_b];
    // It carries the weight, below the centre of mass.
    EXPECT_NEAR(std::abs(sum.f_W.z()), 9.81 * body.inertia.mass, 1e-6);
    EXPECT_LT((sum.p_W - Vector3d(body.X_WB.p().x(), body.X_WB.p().y(), 0.0)).norm(), 1e-6) << body.name;
    EXPECT_LT(sum.m_W.norm(), 1e-6);
  }
  report::SceneView view = report::view_scene(scene);
  const ForceLayers layers = add_force_layers(scene, system, forces_W, view);
  EXPECT_EQ(view.scene.arrows[layers.interfaces].arrows.size(), 3u);
  EXPECT_NE(view.scene.arrows[layers.interfaces].visible, view.scene.arrows[layers.points].visible);
}

TEST(RobustnessPage, RoundThingsAreDrawnRound) {
  const model::Scene scene = round_and_flat();
  const report::SceneView plain = report::view_scene(scene);
  MapPictureOptions drawing;
  drawing.vertices = 300;
  const MapPicture picture = draw_map_picture(scene, RobustnessOptions{}, drawing);
  report::SceneView mapped = report::view_scene(scene);
  add_robustness_map(scene, picture, mapped);
  for (const report::SceneView* view : std::initializer_list<const report::SceneView*>{&plain, &mapped}) {
    const geometry::TriangleMesh& ball = view->scene.bodies[view->bodies[scene.find_body("ball")]].mesh_B;
    for (const Vector3d& v : ball.vertices) EXPECT_NEAR(v.norm(), 0.05, 1e-12);
    for (const Eigen::Vector3i& t : ball.triangles)  // no side is seen: deeper than 0.1 % of the radius
      EXPECT_GT(
          (ball.vertices[static_cast<std::size_t>(t[0])] + ball.vertices[static_cast<std::size_t>(t[1])])
                  .norm() /
              2,
          0.999 * 0.05);
    const geometry::TriangleMesh& can = view->scene.bodies[view->bodies[scene.find_body("can")]].mesh_B;
    for (const Vector3d& v : can.vertices) {
      const double from_axis = v.head<2>().norm();
      EXPECT_LT(from_axis, 0.05 + 1e-12);
      if (std::abs(v.z()) < 0.1 - 1e-9) EXPECT_NEAR(from_axis, 0.05, 1e-12);
    }
  }
  const report::SceneBody& ball = mapped.scene.bodies[mapped.bodies[scene.find_body("ball")]];
  EXPECT_EQ(ball.maps.front().values.size(), ball.mesh_B.vertices.size());
  EXPECT_EQ(ball.maps.front().label_of.size(), ball.mesh_B.vertices.size());
}

TEST(FallingPage, MarksWhatFallsAndSaysWhatFrictionWouldDo) {
  const auto ramp = [](const char* friction) {
    const std::string mu(friction);
    return model::read_scene_text(R"(<mujoco><compiler angle="degree"/><worldbody>
      <geom type="box" size="0.5 0.3 0.05" euler="0 25 0" friction=")" +
                                      mu + R"("/>
      <body name="box" pos="0.0422618 0 0.0906308" euler="0 25 0"><freejoint/>
        <geom type="box" size="0.05 0.05 0.05" mass="1" friction=")" +
                                      mu + R"("/></body>
      </worldbody></mujoco>)",
                                  model::SceneFormat::mjcf, "ramp.xml");
  };
  const model::Scene scene = ramp("0.3");
  const ContactSystem system = build_contact_system(scene);
  const ContactForcesResult result = contact_forces(system, {});
  ASSERT_EQ(result.status, ContactForcesStatus::unstable);
  // tan 25 degrees = 0.4663
  EXPECT_EQ(friction_advice(system), " With 1.56 times the friction it would stand (0.467 instead of 0.3).");
  const report::Page page = forces_page(scene, system, result);
  EXPECT_EQ(page.verdict_sentence().substr(0, 26), "It falls by itself: 'box'.");
  const auto& shown = std::get<report::Scene3d>(page.sections().front().blocks.front().content);
  ASSERT_EQ(shown.arrows.size(), 1u);
  ASSERT_EQ(shown.arrows.front().arrows.size(), 1u);
  const Vector3d way = shown.arrows.front().arrows.front().vector.normalized();
  // Down the ramp, but for what is left of the opening that belongs to sliding.
  EXPECT_GT(way.dot(Vector3d(std::cos(25.0 * math::kPi / 180.0), 0.0, -std::sin(25.0 * math::kPi / 180.0))),
            0.97);
}

}  // namespace
}  // namespace prehend::stability
