#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <prehend/assist/robot/capsules.h>
#include <prehend/assist/robot/robot_state.h>
#include <prehend/math/random.h>
#include <prehend/model/input_error.h>

namespace prehend::assist {
namespace {

double outside(const Capsule& capsule, const Eigen::Vector3d& p) {
  return capsule_gap(capsule, {p, p, 0.0}).distance;
}

TEST(CapsuleAround, HoldsEveryPoint) {
  math::RandomStream random(5, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
            .normalized()
            .toRotationMatrix();
    const Eigen::Vector3d size(random.uniform(0.0, 0.3), random.uniform(0.0, 0.3),
                               random.uniform(0.001, 0.3)),
        middle = random.normal3();
    std::vector<Eigen::Vector3d> points;
    for (int k = 0; k < 8; ++k)
      points.push_back(middle + R * Eigen::Vector3d(k & 1 ? size.x() : -size.x(),
                                                    k & 2 ? size.y() : -size.y(),
                                                    k & 4 ? size.z() : -size.z()));
    for (int k = 0; k < 40; ++k)
      points.push_back(middle +
                       R * random.uniform(0.0, 1.0) * size.cwiseProduct(random.normal3().normalized()));
    const Capsule capsule = capsule_around(points);
    for (const Eigen::Vector3d& p : points) EXPECT_LE(outside(capsule, p), 1e-9);
    EXPECT_LE(capsule.radius, 1.1 * size.norm() + 1e-6);
  }
}

const char* const kInertial =
    R"(<inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>)";

std::string link(const std::string& name, const std::string& inside) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
std::string ball(double radius, double z) {
  return "<collision><origin xyz=\"0 0 " + std::to_string(z) + "\"/><geometry><sphere radius=\"" +
         std::to_string(radius) + "\"/></geometry></collision>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + inside + "</joint>\n";
}
const char* const kMotor = R"(<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="2"/>)";

RobotModel robot_of(const std::string& inside) {
  return robot_from_text("<robot name=\"r\">\n" + inside + "</robot>", "r.urdf");
}

TEST(RobotModel, ARootBetweenTheWheelsStandsOnThem) {
  const RobotModel robot = robot_of(
      link("body", kInertial + ball(0.1, 0.0)) + link("wheel", kInertial + ball(0.05, 0.0)) +
      link("head", kInertial) +
      joint(
          "turns", "continuous", "body", "wheel",
          R"(<origin xyz="0.1 0 -0.2"/><axis xyz="0 1 0"/><limit lower="0" upper="0" effort="3" velocity="6"/>)") +
      joint("neck", "revolute", "body", "head", std::string(R"(<origin xyz="0 0 0.5"/>)") + kMotor));
  EXPECT_EQ(robot.joint_count(), 2);
  RobotState state(robot);
  const RobotFrame& head = robot.frames[static_cast<std::size_t>(robot.find_frame("head"))];
  EXPECT_NEAR(state.point(head.segment, head.X_SF.p()).z(), 0.75,
              2e-3);  // the wheel reaches 0.25 m below the root
  EXPECT_NE(robot.notes.front().find("0.25 m above the floor"), std::string::npos);
  EXPECT_LT(robot.joints[static_cast<std::size_t>(robot.find_joint("turns"))].lower,
            -10.0);  // continuous: what <limit> says of its ends is nothing
}

TEST(RobotModel, ARobotThatFloatsInAWorldIsTheSameRobot) {
  const std::string own = link("body", kInertial + ball(0.1, 0.1)) + link("head", kInertial) +
                          joint("neck", "revolute", "body", "head", kMotor);
  const RobotModel alone = robot_of(own), floats = robot_of(own + link("world", "") +
                                                            joint("floats", "floating", "world", "body", ""));
  EXPECT_EQ(alone.joint_count(), floats.joint_count());
  EXPECT_EQ(alone.mass(), floats.mass());
  EXPECT_GE(floats.find_frame("body"), 0);
}

TEST(RobotModel, MoreShapesThanThereIsRoomForAreTakenTogether) {
  std::string shapes;
  for (int k = 0; k < 80; ++k) shapes += ball(0.01, 0.01 + 0.02 * k);
  const RobotModel robot =
      robot_of(link("body", kInertial + shapes) + link("head", kInertial + ball(0.1, 0.5)) +
               joint("neck", "revolute", "body", "head", kMotor));
  ASSERT_EQ(robot.capsules.size(), 2u);
  const RobotCapsule& own = robot.capsules.front();
  for (int k = 0; k < 80; ++k)
    EXPECT_LE(outside({own.a_S, own.b_S, own.radius}, {0, 0, 0.01 + 0.02 * k}), -0.0099) << k;
}

TEST(RobotModel, WhatAMotorMovesHasAMass) {
  const RobotModel robot = robot_of(link("body", kInertial) + link("finger", ball(0.01, 0.0)) +
                                    joint("closes", "revolute", "body", "finger", kMotor));
  RobotState state(robot);
  state.set(Freedoms::Zero(robot.freedoms()), Freedoms::Zero(robot.freedoms()));
  state.compute_dynamics();
  EXPECT_GT(state.mass_matrix()(3, 3), 0.0);
  EXPECT_NE(robot.notes.back().find("no mass"), std::string::npos);
}

TEST(RobotModel, AMotorWithoutSpeedIsNamedWithItsLine) {
  try {
    robot_of(link("body", kInertial) + link("head", kInertial) +
             joint("neck", "revolute", "body", "head",
                   R"(<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="0"/>)"));
    FAIL();
  } catch (const model::InputError& error) {
    EXPECT_EQ(error.line(), 4);
    EXPECT_NE(error.message().find("'neck' has no speed limit"), std::string::npos);
  }
}

}  // namespace
}  // namespace prehend::assist
