#include <generated/benchmark_scenes.h>
#include <generated/cone_limit.h>
#include <gtest/gtest.h>

#include <prehend/stability/transport.h>

namespace prehend::stability {
namespace {

double msa(const model::Scene& scene, const Eigen::Vector3d& d) {
  const LimitAnalysis analysis(build_contact_system(scene));
  return analysis.ask(acceleration_load(analysis.system(), d)).robustness;
}

TEST(Transport, SlidingAndTopplingByHand) {
  // A cube slides at mu g, or topples at g: the same in all directions while it slides.
  CubeScene low;
  low.friction = 0.3;
  const TransportResult slides = transport(cube_scene(low));
  ASSERT_EQ(slides.status, TransportStatus::ok);
  ASSERT_EQ(slides.answers.size(), 100u);
  for (const TransportAnswer& answer : slides.answers) {
    EXPECT_NEAR(answer.limit.robustness, 0.3 * 9.81, 1e-3);
    EXPECT_EQ(answer.limit.mode, Mode::slip);
  }
  CubeScene rough;
  rough.friction = 2.0;
  EXPECT_NEAR(msa(cube_scene(rough), Eigen::Vector3d::UnitX()), 9.81, 2e-3);
  // Diagonally it stands on a corner: the square reaches sqrt(2) as far.
  EXPECT_NEAR(msa(cube_scene(rough), {1, 1, 0}), 9.81 * std::sqrt(2.0), 3e-3);
}

TEST(Transport, SlantByHand) {
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  EXPECT_NEAR(msa(slant_scene(1), y), 9.81 / 3, 1e-3);
  EXPECT_NEAR(msa(slant_scene(1), -y), 1.2 * 9.81, 2e-3);
  EXPECT_NEAR(msa(slant_scene(2), y), 9.81 * std::tan(std::atan(1.2) - std::atan(0.5)), 1e-3);
  EXPECT_LT(msa(slant_scene(2), Eigen::Vector3d::UnitX()),
            msa(slant_scene(1), Eigen::Vector3d::UnitX()) - 0.1);
}

// Two routes: a ground that accelerates by just less than the limit is a scene with tilted gravity that is stable.
TEST(Transport, AcceleratedSceneIsStableBelowAndUnstableAbove) {
  const model::Scene scene = slant_scene(2);
  TransportOptions options;
  options.directions = 8;
  for (const TransportAnswer& answer : transport(scene, options).answers) {
    for (const double factor : {0.99, 1.01}) {
      ContactSystemOptions tilted;
      tilted.acceleration_W = factor * answer.limit.robustness * answer.d_W;
      const LimitAnalysis analysis(build_contact_system(scene, tilted));
      EXPECT_EQ(analysis.stability(), factor < 1 ? Stability::stable : Stability::unstable)
          << answer.d_W.transpose();
    }
  }
}

TEST(Transport, DirectionsLieInThePlane) {
  for (const Eigen::Vector3d& n :
       {Eigen::Vector3d(0, 0, 2), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, -2, 3)}) {
    const std::vector<Eigen::Vector3d> directions = plane_directions(n, 7);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_NEAR(directions[i].dot(n), 0.0, 1e-12);
      EXPECT_NEAR(directions[i].norm(), 1.0, 1e-12);
      EXPECT_GT(directions[i].cross(directions[(i + 1) % 7]).dot(n), 0.0);
    }
  }
}

TEST(Transport, SaysWhatFallsAndWhatIsWrong) {
  model::Scene scene = cube_scene();
  scene.gravity_W = {9.0, 0, -9.81};
  const TransportResult result = transport(scene);
  EXPECT_EQ(result.status, TransportStatus::unstable);
  ASSERT_EQ(result.moving.size(), 1u);
  EXPECT_NE(result.brief_report().find("falls without any acceleration; moving: cube"), std::string::npos);
  TransportOptions options;
  options.directions = 0;
  EXPECT_THROW(transport(scene, options), std::invalid_argument);
  options.directions = 4;
  options.normal_W.setZero();
  EXPECT_THROW(transport(scene, options), std::invalid_argument);
}

TEST(Transport, JsonHasTheFieldsOfTheDesign) {
  const model::Scene scene = cube_scene();
  TransportOptions options;
  options.directions = 1;
  const std::string json = transport(scene, options).to_json();
  EXPECT_EQ(json.rfind("{\"status\":\"ok\",\"results\":[{\"d_W\":[1.0,0.0,0.0],\"msa_mps2\":6.86", 0), 0u)
      << json;
  EXPECT_NE(json.find("\"unbounded\":false"), std::string::npos);
  EXPECT_NE(json.find("\"mode\":\"slip\",\"moving\":[\"cube\"]"), std::string::npos) << json;
}

}  // namespace
}  // namespace prehend::stability
