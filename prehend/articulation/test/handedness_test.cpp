#include <string>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/handedness.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;

constexpr int kDoors = 20;

// A door that opens by 80 degrees, anywhere in the world.
Observations door(int number, const PoseNoise& noise = {0.002, 0.01}) {
  math::RandomStream random(300, number);
  const Joint joint = random_joint(model::JointType::revolute, random);
  std::vector<math::Pose> poses;
  for (int i = 0; i < 80; ++i)
    poses.push_back(disturbed(joint.forward(State::Constant(1, i * kDegree)), noise, random));
  return observations_of(poses);
}

TEST(Handedness, RightHandedPosesDoNotContradictThemselves) {
  for (int number = 0; number < kDoors; ++number) {
    const Selection selection = select_joint(door(number));
    EXPECT_EQ(selection.status, SelectionStatus::ok);
    EXPECT_EQ(selection.best().type, model::JointType::revolute);
    EXPECT_EQ(selection.contradiction, "");
  }
}

// Some mirrored doors are screws or cylindrical joints as good as any, or leave no more than wood that bends.
struct Named {
  int named{0}, explained_badly{0};
};
template <class Change>
Named named(const PoseNoise& noise, const std::string& what, const Change& change) {
  Named result;
  for (int number = 0; number < kDoors; ++number) {
    Observations seen = door(number, noise);
    for (Observation& o : seen.poses) o.X_FM = change(o.X_FM);
    const Selection selection = select_joint(seen);
    if (selection.contradiction.find(what) != std::string::npos) {
      EXPECT_EQ(selection.status, SelectionStatus::undetermined);
      ++result.named;
    } else if (selection.status == SelectionStatus::ok) {
      result.explained_badly += selection.best().fit.noise.position > SelectionOptions().slow_noise.position;
    }
  }
  return result;
}

TEST(Handedness, MirroredPositionsAreNamed) {
  for (int axis = 0; axis < 3; ++axis) {
    const Named result = named({0.002, 0.01}, "left-handed", [&](const math::Pose& X) {
      Eigen::Vector3d p = X.p();
      p[axis] *= -1;
      return math::Pose(X.q(), p);
    });
    EXPECT_GE(result.named, 16) << axis;
    EXPECT_EQ(result.explained_badly, 0) << axis;
  }
}

// A mirrored axis may explain them as well, and is then what is named.
TEST(Handedness, InverseQuaternionsContradictThePositions) {
  const Named result = named({0.002, 0.01}, "contradict each other",
                             [](const math::Pose& X) { return math::Pose(X.q().conjugate(), X.p()); });
  EXPECT_GE(result.named, 16);
  EXPECT_EQ(result.explained_badly, 0);
}

// With ten times the noise a cylindrical joint explains them as well.
TEST(Handedness, QuaternionsInTheOrderXyzwAreNamed) {
  const Named result = named({0.0002, 0.001}, "contradict each other", [](const math::Pose& X) {
    const Eigen::Quaterniond q = X.q(), misread(q.x(), q.y(), q.z(), q.w());
    EXPECT_LT(read_xyzw(misread).angularDistance(q), 1e-9);
    return math::Pose(misread, X.p());
  });
  EXPECT_GE(result.named, 19);
  EXPECT_EQ(result.explained_badly, 0);
}

// Two parts that move in the world, the door in the frame about the frame's z axis; `mirror` is applied to positions.
model::PoseLog door_in_a_moving_frame(double mirror) {
  math::RandomStream random(7);
  model::PoseLog log;
  log.parts = {"frame", "door"};
  for (int k = 0; k < 60; ++k) {
    const math::Pose X_WF(math::exp_so3({0.3 * std::sin(0.1 * k), 0.2 * std::cos(0.13 * k), 0.01 * k}),
                          Eigen::Vector3d(0.1 * std::sin(0.07 * k), 0.4, 0.02 * k));
    const math::Pose X_FM = math::Pose(math::exp_so3({0, 0, 0.02 * k}), Eigen::Vector3d(0.1, 0.3, 0)) *
                            math::Pose::translation({0.5, 0, 0.1});
    for (const auto& [part, X] : {std::pair{0, X_WF}, std::pair{1, X_WF * X_FM}}) {
      Eigen::Vector3d p = X.p();
      for (int axis = 0; axis < 3; ++axis) p[axis] += 0.001 * random.normal();
      p.y() *= mirror;
      const Eigen::Vector3d turn(random.normal(), random.normal(), random.normal());
      log.rows.push_back({0.1 * k, part, p, X.q() * math::exp_so3(0.002 * turn), 0});
    }
  }
  return log;
}

// Relative poses alone do not show it: the log's world does.
TEST(Handedness, TwoPartsOfALogAreCheckedInTheWorld) {
  const Selection right = select_joint(door_in_a_moving_frame(1.0), "log");
  EXPECT_EQ(right.contradiction, "");
  EXPECT_EQ(right.status, SelectionStatus::ok) << right.reason;
  const Selection mirrored = select_joint(door_in_a_moving_frame(-1.0), "log");
  EXPECT_NE(mirrored.contradiction.find("y mirrored"), std::string::npos) << mirrored.brief_report();
  EXPECT_EQ(mirrored.status, SelectionStatus::undetermined);
  EXPECT_EQ(mirrored.reason, mirrored.contradiction);
}

}  // namespace
}  // namespace prehend::articulation
