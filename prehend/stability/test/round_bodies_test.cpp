// Round bodies against closed forms: rolling, tipping, sliding, and no dependence on how they are turned about their axis.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "random_scenes.h"
#include <prehend/math/angles.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/limit/limiting_motion.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/robustness_map.h>
#include <prehend/stability/transport.h>

namespace prehend::stability {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::kDegree;
using math::kPi;

constexpr double kGravity = 9.81;  // [m/s^2]
constexpr double kMass = 1.0;      // [kg] of every body here

std::string numbers(const Vector3d& v) {
  return std::to_string(v.x()) + " " + std::to_string(v.y()) + " " + std::to_string(v.z());
}

std::string body(const std::string& name, const std::string& geom, const Vector3d& p,
                 const Quaterniond& q = Quaterniond::Identity()) {
  char pose[300];
  std::snprintf(pose, sizeof pose, "pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", p.x(), p.y(),
                p.z(), q.w(), q.x(), q.y(), q.z());
  return "<body name=\"" + name + "\" " + pose + "><freejoint/><geom mass=\"1\" friction=\"0.5\" " + geom +
         "/></body>";
}

model::Scene scene(const std::string& bodies, const std::string& fixed = "") {
  return model::read_scene_text(
      "<mujoco><option gravity=\"0 0 -9.81\"/><worldbody><geom type=\"plane\" size=\"5 5 1\" "
      "friction=\"0.5\"/>" +
          fixed + bodies + "</worldbody></mujoco>",
      model::SceneFormat::mjcf, "round.xml");
}

PushAnswer push(const model::Scene& scene, const std::string& name, const Vector3d& p, const Vector3d& d) {
  RobustnessOptions options;
  options.check_points = false;  // a push may also act on the axis
  const Push asked{scene.find_body(name), p, d};
  const RobustnessResult result = robustness(scene, std::vector<Push>{asked}, options);
  if (result.answers.empty()) ADD_FAILURE() << to_string(result.status) << ": " << result.brief_report();
  return result.answers.empty() ? PushAnswer{} : result.answers.front();
}

std::string can(double radius, double length) {
  return "type=\"cylinder\" size=\"" + std::to_string(radius) + " " + std::to_string(0.5 * length) + "\"";
}

Quaterniond about(double angle, const Vector3d& axis) { return Quaterniond(Eigen::AngleAxisd(angle, axis)); }

// A standing can slides at mu m g or tips over its rim at m g r / h, in every direction; no force comes from internal stress.
TEST(RoundBodies, AStandingCanSlidesOrTips) {
  for (const double height : {0.02, 0.05, 0.08, 0.12}) {
    for (int k = 0; k < 12; ++k) {
      const double angle = 0.37 + k * 30.0 * kDegree;
      const model::Scene one = scene(body("can", can(0.033, 0.12), {0, 0, 0.06}));
      const PushAnswer answer = push(one, "can", {0, 0, height}, {std::cos(angle), std::sin(angle), 0});
      const double truth = kMass * kGravity * std::min(0.5, 0.033 / height);
      EXPECT_NEAR(answer.robustness, truth, 0.005 * truth) << height << " m, direction " << k;
      EXPECT_EQ(answer.mode, 0.033 / height < 0.5 ? Mode::topple : Mode::slip);
      EXPECT_FALSE(answer.needs_prestress);
      EXPECT_NEAR(answer.without_prestress, truth, 0.005 * truth);
    }
  }
}

// A lying can rolls at no force, slides or tips along its axis, whatever the angle it was rolled to.
TEST(RoundBodies, ALyingCanRollsAtEveryRollAngle) {
  for (const double radius : {0.033, 0.1, 0.3}) {
    for (int degrees = 0; degrees < 360; degrees += radius == 0.1 ? 1 : 20) {
      const Quaterniond q = about(kPi / 2, Vector3d::UnitX()) * about(degrees * kDegree, Vector3d::UnitZ());
      const model::Scene one = scene(body("can", can(radius, 0.2), {0, 0, radius}, q));
      const PushAnswer along = push(one, "can", {0, 0, radius}, {0, 1, 0});
      ASSERT_EQ(along.status, AnswerStatus::ok) << degrees << " " << along.note;
      const double truth = kMass * kGravity * std::min(0.5, 0.1 / radius);  // a short one tips over its end
      EXPECT_NEAR(along.robustness, truth, 0.005 * truth) << degrees;
      EXPECT_NEAR(push(one, "can", {0, 0, radius}, {1, 0, 0}).robustness, 0.0, 1e-3) << degrees;
    }
  }
}

TEST(RoundBodies, ABallRestsAndRollsHoweverItIsTurned) {
  for (int k = 0; k < 36; ++k) {
    const Quaterniond q = about(0.31 * k, Vector3d(1, k % 5, k % 3).normalized());
    const model::Scene one = scene(body("ball", "type=\"sphere\" size=\"0.1\"", {0, 0, 0.1}, q));
    EXPECT_EQ(contact_forces(one).status, ContactForcesStatus::stable);
    const PushAnswer rolling = push(one, "ball", {0, 0, 0.1}, {1, 0, 0});
    EXPECT_NEAR(rolling.robustness, 0.0, 1e-3);
    EXPECT_EQ(rolling.mode, Mode::roll);
    EXPECT_TRUE(push(one, "ball", {0, 0, 0.2}, {0, 0, -1}).unbounded);
  }
}

// A can on two cans that are held: the forces at both lines have the angle of the triangle of axes.
TEST(RoundBodies, ACanOnTwoCansAndABallOnThree) {
  const Quaterniond lying = about(kPi / 2, Vector3d::UnitX());
  const double r = 0.05;
  const auto fixed = [](const std::string& geom, const Vector3d& p) {
    return "<geom friction=\"0.5\" " + geom + " pos=\"" + numbers(p) + "\" euler=\"90 0 0\"/>";
  };
  const std::string cradle = fixed(can(r, 0.2), {-r, 0, r}) + fixed(can(r, 0.2), {r, 0, r});
  const model::Scene cans = scene(body("can", can(r, 0.2), {0, 0, r + std::sqrt(3.0) * r}, lying), cradle);
  const ContactForcesResult held = contact_forces(cans);
  EXPECT_EQ(held.status, ContactForcesStatus::stable);
  std::string balls;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * kPi * k / 3.0;
    balls += fixed("type=\"sphere\" size=\"0.05\"", {2.0 * r / std::sqrt(3.0) * std::cos(angle),
                                                     2.0 * r / std::sqrt(3.0) * std::sin(angle), r});
  }
  const double height = r + std::sqrt(4.0 * r * r - 4.0 * r * r / 3.0);
  const model::Scene pile = scene(body("ball", "type=\"sphere\" size=\"0.05\"", {0, 0, height}), balls);
  EXPECT_EQ(contact_forces(pile).status, ContactForcesStatus::stable);
}

