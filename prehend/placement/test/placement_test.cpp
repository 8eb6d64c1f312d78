#include <cmath>
#include <ctime>

#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/placement/placement.h>
#include <prehend/placement/planning/problem.h>
#include <prehend/placement/test/placement_scenes.h>
#include <prehend/placement/verify/verifier.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/transport.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

constexpr double kG = 9.81;

PlacementOptions first() {
  PlacementOptions options;
  options.objective = Objective::first;
  return options;
}

// A can that lies on the floor rolls whatever is placed beside it; what is placed on a tray that carries one has no margin.
TEST(Placement, WhatRollsByItselfIsLeftOut) {
  model::Scene scene = floor_scene(0.8);
  add_body(scene, "can", can_geom(0.04, 0.12), tilted(0.5, 0, 0.04, math::kPi / 2), 0.4);
  const auto box = add_body(scene, "box", box_geom({0.2, 0.16, 0.1}, 0.8), at(0, 0, 5), 2.0);
  const PlacementResult beside = place(scene, box, first());
  ASSERT_EQ(beside.status, PlacementStatus::ok) << beside.brief_report();
  EXPECT_NEAR(beside.placements.front().margin_g, 0.8, 0.005 * 0.8);
  ASSERT_EQ(beside.loose.size(), 1u);
  EXPECT_EQ(scene.bodies[beside.loose.front()].name, "can");
  EXPECT_NE(beside.to_json().find("\"loose\":[\"can\"]"), std::string::npos);
  for (const PlacedContact& contact : beside.placements.front().contacts)
    EXPECT_NE(contact.body, beside.loose.front());

  scene.bodies[beside.loose.front()].X_WB = tilted(0.1, 0, 0.06, math::kPi / 2);
  add_body(scene, "tray", box_geom({0.6, 0.6, 0.02}, 0.8), at(0, 0, 0.01), 3.0);
  PlacementOptions options = first();
  options.touch = {"tray"};
  options.time_limit = 1.5;  // it ends by this, on a busy machine, too, after a pose was judged
  const PlacementResult on_tray = place(scene, box, options);
  EXPECT_EQ(on_tray.status, PlacementStatus::not_found) << on_tray.brief_report();
  EXPECT_NE(on_tray.brief_report().find("move at less than the margin before anything is placed"),
            std::string::npos);
  EXPECT_NE(on_tray.brief_report().find("'can', 'tray'"), std::string::npos) << on_tray.brief_report();
}

TEST(Placement, ABoxOnAFloorHasItsClosedForms) {
  model::Scene scene = floor_scene(0.8);
  const auto box = add_body(scene, "box", box_geom({0.2, 0.16, 0.1}, 0.8), at(0, 0, 5), 2.0);
  const PlacementResult result = place(scene, box, first());
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  const Placement& p = result.placements.front();
  // The steadiest side is the largest: it lies flat, its centre 0.05 above the floor.
  EXPECT_NEAR(p.X_WO.p().z(), 0.05, 1e-9);
  // It slides at mu g before it tips at (0.08 / 0.05) g.
  EXPECT_NEAR(p.margin_g, 0.8, 0.005 * 0.8);
  // Pushed horizontally at a top corner it turns on the spot or tips: the weakest of its corners is found by asking all of them.
  scene.bodies[box].X_WB = p.X_WO;
  std::vector<stability::Push> pushes;
  for (const Vector3d& n : {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(-1, 0, 0), Vector3d(0, -1, 0),
                            Vector3d(0, 0, 1), Vector3d(0, 0, -1)}) {
    if ((p.X_WO.q() * n).z() < -0.5) continue;  // the side it lies on
    for (const double u : {-1.0, 1.0}) {
      for (const double v : {-1.0, 1.0}) {
        Vector3d corner = n;
        const int k = std::abs(n.x()) > 0.5 ? 0 : std::abs(n.y()) > 0.5 ? 1 : 2;
        corner[(k + 1) % 3] = u;
        corner[(k + 2) % 3] = v;
        pushes.push_back({box, p.X_WO * Vector3d(0.1, 0.08, 0.05).cwiseProduct(corner), -(p.X_WO.q() * n)});
      }
    }
  }
  double least = 1e9;
  for (const stability::PushAnswer& answer : stability::robustness(scene, pushes).answers)
    least = std::min(least, answer.robustness);
  EXPECT_NEAR(p.min_sr, least, 2e-3 * least);
  EXPECT_NEAR(p.robustness, 0.8 * 2.0 * kG,
              2e-3 * 0.8 * 2.0 * kG);  // upwards it takes the weight, sideways friction
  EXPECT_NEAR(p.volume, 0.2 * 0.16 * 0.1, 1e-9);
  EXPECT_EQ(p.contacts.size(), 1u);
  EXPECT_NEAR(p.contacts.front().area, 0.2 * 0.16, 1e-9);
  EXPECT_NEAR(p.contacts.front().n_W.z(), 1.0, 1e-12);
}

