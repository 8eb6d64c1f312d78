#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/marker_slip.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

constexpr int kSlipFrames = 120, kSlipsAt = 55;
const PoseNoise kSlipNoise{0.0005, 0.002};

// A joint that is moved to and fro; its marker is displaced by `slip` from frame kSlipsAt on.
Observations moved_with(const Joint& joint, const math::Pose& slip, math::RandomStream& random) {
  std::vector<math::Pose> poses;
  for (int i = 0; i < kSlipFrames; ++i) {
    State q(joint.freedoms());
    for (int k = 0; k < q.size(); ++k) q[k] = 0.5 * std::sin((0.11 + 0.04 * k) * i + k);
    const math::Pose X = joint.forward(q);
    poses.push_back(disturbed(i < kSlipsAt ? X : X * slip, kSlipNoise, random));
  }
  return observations_of(poses);
}

math::Pose some_slip(math::RandomStream& random) {
  math::Vector6d by;
  by << random.uniform(4, 10) * kDegree * random.unit_vector(),
      random.uniform(0.01, 0.03) * random.unit_vector();
  return math::exp_se3(by);
}

TEST(MarkerSlip, IsFoundWhereItIs) {
  for (const JointType type : {JointType::revolute, JointType::prismatic})
    for (int trial = 0; trial < 10; ++trial) {
      math::RandomStream random(601, trial);
      const Joint joint = random_joint(type, random);
      const Observations seen = moved_with(joint, some_slip(random), random);
      const auto slip = marker_slip(fit_joint(type, seen), seen, {});
      ASSERT_TRUE(slip) << to_string(type) << " " << trial;
      EXPECT_NEAR(slip->time, kSlipsAt, 1) << trial;
    }
}

TEST(MarkerSlip, IsNotFoundInWhatMovesSmoothly) {
  for (const JointType type : {JointType::revolute, JointType::universal, JointType::cylindrical,
                               JointType::planar, JointType::spherical})
    for (int trial = 0; trial < 10; ++trial) {
      math::RandomStream random(602, trial);
      const Observations seen = moved_with(random_joint(type, random), math::Pose(), random);
      for (const JointType simple : {JointType::revolute, JointType::prismatic})
        EXPECT_FALSE(marker_slip(fit_joint(simple, seen), seen, {})) << to_string(type) << " " << trial;
    }
}

TEST(MarkerSlip, IsNoJointOfSeveralFreedoms) {
  for (int trial = 0; trial < 10; ++trial) {
    math::RandomStream random(603, trial);
    const Joint joint = random_joint(trial % 2 == 0 ? JointType::revolute : JointType::prismatic, random);
    const Selection found = select_joint(moved_with(joint, some_slip(random), random));
    EXPECT_FALSE(found.status == SelectionStatus::ok && found.best().type != joint.type)
        << found.brief_report();
  }
}

}  // namespace
}  // namespace prehend::articulation