// Three balls that carry a fourth, and two cans that carry a third, rest; but they roll without any loaded contact slipping or opening, so that
// nothing holds a push on the upper one. What it is pressed down or, a can, pushed along its axis with is held as statics says.
TEST(RoundBodies, RoundBodiesThatCarryEachOtherRoll) {
  const double r = 0.05, ring = 2.0 * r / std::sqrt(3.0), height = r + std::sqrt(4.0 * r * r - ring * ring);
  const std::string ball = "type=\"sphere\" size=\"0.05\"";
  std::string bodies = body("upper", ball, {0, 0, height});
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * kPi * k / 3.0;
    bodies += body("ball" + std::to_string(k), ball, {ring * std::cos(angle), ring * std::sin(angle), r});
  }
  const model::Scene balls = scene(bodies);
  EXPECT_FALSE(needs_prestress(build_contact_system(balls)));
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.1 + kPi * k / 6.0;
    const PushAnswer answer = push(balls, "upper", {0, 0, height}, {std::cos(angle), std::sin(angle), 0});
    EXPECT_GT(answer.robustness, 0.1);
    EXPECT_LT(answer.without_prestress, 1e-4) << angle;
    EXPECT_TRUE(answer.load_caused_less);
  }
  const PushAnswer down = push(balls, "upper", {0, 0, height}, {0, 0, -1});
  EXPECT_EQ(down.without_prestress, down.robustness);

  const Quaterniond lying = about(kPi / 2, Vector3d::UnitX());
  const double above = r + std::sqrt(3.0) * r;
  const model::Scene cans =
      scene(body("left", can(r, 0.2), {-r, 0, r}, lying) + body("right", can(r, 0.2), {r, 0, r}, lying) +
            body("upper", can(r, 0.2), {0, 0, above}, lying));
  EXPECT_FALSE(needs_prestress(build_contact_system(cans)));
  EXPECT_LT(push(cans, "upper", {0, 0, above}, {1, 0, 0}).without_prestress, 1e-3 * 3.0 * kMass * kGravity);
  EXPECT_GT(push(cans, "upper", {0, 0, above}, {0, 1, 0}).without_prestress, 1.0);
}