TEST(Placement, ASlopeHoldsUpToItsFriction) {
  for (const double degrees : {10.0, 20.0, 26.0}) {  // atan 0.5 = 26.57
    model::Scene scene;
    add_body(scene, "slope", box_geom({1, 1, 0.1}), tilted(0, 0, 0, degrees * math::kDegree));
    const auto box = add_body(scene, "box", box_geom({0.2, 0.2, 0.05}), at(0, 0, 5), 1.0);
    PlacementOptions options = first();
    options.margin = 0.005;
    const PlacementResult result = place(scene, box, options);
    ASSERT_EQ(result.status, PlacementStatus::ok) << degrees << result.brief_report();
    const double slope = std::tan(degrees * math::kDegree);
    const double slide = (0.5 - slope) / (1.0 + 0.5 * slope);
    EXPECT_NEAR(result.placements.front().margin_g, slide, 0.006 * slide) << degrees;
  }
  model::Scene scene;
  add_body(scene, "slope", box_geom({1, 1, 0.1}), tilted(0, 0, 0, 27.0 * math::kDegree));
  const auto box = add_body(scene, "box", box_geom({0.2, 0.2, 0.05}), at(0, 0, 5), 1.0);
  const PlacementResult result = place(scene, box, first());
  EXPECT_EQ(result.status, PlacementStatus::none)
      << result.brief_report();  // also on its other sides, which are steeper
  EXPECT_NE(result.proof.find("too steep"), std::string::npos);
}

TEST(Placement, ASeeSawIsLoadedWhereItsPivotBears) {
  model::Scene scene = floor_scene();
  add_body(scene, "pivot", box_geom({0.1, 0.2, 0.1}), at(0, 0, 0.05));
  const auto plank = add_body(scene, "plank", box_geom({1.0, 0.2, 0.02}), at(0, 0, 0.11), 1.0);
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 3.0);
  PlacementOptions options = first();
  options.touch = {"plank"};
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  // 3 kg at x against 1 kg in the middle: both above the pivot's 0.1 m while |x| < 0.05 * 4 / 3.
  EXPECT_LT(std::abs((result.placements.front().X_WO).p().x()), 0.05 * 4.0 / 3.0);
  EXPECT_EQ(result.placements.front().contacts.front().body, plank);
}

TEST(Placement, WhatIsAskedIsKept) {
  model::Scene scene = floor_scene();
  add_body(scene, "post", box_geom({0.1, 0.1, 0.3}), at(0, 0, 0.15));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.06, 0.04}), at(0, 0, 5), 1.0);
  PlacementOptions options = first();
  options.region = AxisBox{{-0.2, -0.2, -0.01}, {0.2, 0.2, 0.2}};
  options.keep_out = {{{-0.2, -0.2, 0}, {0.0, 0.2, 1}}, {{0, -0.2, 0}, {0.2, 0.0, 1}}};
  options.upright = 1.0 * math::kDegree;
  options.clearance = 0.02;
  options.approach_W = Vector3d(0, 0, -1);
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  const math::Pose& X = result.placements.front().X_WO;
  EXPECT_GT((X.q() * Vector3d::UnitZ()).z(), std::cos(1.0 * math::kDegree));
  double gap = 1e9;
  for (int k = 0; k < 8; ++k) {
    const Vector3d corner(k & 1 ? 0.05 : -0.05, k & 2 ? 0.03 : -0.03, k & 4 ? 0.02 : -0.02);
    const Vector3d p = X * corner;
    EXPECT_TRUE(p.x() >= -1e-9 && p.y() >= -1e-9 && p.x() <= 0.2 + 1e-9 && p.y() <= 0.2 + 1e-9)
        << p.transpose();
    gap = std::min(gap, std::max(p.x() - 0.05, p.y() - 0.05));
  }
  EXPECT_GE(gap, 0.02 - 1e-9);  // from the post, which reaches to 0.05 in x and y
}

TEST(Placement, NearAndLowAreNearAndLow) {
  model::Scene scene = floor_scene();
  add_body(scene, "table", box_geom({0.4, 0.4, 0.2}), at(0.5, 0.5, 0.1));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.05}), at(0, 0, 5), 1.0);
  PlacementOptions options;
  options.objective = Objective::near;
  options.near_W = {0.5, 0.5, 0.225};
  PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok);
  EXPECT_LT((result.placements.front().X_WO.p() - options.near_W).norm(), 1e-3);
  options.objective = Objective::low;
  result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok);
  EXPECT_NEAR(result.placements.front().X_WO.p().z(), 0.025, 1e-9);
}

