#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/map_picture.h>
#include <prehend/stability/robustness_map.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

model::Scene map_cube() {
  return model::read_scene_text(
      R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
         <body name="cube" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body>
         </worldbody></mujoco>)",
      model::SceneFormat::mjcf, "cube.xml");
}

// The map is its points asked together: the same pushes, one by one, give the same within both accuracies.
TEST(RobustnessMap, IsItsPushesAskedTogether) {
  const model::Scene scene = map_cube();
  RobustnessMapOptions options;
  options.points = 50;
  options.seed = 3;
  const RobustnessResult map = robustness_map(scene, options);
  ASSERT_EQ(map.status, RobustnessStatus::ok);
  const std::vector<Push> pushes = surface_pushes(scene, model::find_scene_contacts(scene), 50, 3);
  const RobustnessResult single = robustness(scene, pushes);
  ASSERT_EQ(map.answers.size(), single.answers.size());
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    EXPECT_EQ(map.pushes[i].p_W, pushes[i].p_W);
    EXPECT_EQ(map.answers[i].unbounded, single.answers[i].unbounded);
    if (map.answers[i].unbounded) continue;
    EXPECT_NEAR(map.answers[i].robustness / single.answers[i].robustness, 1.0, 1e-3 + 1e-4);
  }
  EXPECT_EQ(map.body_names, (std::vector<std::string>{"world", "cube"}));
  EXPECT_EQ(map.to_json().find("{\"status\":\"ok\",\"method\":\"exact\",\"results\":[{\"body\":\"cube\""),
            0u);
}

TEST(RobustnessMap, RefusesByName) {
  const auto message = [](const RobustnessMapOptions& options) -> std::string {
    try {
      robustness_map(map_cube(), options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  RobustnessMapOptions options;
  options.accuracy = 1.0;
  EXPECT_EQ(message(options), "RobustnessMapOptions::accuracy is 1; it must be between 1e-09 and 0.1");
  options = {};
  options.points = 0;
  EXPECT_EQ(message(options), "SurfacePushOptions::points is 0; it must be between 1 and 10000000");
}

TEST(RobustnessMap, ThePictureHasAboutAsManyVerticesAsTheMapHasPoints) {
  RobustnessMapOptions options;
  options.points = 300;
  const MapPicture picture = draw_map_picture(map_cube(), options);
  EXPECT_TRUE(picture.open.empty());
  EXPECT_EQ(picture.options.vertices, 300);
  EXPECT_EQ(picture.answers.size(), picture.pushes.size());
}

}  // namespace
}  // namespace prehend::stability