// A box two metres away says nothing about what a lifted box does; a wall that a sliding box leaves is not tipping.
TEST(RoundBodies, TheModeIsThatOfWhatMoves) {
  const std::string box = "type=\"box\" size=\"0.05 0.05 0.05\"";
  const model::Scene two = scene(body("near", box, {0, 0, 0.05}) + body("far", box, {2, 0, 0.05}));
  EXPECT_EQ(push(two, "near", {0, 0, 0.05}, {0, 0, 1}).mode, Mode::lift);
  const model::Scene walled =
      scene(body("box", box, {0, 0, 0.05}),
            "<geom type=\"box\" size=\"0.05 0.5 0.5\" pos=\"-0.1 0 0.5\" friction=\"0.5\"/>");
  EXPECT_EQ(push(walled, "box", {0, 0, 0.01}, {1, 0, 0}).mode, Mode::slip);
}

// A can in a V whose sides rise at 45 degrees, friction 0.5: each side carries m g / sqrt 2, so that Coulomb's law holds 2 mu m g / sqrt 2 along the
// axis. Statics grants 8.01 N, by sides that squeeze.
model::Scene can_in_a_v() {
  const std::string side = "<geom type=\"box\" size=\"0.5 1 0.05\" friction=\"0.5\" ";
  char poses[2][120];
  for (int k = 0; k < 2; ++k) {
    const double sign = k == 0 ? -1.0 : 1.0, angle = -sign * kPi / 8.0;  // half of 45 degrees about y
    const double x = sign * (0.5 + 0.05) * std::sqrt(0.5), z = 1.0 + (0.5 - 0.05) * std::sqrt(0.5);
    std::snprintf(poses[k], sizeof poses[k], "pos=\"%.17g 0 %.17g\" quat=\"%.17g 0 %.17g 0\"/>", x, z,
                  std::cos(angle), std::sin(angle));
  }
  const Quaterniond lying = about(kPi / 2, Vector3d::UnitX());
  return scene(body("can", can(0.05, 0.2), {0, 0, 1.0 + 0.05 * std::sqrt(2.0)}, lying),
               side + poses[0] + side + poses[1]);
}

TEST(RoundBodies, ACanInAVHoldsWhatCoulombsLawCauses) {
  const double caused = 0.5 * kMass * kGravity * std::sqrt(2.0);
  const model::Scene one = can_in_a_v();
  const PushAnswer answer = push(one, "can", {0, -0.1, 1.0 + 0.05 * std::sqrt(2.0)}, {0, 1, 0});
  EXPECT_NEAR(answer.robustness, 8.01, 0.02);
  EXPECT_NEAR(answer.without_prestress, caused, 0.005 * caused);
  EXPECT_TRUE(answer.load_caused_less);

  TransportOptions driving;
  driving.directions = 4;
  driving.load_caused = true;
  const TransportResult driven = transport(one, driving);
  ASSERT_EQ(driven.status, TransportStatus::ok) << driven.brief_report();
  const PushAnswer& along = driven.answers[1].limit;
  EXPECT_NEAR(along.without_prestress, caused / kMass, 0.005 * caused);
  EXPECT_TRUE(along.load_caused_less);
  EXPECT_NE(driven.to_json().find("\"msa_without_prestress_mps2\":6.9"), std::string::npos)
      << driven.to_json();
  ASSERT_EQ(driven.problems.size(), 1u);
  EXPECT_NE(driven.problems[0].find("of 4 directions hold less by load-caused forces"), std::string::npos)
      << driven.problems[0];
  driving.load_caused = false;
  EXPECT_EQ(transport(one, driving).to_json().find("prestress"), std::string::npos);

  RobustnessMapOptions all_over;
  all_over.points = 60;
  all_over.robustness.load_caused = true;
  const RobustnessResult map = robustness_map(one, all_over);
  ASSERT_EQ(map.status, RobustnessStatus::ok) << map.brief_report();
  std::size_t less = 0;
  for (std::size_t i = 0; i < map.answers.size(); ++i) {
    const PushAnswer by_itself = push(one, "can", map.pushes[i].p_W, map.pushes[i].d_W);
    if (std::isfinite(by_itself.without_prestress)) {
      EXPECT_NEAR(map.answers[i].without_prestress, by_itself.without_prestress,
                  3e-3 * by_itself.without_prestress + 1e-6);
    }
    less += map.answers[i].load_caused_less;
  }
  EXPECT_GT(less, 0u);  // the ends
  EXPECT_NE(map.problems.back().find(std::to_string(less) + " of 60 pushes hold less"), std::string::npos);
}

