#include <string>

#include <gtest/gtest.h>

#include <prehend/articulation/handedness.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;

// A door of 40 cm that opens by 80 degrees, seen in the world.
Observations door(const PoseNoise& noise = {0.002, 0.01}) {
  math::RandomStream random(300);
  Joint joint = random_joint(model::JointType::revolute, random);
  joint.X_MJ = math::Pose(joint.X_MJ.q(), joint.X_MJ.q() * Eigen::Vector3d(0.4, 0, 0));
  std::vector<math::Pose> poses;
  for (int i = 0; i < 80; ++i)
    poses.push_back(disturbed(joint.forward(State::Constant(1, i * kDegree)), noise, random));
  return observations_of(poses);
}

TEST(Handedness, RightHandedPosesDoNotContradictThemselves) {
  const Selection selection = select_joint(door());
  EXPECT_EQ(selection.status, SelectionStatus::ok);
  EXPECT_EQ(selection.best().type, model::JointType::revolute);
  EXPECT_EQ(selection.contradiction, "");
}

TEST(Handedness, MirroredPositionsAreNamed) {
  for (int axis = 0; axis < 3; ++axis) {
    Observations seen = door();
    for (Observation& o : seen.poses) {
      Eigen::Vector3d p = o.X_FM.p();
      p[axis] *= -1;
      o.X_FM = math::Pose(o.X_FM.q(), p);
    }
    const Selection selection = select_joint(seen);
    EXPECT_EQ(selection.status, SelectionStatus::undetermined);
    EXPECT_NE(selection.contradiction.find("left-handed"), std::string::npos)
        << axis << " " << selection.brief_report(seen);
  }
}

// A mirrored axis may explain them as well, and is then what is named.
TEST(Handedness, InverseQuaternionsContradictThePositions) {
  Observations seen = door();
  for (Observation& o : seen.poses) o.X_FM = math::Pose(o.X_FM.q().conjugate(), o.X_FM.p());
  const Selection selection = select_joint(seen);
  EXPECT_EQ(selection.status, SelectionStatus::undetermined);
  EXPECT_NE(selection.contradiction.find("contradict each other"), std::string::npos)
      << selection.brief_report(seen);
}

// With ten times the noise a cylindrical joint explains them as well.
TEST(Handedness, QuaternionsInTheOrderXyzwAreNamed) {
  Observations seen = door({0.0002, 0.001});
  for (Observation& o : seen.poses) {
    const Eigen::Quaterniond q = o.X_FM.q();
    const Eigen::Quaterniond misread(q.x(), q.y(), q.z(), q.w());
    EXPECT_LT(read_xyzw(misread).angularDistance(q), 1e-9);
    o.X_FM = math::Pose(misread, o.X_FM.p());
  }
  const Selection selection = select_joint(seen);
  EXPECT_EQ(selection.status, SelectionStatus::undetermined);
  EXPECT_NE(selection.contradiction.find("in the order x, y, z, w"), std::string::npos)
      << selection.brief_report(seen);
}

}  // namespace
}  // namespace prehend::articulation
