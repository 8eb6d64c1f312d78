// The other planners: what they find is verified like every placement; here that they find something, and what they say when not.
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/placement/baselines/touch.h>
#include <prehend/placement/placement.h>
#include <prehend/placement/planning/trial_count.h>
#include <prehend/placement/source/scene_points.h>
#include <prehend/placement/test/placement_scenes.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

PlacementOptions with(Planner planner, std::uint64_t seed = 1) {
  PlacementOptions options;
  options.planner = planner;
  options.objective = Objective::first;
  options.seed = seed;
  options.time_limit = 60.0;  // a loaded machine must not decide
  return options;
}

// The lowest corner of a box of this size at a pose.
double lowest_corner(const math::Pose& X, const Vector3d& size) {
  double least = 1e9;
  for (int k = 0; k < 8; ++k)
    least = std::min(least, (X * (0.5 * size.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)))).z());
  return least;
}

TEST(Touch, SunkenAndTiltedBoxesComeToExactTouch) {
  model::Scene scene = floor_scene();
  const Vector3d size(0.2, 0.1, 0.06);
  const auto box = add_body(scene, "box", box_geom(size), at(0, 0, 5), 1.0);
  const Problem problem = prepare(scene, box, {});
  const Touch touch(problem);
  for (int k = 0; k < 20; ++k) {
    // Sunk by 1e-4 and off by up to 1e-3 rad, with any yaw.
    const Eigen::Quaterniond tilt(Eigen::AngleAxisd(1e-3 * std::sin(k), Vector3d(std::cos(k), std::sin(2.0 * k), 0).normalized()));
    const Eigen::Quaterniond yaw(Eigen::AngleAxisd(0.3 * k, Vector3d::UnitZ()));
    const math::Pose sunk(tilt * yaw, {0.01 * k, 0, 0.03 - 1e-4});
    const auto pose = touch.closed(sunk, 5e-4);
    ASSERT_TRUE(pose) << k;
    EXPECT_NEAR(lowest_corner(*pose, size), 0.0, 2e-7) << k;
    EXPECT_NEAR((pose->q() * Vector3d::UnitZ()).z(), 1.0, 1e-12) << k;
    EXPECT_LT((pose->p() - sunk.p()).head<2>().norm(), 1e-4) << k;  // it moves no farther than it must
  }
  EXPECT_FALSE(touch.closed(at(0, 0, 1), 5e-4));  // nothing near
}

TEST(Drop, FindsFloorsAndGrooves) {
  model::Scene scene = floor_scene();
  const Vector3d size(0.1, 0.08, 0.06);
  const auto box = add_body(scene, "box", box_geom(size), at(0, 0, 5), 1.0);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const PlacementResult result = place(scene, box, with(Planner::drop, seed));
    ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
    EXPECT_NEAR(lowest_corner(result.placements.front().X_WO, size), 0.0, 1e-6);
    EXPECT_LE(result.attempts, 20);
  }
  model::Scene groove;
  add_body(groove, "left", box_geom({0.3, 0.3, 0.04}, 0.2), tilted(-0.12, 0, 0.12, 40 * math::kDegree));
  add_body(groove, "right", box_geom({0.3, 0.3, 0.04}, 0.2), tilted(0.12, 0, 0.12, -40 * math::kDegree));
  const auto cube = add_body(groove, "box", box_geom({0.1, 0.1, 0.1}, 0.2), at(0, 0, 5), 1.0);
  const PlacementResult result = place(groove, cube, with(Planner::drop));
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  EXPECT_GE(result.placements.front().contacts.size(), 2u);
}

TEST(Drop, ACubeOnASteepSlideFindsNoneAndSaysWhatHappened) {
  model::Scene scene;
  add_body(scene, "slope", box_geom({0.3, 0.3, 0.1}), tilted(0, 0, 0, 40.0 * math::kDegree));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.05}), at(0, 0, 5), 1.0);
  PlacementOptions options = with(Planner::drop);
  options.time_limit = 1.0;
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::not_found) << result.brief_report();
  EXPECT_NE(result.problems.front().find("fell off"), std::string::npos) << result.problems.front();
}

