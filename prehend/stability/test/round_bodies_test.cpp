// Round bodies against closed forms: rolling, tipping, sliding, and no dependence on how they are turned about their axis.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/math/angles.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/robustness.h>

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
    EXPECT_NEAR(push(one, "ball", {0, 0, 0.1}, {1, 0, 0}).robustness, 0.0, 1e-3);
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

}  // namespace
}  // namespace prehend::stability
