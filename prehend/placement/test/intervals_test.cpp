// Placements that hold for everything inside intervals, several objects in turn, and the force checks of algorithm 5.
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/placement/placement.h>
#include <prehend/placement/source/force_checks.h>
#include <prehend/placement/test/placement_scenes.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/transport.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// A plank over a pivot with a weight on one side: its masses may help or hurt.
struct Balance {
  model::Scene scene = floor_scene(0.6);
  model::BodyIndex plank, weight, object;
  Balance() {
    add_body(scene, "pivot", box_geom({0.06, 0.1, 0.1}, 0.6), at(0, 0, 0.05));
    plank = add_body(scene, "plank", box_geom({0.6, 0.1, 0.02}, 0.6), at(0.02, 0, 0.11), 0.7);
    weight = add_body(scene, "weight", box_geom({0.06, 0.06, 0.06}, 0.6), at(-0.06, 0, 0.15), 0.13);
    object = add_body(scene, "object", box_geom({0.06, 0.06, 0.06}, 0.6), at(0, 0, 5), 0.13);
  }
};

double least_margin(const model::Scene& scene) {
  stability::TransportOptions options;
  options.directions = 48;
  options.system.contact.set_tolerance(1e-6);
  double least = 1e9;
  const stability::TransportResult result = stability::transport(scene, options);
  if (result.status != stability::TransportStatus::ok) return 0.0;
  for (const stability::TransportAnswer& answer : result.answers) {
    if (!answer.limit.unbounded) least = std::min(least, answer.limit.robustness / 9.81);
  }
  return least;
}

TEST(Intervals, WhatIsGuaranteedHoldsForRandomValuesInside) {
  Balance balance;
  PlacementOptions options;
  options.touch = {"plank"};
  options.intervals.friction = 0.3;
  options.intervals.mass = 0.25;
  const PlacementResult result = place(balance.scene, balance.object, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  const Placement& p = result.placements.front();
  EXPECT_GE(p.guaranteed_margin_g, options.margin);
  EXPECT_LE(p.guaranteed_margin_g, p.margin_g * 1.001);
  EXPECT_GT(p.guaranteed_min_sr, 0.0);
  EXPECT_LE(p.guaranteed_min_sr, p.min_sr * 1.001);
  balance.scene.bodies[balance.object].X_WB = p.X_WO;
  math::RandomStream random(5, 1);
  double least = 1e9;
  for (int trial = 0; trial < 24; ++trial) {
    model::Scene other = balance.scene;
    const double mu = 0.6 * (1.0 - 0.3 * random.uniform());
    for (model::Body& body : other.bodies) {
      for (model::Geom& geom : body.geoms) geom.friction = mu;
    }
    for (const model::BodyIndex b : {balance.plank, balance.weight, balance.object}) {
      const double factor = trial < 8 ? 1.0 + 0.25 * ((trial >> (b.value() % 3)) & 1 ? 1 : -1) : random.uniform(0.75, 1.25);
      math::SpatialInertia& inertia = other.bodies[b].inertia;
      inertia.mass *= factor;
    }
    const double margin = least_margin(other);
    least = std::min(least, margin);
    EXPECT_GE(margin, p.guaranteed_margin_g * 0.999) << trial;
  }
  EXPECT_LT(least, p.margin_g);  // the intervals matter here
}

TEST(Intervals, FrictionTooUncertainForASlopeIsNone) {
  model::Scene scene;
  add_body(scene, "slope", box_geom({1, 1, 0.1}, 0.5), tilted(0, 0, 0, 0.35));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.05}, 0.5), at(0, 0, 5), 1.0);
  PlacementOptions options;
  EXPECT_EQ(place(scene, box, options).status, PlacementStatus::ok);  // tan 0.35 = 0.365
  options.intervals.friction = 0.2;
  const PlacementResult held = place(scene, box, options);
  ASSERT_EQ(held.status, PlacementStatus::ok) << held.brief_report();
  // The closed form of a slope, at the lower friction.
  EXPECT_NEAR(held.placements.front().guaranteed_margin_g, (0.4 - std::tan(0.35)) / (1.0 + 0.4 * std::tan(0.35)), 3e-4);
  options.intervals.friction = 0.3;
  EXPECT_EQ(place(scene, box, options).status, PlacementStatus::none);
  options.intervals.friction = -0.1;
  EXPECT_THROW(place(scene, box, options), std::invalid_argument);
}