// What no chain of touching bodies connects with the load stays out of its motion; a box on the loaded one belongs to it.
TEST(RoundBodies, OnlyWhatTheLoadReachesMoves) {
  const std::string ball = "type=\"sphere\" size=\"0.1\"", box = "type=\"box\" size=\"0.05 0.05 0.05\"";
  const model::Scene three = scene(body("below", box, {0, 0, 0.05}) + body("above", box, {0, 0, 0.15}) +
                                   body("far", ball, {2, 0, 0.1}));
  const ScaledSystem scaled = scale_system(build_contact_system(three));
  const Eigen::VectorXd all = Eigen::VectorXd::Ones(18);
  for (const int loaded : {0, 1}) {
    const Eigen::VectorXd some = motion_of_loaded(scaled, all, {loaded});
    EXPECT_TRUE(some.head<12>().isOnes(0.0));
    EXPECT_TRUE(some.tail<6>().isZero(0.0));
  }
  EXPECT_TRUE(motion_of_loaded(scaled, all, {2}).head<12>().isZero(0.0));
}

// A ball that could roll at no force, fifty metres away on a floor of its own, changes no answer: nor do balls that are pushed themselves.
TEST(RoundBodies, AFreeBallFarAwayChangesNothing) {
  int compared = 0;
  for (std::uint64_t seed = 500; seed < 560; ++seed) {
    box_scenes::RandomScene made = box_scenes::random_scene(seed);
    const model::Scene ball = scene(body("ball", "type=\"sphere\" size=\"0.1\"", {5, 0, 0.1}));
    if (seed % 3 == 0) {  // something that rolls at any push, among the boxes
      made.boxes.push_back(model::BodyIndex(made.scene.bodies.size()));
      made.scene.bodies.push_back(ball.bodies[ball.find_body("ball")]);
      made.scene.bodies.back().name = "own";
      made.scene.bodies.back().X_WB = math::Pose::translation({-1.5, 0.0, 0.1});
    }
    model::Scene far = made.scene;
    box_scenes::add_box(far, {.name = "far floor",
                              .size = {1, 1, 1},
                              .X_WB = math::Pose::translation({50, 0, 29.5}),
                              .friction = 0.5,
                              .movable = false});
    far.bodies.push_back(ball.bodies[ball.find_body("ball")]);
    far.bodies.back().X_WB = math::Pose::translation({50, 0, 30.1});
    math::RandomStream random(seed, 3);
    std::vector<Push> pushes;
    for (int k = 0; k < 4; ++k) pushes.push_back(box_scenes::random_push(made, random));
    RobustnessOptions options;
    options.check_prestress = false;
    options.check_points = false;
    // Each by itself, and all in one call: two solvers.
    std::vector<std::vector<Push>> questions{pushes};
    for (const Push& one : pushes) questions.push_back({one});
    for (const std::vector<Push>& asked : questions) {
      const RobustnessResult alone = robustness(made.scene, asked, options),
                             beside = robustness(far, asked, options);
      ASSERT_EQ(alone.status, beside.status) << seed << " " << alone.brief_report() << beside.brief_report();
      for (std::size_t i = 0; i < alone.answers.size(); ++i) {
        const PushAnswer &a = alone.answers[i], &b = beside.answers[i];
        EXPECT_EQ(a.unbounded, b.unbounded) << seed << " push " << i;
        if (a.unbounded || b.unbounded) continue;
        EXPECT_NEAR(a.robustness, b.robustness, 3e-4 * a.robustness + 1e-6) << seed << " push " << i;
        EXPECT_EQ(a.mode, b.mode) << seed << " push " << i << " at " << a.robustness << " N";
        EXPECT_EQ(a.moving, b.moving) << seed << " push " << i << " at " << a.robustness << " N";
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace prehend::stability
