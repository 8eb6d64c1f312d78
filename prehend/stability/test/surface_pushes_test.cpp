#include <map>

#include <gtest/gtest.h>

#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/primitives.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/drawing/surface_cuts.h>
#include <prehend/stability/map_picture.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

// A small cube in the middle of a larger one's top, which stands on the floor.
constexpr char kTwo[] = R"(<mujoco><worldbody>
  <geom name="floor" type="box" size="2 2 0.1" pos="0 0 -0.1"/>
  <body name="low" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  <body name="high" pos="0 0 0.25"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>
</worldbody></mujoco>)";

// A cross of two bars: half of what the bars are made of lies inside the other.
constexpr char kCross[] = R"(<mujoco><worldbody>
  <geom name="floor" type="box" size="2 2 0.1" pos="0 0 -0.1"/>
  <body name="cross" pos="0 0 0.1"><freejoint/>
    <geom type="box" size="0.3 0.1 0.1"/><geom type="box" size="0.1 0.3 0.1"/></body>
</worldbody></mujoco>)";

std::vector<Push> pushes_of(const model::Scene& scene, const SurfacePushOptions& options) {
  return surface_pushes(scene, model::find_scene_contacts(scene), options);
}

TEST(SurfacePushes, UniformByAreaAndNothingCovered) {
  const model::Scene scene = model::read_scene_text(kTwo, model::SceneFormat::mjcf, "two.xml");
  SurfacePushOptions options;
  options.points = 20000;
  const std::vector<Push> pushes = pushes_of(scene, options);
  ASSERT_EQ(pushes.size(), 20000u);
  std::map<std::string, int> count;
  for (const Push& push : pushes) {
    const bool is_low = push.body == scene.find_body("low");
    const double half = is_low ? 0.1 : 0.05, middle = is_low ? 0.1 : 0.25;
    const Vector3d p = (push.p_W - Vector3d(0, 0, middle)) / half;
    EXPECT_NEAR(p.cwiseAbs().maxCoeff(), 1.0, 1e-12);
    EXPECT_NEAR(p.dot(push.d_W), -1.0, 1e-9);  // inward
    if (is_low && p.z() > 1 - 1e-9) {
      EXPECT_GT(push.p_W.head<2>().cwiseAbs().maxCoeff(), 0.05 - 1e-6);
      ++count["ring"];
    } else if (std::abs(p.z()) < 1 - 1e-9) {
      ++count[is_low ? "low sides" : "high sides"];
    } else {
      ++count[is_low ? "low bottom" : p.z() > 0 ? "high top" : "high bottom"];
    }
  }
  EXPECT_EQ(count["low bottom"], 0);
  EXPECT_EQ(count["high bottom"], 0);
  // Areas [cm^2]: ring 300, low sides 1600, high sides 400, high top 100, of 2400; five standard deviations.
  for (const auto& [name, area] : std::map<std::string, double>{
           {"ring", 300}, {"low sides", 1600}, {"high sides", 400}, {"high top", 100}}) {
    const double share = area / 2400, expected = 20000 * share;
    EXPECT_NEAR(count[name], expected, 5 * std::sqrt(expected * (1 - share))) << name;
  }
}

TEST(SurfacePushes, SameSeedSamePointsAndCoveredOnRequest) {
  const model::Scene scene = model::read_scene_text(kTwo, model::SceneFormat::mjcf, "two.xml");
  SurfacePushOptions options;
  options.points = 300;
  const auto first = pushes_of(scene, options), second = pushes_of(scene, options);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].p_W, second[i].p_W);
  options.seed = 1;
  EXPECT_NE(first[0].p_W, pushes_of(scene, options)[0].p_W);
  options.covered = true;
  int bottom = 0;
  for (const Push& push : pushes_of(scene, options)) bottom += push.p_W.z() < 1e-9;
  EXPECT_GT(bottom, 10);  // 400 of 3000 cm^2
  options.points = 0;
  EXPECT_THROW(pushes_of(scene, options), std::invalid_argument);
}

