#include <algorithm>
#include <cmath>
#include <map>

#include <prehend/assist/control/core.h>
#include <prehend/math/number_text.h>
#include <prehend/model/input_error.h>

namespace prehend::assist {
namespace {

[[noreturn]] void refuse(const Scenario& scenario, const std::string& key, const std::string& what) {
  throw model::InputError(scenario.file, scenario.line_of(key), what);
}

// What the scenario names, where it names it, and as what.
struct Named {
  std::string key, name, what;
};

int frame_named(const Scenario& scenario, const RobotModel& robot, const Named& named) {
  const int frame = robot.find_frame(named.name);
  if (frame < 0)
    refuse(scenario, named.key,
           named.what + " is '" + named.name + "', which is no link of the robot '" + robot.name + "'");
  return frame;
}

int joint_named(const Scenario& scenario, const RobotModel& robot, const Named& named) {
  const int index = robot.find_joint(named.name);
  if (index < 0)
    refuse(scenario, named.key,
           named.what + " is '" + named.name + "', which is no joint with a motor of the robot '" +
               robot.name + "'; it has " + robot.joint_names());
  return index;
}

// How the built-in robot stands: arms bent, hands before the chest, out of the person's lap.
const std::map<std::string, double>& built_in_upright() {
  static const std::map<std::string, double> posture{
      {"left_shoulder_pitch", 1.75}, {"left_shoulder_roll", 0.28},   {"left_elbow_yaw", -1.3},
      {"left_elbow_roll", -2.0},     {"right_shoulder_pitch", 1.75}, {"right_shoulder_roll", -0.28},
      {"right_elbow_yaw", 1.3},      {"right_elbow_roll", 2.0}};
  return posture;
}

Freedoms upright_of(const Scenario& scenario, const RobotModel& robot) {
  Freedoms q = Freedoms::Zero(robot.freedoms());
  for (int j = 0; j < robot.joint_count(); ++j) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(j)];
    const double margin = std::min(0.05, 0.1 * (joint.upper - joint.lower));
    q[j + kBaseFreedoms] = std::clamp(0.0, joint.lower + margin, joint.upper - margin);
  }
  if (scenario.robot.urdf.empty())
    for (const auto& [name, value] : built_in_upright()) q[robot.find_joint(name) + kBaseFreedoms] = value;
  for (const auto& [name, value] : scenario.robot.upright) {
    const int j = joint_named(scenario, robot, {"robot.upright." + name, name, "a joint of 'upright'"});
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(j)];
    if (!(value >= joint.lower && value <= joint.upper))
      refuse(scenario, "robot.upright." + name,
             "'upright' puts the joint '" + name + "' at " + std::to_string(value) + ", outside its limits " +
                 std::to_string(joint.lower) + " to " + std::to_string(joint.upper));
    q[j + kBaseFreedoms] = value;
  }
  return q;
}

// The joint next to the trunk on the way to the segment: the arm's root.
int arm_root(const RobotModel& robot, int segment) {
  int root = -1;
  for (int s = segment; s > 0; s = robot.joints[static_cast<std::size_t>(s - 1)].parent) {
    double carried = 0.0;
    for (int k = robot.joint_count(); k > 0; --k) {
      int up = k;
      while (up > 0 && up != s) up = robot.joints[static_cast<std::size_t>(up - 1)].parent;
      if (up == s) carried += robot.segments[static_cast<std::size_t>(k)].mass;
    }
    if (carried > 0.25 * robot.mass()) break;
    root = s - 1;
  }
  return root;
}

ContactRun contact_run(const Scenario& scenario, const RobotModel& robot, std::size_t index) {
  const ContactSpec& spec = scenario.contacts[index];
  const std::string key = "contacts." + std::to_string(index) + ".";
  ContactRun run;
  run.spec = &spec;
  const std::string what = "of contact '" + spec.name + "'";
  const RobotFrame& frame = robot.frames[static_cast<std::size_t>(
      frame_named(scenario, robot, {key + "frame", spec.frame, "'frame' " + what}))];
  run.segment = frame.segment;
  run.p_S = frame.X_SF.p();
  if (frame.segment == 0)
    refuse(scenario, key + "frame", "'frame' " + what + " is '" + spec.frame + "', which no joint moves");
  run.watched = joint_named(scenario, robot, {key + "joint", spec.joint, "'joint' " + what});
  if (!spec.gripper.empty())
    run.gripper = joint_named(scenario, robot, {key + "gripper", spec.gripper, "'gripper' " + what});
  int up = run.segment;
  while (up > 0 && up != run.watched + 1) up = robot.joints[static_cast<std::size_t>(up - 1)].parent;
  if (up == 0)
    refuse(scenario, key + "joint",
           "'joint' " + what + " is '" + spec.joint + "', which does not move '" + spec.frame + "'");
  run.root = arm_root(robot, run.segment);
  if (run.root < 0)
    refuse(scenario, key + "frame",
           "'frame' " + what + " is '" + spec.frame + "', which is no part of an arm");
  for (int s = robot.joints[static_cast<std::size_t>(run.root)].parent; s > 0;
       s = robot.joints[static_cast<std::size_t>(s - 1)].parent)
    if (s == run.watched + 1)
      refuse(scenario, key + "joint",
             "'joint' " + what + " is '" + spec.joint +
                 "', which moves the trunk; expected a joint of the arm, which feels a touch of its hand");
  run.reach = run.p_S.norm();
  for (int s = run.segment; s > 0 && s != run.root + 1;
       s = robot.joints[static_cast<std::size_t>(s - 1)].parent)
    run.reach += robot.joints[static_cast<std::size_t>(s - 1)].X_PC.p().norm();
  run.palm_radius = 0.02;
  double nearest = 1e9;
  for (const RobotCapsule& capsule : robot.capsules) {
    const double apart = (0.5 * (capsule.a_S + capsule.b_S) - run.p_S).norm();
    if (capsule.segment == run.segment && apart < nearest) nearest = apart, run.palm_radius = capsule.radius;
  }
  // The built-in hand is a ball around its palm; another maker's may meet a shoulder with any of its shapes.
  for (const RobotCapsule& capsule : robot.capsules)
    if (capsule.segment == run.segment && !scenario.robot.urdf.empty())
      run.hand_extent =
          std::max(run.hand_extent, std::max((capsule.a_S - run.p_S).norm(), (capsule.b_S - run.p_S).norm()) +
                                        capsule.radius - run.palm_radius);
  return run;
}