TEST(Placement, SeveralAreApart) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.08, 0.05}), at(0, 0, 5), 1.0);
  PlacementOptions options;
  options.count = 6;
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.placements.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    if (i > 0) EXPECT_LE(result.placements[i].min_sr, result.placements[i - 1].min_sr * (1.0 + 1e-9));
    for (std::size_t j = i + 1; j < 6; ++j) {
      const math::Pose &a = result.placements[i].X_WO, &b = result.placements[j].X_WO;
      EXPECT_TRUE((a.p() - b.p()).norm() >= 0.01 || a.q().angularDistance(b.q()) >= 10.0 * math::kDegree);
    }
  }
}

TEST(Placement, AGraspMustBeFree) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  PlacementOptions options = first();
  options.upright = 0.01;
  Grasps grasps;
  grasps.gripper.push_back({{0.02, 0.02, 0.05}, math::Pose()});
  grasps.X_OG = {at(0, 0, -0.1), at(0, 0, 0.1)};  // from below: in the floor; from above: free
  options.grasps = grasps;
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  EXPECT_EQ(result.placements.front().grasps, std::vector<int>{1});
  grasps.X_OG.pop_back();
  options.grasps = grasps;
  EXPECT_EQ(place(scene, box, options).status, PlacementStatus::not_found);
}

TEST(Placement, PoseErrorKeepsOffEdges) {
  model::Scene scene = floor_scene();
  add_body(scene, "table", box_geom({0.2, 0.2, 0.4}), at(0, 0, 0.2));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  PlacementOptions options = first();
  options.touch = {"table"};
  options.pose_error = 0.08;  // its centre may be 0.1 from the middle before it tips
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  EXPECT_LT(result.placements.front().X_WO.p().head<2>().norm(), 0.03);
  options.pose_error = 0.15;
  EXPECT_NE(place(scene, box, options).status, PlacementStatus::ok);
}

TEST(Placement, TheSameSeedGivesTheSamePose) {
  model::Scene scene;
  add_body(scene, "left", box_geom({0.3, 0.3, 0.04}, 0.2), tilted(-0.12, 0, 0.12, 40 * math::kDegree));
  add_body(scene, "right", box_geom({0.3, 0.3, 0.04}, 0.2), tilted(0.12, 0, 0.12, -40 * math::kDegree));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}, 0.2), at(0, 0, 5), 1.0);
  const PlacementResult a = place(scene, box), b = place(scene, box);
  ASSERT_EQ(a.status, PlacementStatus::ok) << a.brief_report();
  EXPECT_TRUE(a.placements.front().X_WO == b.placements.front().X_WO);
  EXPECT_GE(a.placements.front().contacts.size(), 2u);  // both sides of the groove
}

TEST(Placement, BadScenesAreNamed) {
  model::Scene scene = floor_scene();
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  EXPECT_THROW(place(scene, scene.find_body("floor")), std::invalid_argument);
  PlacementOptions options;
  options.touch = {"nobody"};
  EXPECT_THROW(place(scene, box, options), std::invalid_argument);
  options = {};
  options.margin = -0.1;
  EXPECT_THROW(place(scene, box, options), std::invalid_argument);
  options = {};
  options.region = AxisBox{{0, 0, 0}, {1, -1, 1}};
  EXPECT_THROW(place(scene, box, options), std::invalid_argument);
  model::Scene weightless = scene;
  weightless.gravity_W.setZero();
  EXPECT_EQ(place(weightless, box).status, PlacementStatus::invalid);
  model::Scene overlapping = scene;
  add_body(overlapping, "other", box_geom({0.1, 0.1, 0.1}), at(0.3, 0, 0.02), 1.0);
  EXPECT_EQ(place(overlapping, box).status, PlacementStatus::invalid);
  model::Scene falling = scene;
  add_body(falling, "ledge", box_geom({0.1, 0.1, 0.1}), at(0.3, 0, 0.3));
  add_body(falling, "other", box_geom({0.1, 0.1, 0.1}), at(0.38, 0, 0.4), 1.0);
  EXPECT_EQ(place(falling, box).status, PlacementStatus::unstable);
  model::Scene empty;
  const auto alone = add_body(empty, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 0), 1.0);
  EXPECT_EQ(place(empty, alone).status, PlacementStatus::none);
}

// Its surface crosses none, and its lower face is flush with theirs.
TEST(Placement, WhatEnclosesABodyPenetratesIt) {
  model::Scene scene = floor_scene();
  add_body(scene, "small", box_geom({0.02, 0.02, 0.02}), at(0.01, 0, 0.01), 0.1);
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  const Problem problem = prepare(scene, box, first());
  const Verifier verifier(problem);
  EXPECT_EQ(verifier.check(at(0, 0, 0.05)).rejection, Rejection::penetrates);
  EXPECT_TRUE(verifier.check(at(0.2, 0, 0.05)).passed());
}