TEST(Drop, TheSameSeedGivesTheSamePose) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.08, 0.06}), at(0, 0, 5), 1.0);
  const PlacementResult a = place(scene, box, with(Planner::drop, 5)), b = place(scene, box, with(Planner::drop, 5));
  ASSERT_EQ(a.status, PlacementStatus::ok);
  EXPECT_TRUE(a.placements.front().X_WO == b.placements.front().X_WO);
}

TEST(Chance, FindsNothingAndCounts) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.08, 0.06}), at(0, 0, 5), 1.0);
  const PlacementResult result = place(scene, box, with(Planner::chance));
  EXPECT_EQ(result.status, PlacementStatus::not_found);
  EXPECT_EQ(result.attempts, 500);
  long rejected = 0;
  for (const auto& [reason, count] : result.rejected) rejected += count;
  EXPECT_EQ(rejected, 500);
  EXPECT_NE(result.problems.front().find("none of 500 random poses"), std::string::npos);
}

TEST(Algorithm5, FindsFloorsStacksAndCanyons) {
  for (const Planner planner : {Planner::robustness, Planner::uniform}) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      model::Scene ground = floor_scene();
      const auto brick = add_body(ground, "box", box_geom({0.1, 0.08, 0.06}), at(0, 0, 5), 1.0);
      EXPECT_EQ(place(ground, brick, with(planner, seed)).status, PlacementStatus::ok) << to_string(planner) << seed;

      model::Scene stack = floor_scene();
      for (int k = 0; k < 3; ++k) add_body(stack, "b" + std::to_string(k), box_geom({0.1, 0.1, 0.1}), at(0, 0, 0.05 + 0.1 * k), 1.0);
      const auto cube = add_body(stack, "cube", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
      PlacementOptions options = with(planner, seed);
      options.touch = {"b2"};
      const PlacementResult on_top = place(stack, cube, options);
      ASSERT_EQ(on_top.status, PlacementStatus::ok) << to_string(planner) << seed << on_top.brief_report();
      EXPECT_GT(on_top.placements.front().X_WO.p().z(), 0.3);

      model::Scene canyon = floor_scene();
      add_body(canyon, "left", box_geom({0.06, 0.2, 0.3}), at(-0.06, 0, 0.15), 2.0);
      add_body(canyon, "right", box_geom({0.06, 0.2, 0.3}), at(0.06, 0, 0.15), 2.0);
      const auto lid = add_body(canyon, "lid", box_geom({0.12, 0.12, 0.12}), at(0, 0, 5), 0.5);
      PlacementOptions across = with(planner, seed);
      across.touch = {"left", "right"};
      EXPECT_EQ(place(canyon, lid, across).status, PlacementStatus::ok) << to_string(planner) << seed;
    }
  }
}

TEST(Algorithm5, FacesLieFlushInAGroove) {
  model::Scene groove;
  add_body(groove, "left", box_geom({0.3, 0.3, 0.04}, 0.2), tilted(-0.12, 0, 0.12, 45 * math::kDegree));
  add_body(groove, "right", box_geom({0.3, 0.3, 0.04}, 0.2), tilted(0.12, 0, 0.12, -45 * math::kDegree));
  const auto cube = add_body(groove, "box", box_geom({0.1, 0.1, 0.1}, 0.2), at(0, 0, 5), 1.0);
  const PlacementResult result = place(groove, cube, with(Planner::uniform));
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  // Both sides wholly, as far as the cube lies over the groove, which ends at y = +-0.15.
  const double y = result.placements.front().X_WO.p().y();
  const double over = std::min(y + 0.05, 0.15) - std::max(y - 0.05, -0.15);
  ASSERT_EQ(result.placements.front().contacts.size(), 2u);
  for (const PlacedContact& contact : result.placements.front().contacts) EXPECT_NEAR(contact.area, 0.1 * over, 1e-5);
}