// What the whole-body program could only answer by standing still: motors that do not hold the posture, a centre of mass at the edge of the wheels.
void check_stand(const Scenario& scenario, const RobotSetup& setup) {
  const RobotModel& robot = setup.robot;
  RobotState state(robot);
  state.set(setup.whole_body.upright, Freedoms::Zero(robot.freedoms()));
  state.compute_dynamics();
  for (int j = 0; j < robot.joint_count(); ++j) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(j)];
    const double need = std::abs(state.bias()[j + kBaseFreedoms]);
    if (need > WholeBody::kTorqueShare * joint.effort)
      refuse(scenario, "robot.upright." + joint.name,
             "joint '" + joint.name + "' needs " + math::number_text(need, 3) +
                 " N m (or N) to hold the robot upright; of its " + math::number_text(joint.effort, 3) +
                 " at most " + math::number_text(WholeBody::kTorqueShare, 2) +
                 " are used: choose another 'upright' or a stronger motor");
  }
  const std::vector<Eigen::Vector2d>& corners = setup.whole_body.base.support;
  const Eigen::Vector2d com = state.com().head<2>();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Eigen::Vector2d along = (corners[(k + 1) % corners.size()] - corners[k]).normalized();
    const double inside = Eigen::Vector2d(-along.y(), along.x()).dot(com - corners[k]);
    if (inside < WholeBody::kTipMargin)
      refuse(scenario, "robot.base.support_m",
             "upright, the robot's centre of mass (" + math::number_text(com.x(), 3) + ", " +
                 math::number_text(com.y(), 3) + ") m stands " +
                 (inside < 0.0 ? "outside" : math::number_text(inside, 2) + " m from an edge of") +
                 " the polygon of the wheels, 'robot.base.support_m'; at least " +
                 math::number_text(WholeBody::kTipMargin, 2) + " m inside are needed");
  }
}

}  // namespace

RobotSetup setup_robot(const Scenario& scenario) {
  RobotSetup setup;
  setup.robot = scenario.robot.urdf.empty() ? built_in_robot() : read_robot(scenario.robot.urdf);
  const RobotModel& robot = setup.robot;
  setup.camera = frame_named(scenario, robot, {"robot.frames.camera", scenario.robot.camera, "'camera'"});
  setup.tablet = frame_named(scenario, robot, {"robot.frames.tablet", scenario.robot.tablet, "'tablet'"});
  if (robot
          .frames[static_cast<std::size_t>(frame_named(
              scenario, robot, {"robot.base.link", scenario.robot.base_link, "the base's 'link'"}))]
          .segment != 0)
    refuse(scenario, "robot.base.link",
           "the base's 'link' is '" + scenario.robot.base_link + "', which a joint moves; expected the root");
  setup.whole_body.camera = setup.camera;
  for (std::size_t k = 0; k < 2; ++k)
    setup.whole_body.neck[k] =
        joint_named(scenario, robot, {"robot.head", scenario.robot.head[k], "a joint of 'head'"});
  setup.whole_body.upright = upright_of(scenario, robot);
  setup.whole_body.period = 1.0 / scenario.sensing.control_hz;
  BaseLimits& base = setup.whole_body.base;
  base.speed = scenario.robot.speed_mps, base.turn = scenario.robot.turn_radps;
  base.acceleration = scenario.robot.acceleration_mps2,
  base.turn_acceleration = scenario.robot.turn_acceleration_radps2;
  base.support = scenario.robot.support_m;
  if (base.support.empty()) base.support = {{0.18, -0.18}, {0.18, 0.18}, {-0.18, 0.18}, {-0.18, -0.18}};
  if (scenario.contacts.size() > kMostContacts) refuse(scenario, "contacts", "more than 8 contacts");
  std::vector<std::string> frames;
  RobotState state(robot);
  state.set(setup.whole_body.upright, Freedoms::Zero(robot.freedoms()));
  for (std::size_t c = 0; c < scenario.contacts.size(); ++c) {
    const ContactSpec& spec = scenario.contacts[c];
    ContactRun run = contact_run(scenario, robot, c);
    const auto found = std::find(frames.begin(), frames.end(), spec.frame);
    run.hand = static_cast<int>(found - frames.begin());
    if (found == frames.end()) frames.push_back(spec.frame);
    run.side = state.p(run.root + 1).y() >= 0.0 ? 1.0 : -1.0;
    setup.contacts.push_back(run);
  }
  if (frames.size() > kMaxHands) refuse(scenario, "contacts", "the contacts use more than two hands");
  check_stand(scenario, setup);
  return setup;
}

}  // namespace prehend::assist