// Flanks at right angles, where a cube lies flush on both with its edge down: steadier than on the tips.
TEST(Placement, AGrooveIsASeat) {
  model::Scene scene;
  for (const double side : {-1.0, 1.0})
    add_body(scene, side < 0 ? "left" : "right", box_geom({0.3, 0.3, 0.04}),
             tilted(0.12 * side, 0, 0.12, -side * math::kPi / 4));
  const auto cube = add_body(scene, "cube", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  for (const Objective objective : {Objective::first, Objective::robust}) {
    PlacementOptions options;
    options.objective = objective;
    const PlacementResult result = place(scene, cube, options);
    ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
    const Placement& p = result.placements.front();
    EXPECT_NEAR(p.X_WO.p().x(), 0.0, 1e-6);
    double area = 0.0;
    for (const PlacedContact& c : p.contacts) area += c.area;
    EXPECT_NEAR(area, 0.02, 1e-6);  // two whole faces
  }
}

// Two faces of it stand against the walls of a corner: pushes on the others press it in or down.
TEST(Placement, ACornerHoldsWhatIsPushedIntoIt) {
  model::Scene scene = floor_scene();
  add_body(scene, "wall_x", box_geom({0.04, 0.6, 0.4}), at(-0.02, 0.3, 0.2));
  add_body(scene, "wall_y", box_geom({0.6, 0.04, 0.4}), at(0.3, -0.02, 0.2));
  const auto box = add_body(scene, "box", box_geom({0.1, 0.08, 0.06}), at(0, 0, 5), 1.0);
  PlacementOptions options;
  options.region = AxisBox{{0, 0, 0}, {0.2, 0.2, 0.2}};
  const PlacementResult result = place(scene, box, options);
  ASSERT_EQ(result.status, PlacementStatus::ok) << result.brief_report();
  EXPECT_TRUE(std::isinf(result.placements.front().min_sr)) << result.brief_report();
  EXPECT_NEAR(result.placements.front().margin_g, 0.5, 0.01);
}

// A jam is where no force at the object's centre of mass moves anything: walls that squeeze it hold it against every pull. In a corner pulls away from the walls are bounded.
TEST(Placement, WhatWallsSqueezeIsJammed) {
  model::Scene scene = floor_scene();
  for (const double side : {-1.0, 1.0})
    add_body(scene, side < 0 ? "left" : "right", box_geom({0.1, 0.4, 0.2}), at(0.1 * side, 0, 0.1));
  add_body(scene, "block", box_geom({0.06, 0.06, 0.1}), at(0, 0.08, 0.05), 0.5);
  const auto box = add_body(scene, "box", box_geom({0.1, 0.1, 0.1}), at(0, 0, 5), 1.0);
  const Problem problem = prepare(scene, box, first());
  const Verifier verifier(problem);
  EXPECT_EQ(verifier.check(at(0, -0.1, 0.05)).rejection, Rejection::jam);
  EXPECT_EQ(verifier.check(at(0, 0, 0.05)).rejection,
            Rejection::jam);  // though the block beside it can be shaken off
  EXPECT_EQ(verifier.check(at(0, -0.1, 0.12)).rejection,
            Rejection::jam);  // held above the floor by stress that nothing causes
  EXPECT_TRUE(verifier.check(at(0.09, 0, 0.25)).passed());  // on top of a wall
}

// A wall of bricks holds as one: to judge a single pose takes many times the limit, without it some 20 s.
TEST(Placement, TheTimeLimitEndsAVerification) {
  model::Scene scene = floor_scene(0.7);
  for (int row = 0; row < 15; ++row) {
    for (int k = 0; k < 20; ++k)
      add_body(scene, "brick" + std::to_string(20 * row + k), box_geom({0.02, 0.01, 0.006}, 0.7),
               at(0.02 * (k - 10) + (row % 2 ? 0.01 : 0.0), 0, 0.003 + 0.006 * row), 0.1);
  }
  const auto box = add_body(scene, "box", box_geom({0.02, 0.02, 0.02}, 0.7), at(0, 0, 5), 0.1);
  PlacementOptions options;
  options.time_limit = 0.3;
  const std::clock_t start = std::clock();
  const PlacementResult result = place(scene, box, options);
  // Processor time: a busy machine makes it less.
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 2.5);
  EXPECT_EQ(result.status, PlacementStatus::not_found);
  ASSERT_EQ(result.problems.size(), 1u);
  EXPECT_EQ(result.problems.front().find("the time limit was reached"), 0u) << result.problems.front();
}

}  // namespace
}  // namespace prehend::placement