TEST(Intervals, OutlinesKnownRoughlyDrawTheBaseIn) {
  model::Scene scene = floor_scene(2.0);
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}, 2.0), at(0, 0, 5), 1.0);
  PlacementOptions options;
  options.intervals.position = 0.01;
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok);
  EXPECT_NEAR(result.placements.front().margin_g, 1.0, 1e-3);             // it tips about its side
  EXPECT_NEAR(result.placements.front().guaranteed_margin_g, 0.8, 5e-3);  // about a line 0.04 from its middle
}

TEST(Sequence, ThreeBoxesFillATray) {
  model::Scene scene = floor_scene();
  add_body(scene, "tray", box_geom({0.32, 0.1, 0.02}), at(0, 0, 0.3));
  std::vector<model::BodyIndex> boxes;
  for (const char* name : {"a", "b", "c"}) boxes.push_back(add_body(scene, name, box_geom({0.1, 0.09, 0.05}), at(0, 0, 5), 0.3));
  PlacementOptions options;
  options.touch = {"tray"};
  options.upright = 0.01;
  const PlacementSequence sequence = place_in_turn(scene, boxes, options);
  ASSERT_EQ(sequence.status, PlacementStatus::ok) << sequence.brief_report();
  ASSERT_EQ(sequence.steps.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) scene.bodies[boxes[k]].X_WB = sequence.steps[k].placements.front().X_WO;
  EXPECT_NEAR(least_margin(scene), sequence.steps.back().placements.front().margin_g, 0.01);
  for (const model::BodyIndex b : boxes) EXPECT_NEAR(scene.bodies[b].X_WB.p().z(), 0.335, 1e-6);
  EXPECT_THROW(place_in_turn(scene, std::vector{boxes[0], boxes[0]}, options), std::invalid_argument);
  EXPECT_THROW(place_in_turn(scene, std::vector{model::BodyIndex(0)}, options), std::invalid_argument);
  EXPECT_THROW(place_in_turn(scene, {}, options), std::invalid_argument);
}

TEST(Sequence, WhatHasNoRoomLeftIsNotFoundAndSaysWhich) {
  model::Scene scene = floor_scene();
  add_body(scene, "post", box_geom({0.06, 0.06, 0.3}), at(0, 0, 0.15));  // two middles cannot stand on it
  std::vector<model::BodyIndex> boxes;
  for (const char* name : {"a", "b"}) boxes.push_back(add_body(scene, name, box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 0.3));
  PlacementOptions options;
  options.touch = {"post"};
  options.objective = Objective::first;
  const PlacementSequence sequence = place_in_turn(scene, boxes, options);
  EXPECT_EQ(sequence.status, PlacementStatus::not_found);
  ASSERT_EQ(sequence.steps.size(), 2u);
  ASSERT_FALSE(sequence.problems.empty());
  EXPECT_NE(sequence.problems.front().find("'b'"), std::string::npos);
  EXPECT_NE(sequence.to_json().find("\"sequence\""), std::string::npos);
}

TEST(ForceChecks, AsInAlgorithm5) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  add_body(scene, "step", box_geom({0.2, 0.2, 0.1}), at(0.5, 0, 0.05));
  const Problem problem = prepare(scene, box, {});
  const ForceChecks checks(problem);
  EXPECT_EQ(checks.of(at(0, 0, 0.05)), ForceCheck::passed);
  EXPECT_EQ(checks.of(at(0, 0, 0.049)), ForceCheck::penetrates);
  EXPECT_EQ(checks.of(at(0, 0, 0.06)), ForceCheck::floats);
  // Its middle stands 4 mm inside the step: the least-norm forces are linear over the patch and pull at its far side, by less than the weight.
  EXPECT_EQ(checks.of(at(0.396 + 0.208, 0, 0.15)), ForceCheck::unbalanced);
  EXPECT_EQ(checks.of(at(0.596, 0, 0.15)), ForceCheck::passed);
  // A strip of 5 mm, the middle 45 mm beside it: the lever makes the pull many weights.
  EXPECT_EQ(checks.of(at(0.645, 0, 0.15)), ForceCheck::pulls);
}

TEST(Drop, SlowlyAsInTheSource) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.08, 0.06}), at(0, 0, 5), 1.0);
  PlacementOptions options;
  options.planner = Planner::slow_drop;
  options.objective = Objective::first;
  options.time_limit = 60.0;
  options.seed = 2;
  options.touch = {"floor"};
  const PlacementResult result = place(scene, box, options);
  EXPECT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  EXPECT_STREQ(to_string(result.planner), "slow_drop");
}

}  // namespace
}  // namespace prehend::placement