TEST(SurfacePushes, NothingInsideTheOwnBody) {
  const model::Scene scene = model::read_scene_text(kCross, model::SceneFormat::mjcf, "cross.xml");
  for (const Push& push : pushes_of(scene, {})) {
    const Vector3d p = push.p_W;
    const bool inside_x = std::abs(p.x()) < 0.3 - 1e-5 && std::abs(p.y()) < 0.1 - 1e-5;
    const bool inside_y = std::abs(p.x()) < 0.1 - 1e-5 && std::abs(p.y()) < 0.3 - 1e-5;
    EXPECT_FALSE((inside_x || inside_y) && p.z() > 1e-5 && p.z() < 0.2 - 1e-5) << p.transpose();
  }
}

TEST(SurfaceCuts, StaysClosedAndKeepsVolume) {
  for (const bool round : {false, true}) {
    const geometry::TriangleMesh mesh =
        round ? geometry::make_cylinder(0.1, 0.3, 24) : geometry::make_box({0.1, 0.2, 0.5});
    CutSurface surface = creased_surface(mesh);
    const double area = surface.area();
    cut_long_edges(0.05, 100000, surface);
    EXPECT_NEAR(surface.area(), area, 1e-12);
    for (const Eigen::Vector3i& t : surface.triangles) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE((surface.points[static_cast<std::size_t>(t[k])] -
                   surface.points[static_cast<std::size_t>(t[(k + 1) % 3])])
                      .norm(),
                  0.05);
      }
    }
    // A local cut must not open the surface either: check_mesh welds equal points first.
    cut_edges([&](int a, int) { return surface.points[static_cast<std::size_t>(a)].z() > 0.1; }, surface);
    const geometry::MeshReport report = geometry::check_mesh({surface.points, surface.triangles});
    EXPECT_TRUE(report.is_closed) << round;
  }
}

TEST(MapPicture, RefinesWhereTheAnswerChanges) {
  const model::Scene scene = model::read_scene_text(kTwo, model::SceneFormat::mjcf, "two.xml");
  MapPictureOptions options;
  options.vertices = 500;
  MapPicture picture = begin_map_picture(scene, options);
  const std::size_t coarse = picture.pushes.size();
  EXPECT_GT(coarse, 250u);
  EXPECT_LT(coarse, 2000u);
  // A step at x = 0.01.
  const auto step = [](const std::vector<Push>& pushes) {
    std::vector<PushAnswer> answers(pushes.size());
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      answers[i].status = AnswerStatus::ok;
      answers[i].robustness = pushes[i].p_W.x() > 0.01 ? 2.0 : 1.0;
    }
    return answers;
  };
  while (!picture.open.empty()) refine_map_picture(scene, step(picture.open), picture);
  ASSERT_EQ(picture.answers.size(), picture.pushes.size());
  EXPECT_GT(picture.pushes.size(), coarse + 50);
  int near = 0, all = 0;
  for (std::size_t i = coarse; i < picture.pushes.size(); ++i, ++all)
    near += std::abs(picture.pushes[i].p_W.x() - 0.01) < 0.05;
  EXPECT_GT(near, 9 * all / 10);
  for (const MapBody& body : picture.bodies) {
    ASSERT_EQ(body.push.size(), body.mesh_B.vertices.size());
    for (std::size_t v = 0; v < body.push.size(); ++v) {
      const Push& push = picture.pushes[static_cast<std::size_t>(body.push[v])];
      EXPECT_LT((push.p_W - scene.bodies[body.body].X_WB * body.mesh_B.vertices[v]).norm(), 1e-12);
      EXPECT_NEAR(push.d_W.cwiseAbs().maxCoeff(), 1.0, 1e-9);  // a box: normals along the axes
    }
  }
  EXPECT_THROW(refine_map_picture(scene, step(picture.pushes), picture), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