TEST(Algorithm5, ProbabilitiesFollowRobustnessAndLevelOut) {
  std::vector<SampledPoint> points(4);
  for (std::size_t i = 0; i < 4; ++i) points[i].p_W = Vector3d(0.1 * static_cast<double>(i), 0, 0);
  points[0].robustness = 1.0;
  points[1].robustness = 3.0;
  points[2].robustness = std::numeric_limits<double>::infinity();
  points[3].robustness = 0.0;
  PointWeights weights = weights_of(points);
  EXPECT_DOUBLE_EQ(weights.first_cap, 6.0);
  weights.scale = 1e9;  // without the pull to the centre: (5.10) alone
  const std::vector<double> start = probabilities(points, weights, 0), late = probabilities(points, weights, 2000);
  EXPECT_NEAR(start[0], 0.1, 1e-12);
  EXPECT_NEAR(start[1], 0.3, 1e-12);
  EXPECT_NEAR(start[2], 0.6, 1e-12);
  // (5.11) says 1 / 4 for all; the point without robustness is never chosen.
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(late[static_cast<std::size_t>(i)], 1.0 / 3.0, 1e-9);
  EXPECT_EQ(late[3], 0.0);
}

TEST(Algorithm5, NormalConesOfEdgesAndCorners) {
  SampledPoint ridge;
  ridge.cone_W = {Vector3d(1, 0, 1).normalized(), Vector3d(-1, 0, 1).normalized()};
  EXPECT_TRUE(in_normal_cone(ridge, Vector3d::UnitZ()));
  EXPECT_FALSE(in_normal_cone(ridge, Vector3d(2, 0, 1).normalized()));
  EXPECT_FALSE(in_normal_cone(ridge, Vector3d(0, 1, 1).normalized()));
  SampledPoint tip;
  tip.cone_W = {Vector3d(1, 0, 1).normalized(), Vector3d(-1, 0, 1).normalized(), Vector3d(0, 1, 1).normalized(), Vector3d(0, -1, 1).normalized()};
  EXPECT_TRUE(in_normal_cone(tip, Vector3d::UnitZ()));
  EXPECT_TRUE(in_normal_cone(tip, Vector3d(0.3, 0.3, 1).normalized()));
  EXPECT_FALSE(in_normal_cone(tip, Vector3d(0.8, 0.8, 1).normalized()));
}

TEST(HeightMap, FindsTheLowPlaceThatMayBeTouched) {
  model::Scene scene = floor_scene();
  add_body(scene, "high", box_geom({0.3, 0.3, 0.2}), at(-0.2, 0, 0.1));
  add_body(scene, "low", box_geom({0.3, 0.3, 0.1}), at(0.2, 0, 0.05));
  const Vector3d size(0.1, 0.08, 0.06);
  const auto box = add_body(scene, "box", box_geom(size), at(0, 0, 5), 1.0);
  PlacementOptions options = with(Planner::heightmap);
  options.touch = {"high", "low"};
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  // Wholly on either, on any side: each raises the map by the box's own volume, and overhangs raise it by more.
  const double z = lowest_corner(result.placements.front().X_WO, size);
  EXPECT_TRUE(std::abs(z - 0.1) < 1e-6 || std::abs(z - 0.2) < 1e-6) << z;
  ASSERT_EQ(result.placements.front().contacts.size(), 1u);
  const double area = result.placements.front().contacts.front().area;
  EXPECT_LT(std::min({std::abs(area - 0.1 * 0.08), std::abs(area - 0.1 * 0.06), std::abs(area - 0.08 * 0.06)}), 1e-6) << area;
}

TEST(HeightMap, FindsNothingOnASteepSlide) {
  model::Scene scene;
  add_body(scene, "slope", box_geom({0.3, 0.3, 0.1}), tilted(0, 0, 0, 40.0 * math::kDegree));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.05}), at(0, 0, 5), 1.0);
  PlacementOptions options = with(Planner::heightmap);
  options.time_limit = 0.3;
  const PlacementResult result = place(scene, box, options);
  EXPECT_EQ(result.status, PlacementStatus::not_found) << result.brief_report();
  EXPECT_NE(result.problems.front().find("places of least height"), std::string::npos);
}

TEST(TrialCount, PosesThatAreAlikeCountOnce) {
  TrialCount count(2, 100);
  Verdict found;
  found.rejection = Rejection::none;
  found.placement.X_WO = at(0, 0, 0);
  count.observe(found);
  found.placement.X_WO = at(0, 0, 0.005);
  count.observe(found);
  EXPECT_TRUE(count.begin());
  found.placement.X_WO = at(0, 0, 0.02);
  count.observe(found);
  EXPECT_FALSE(count.begin());
  EXPECT_EQ(count.begun(), 1);
}

}  // namespace
}  // namespace prehend::placement
