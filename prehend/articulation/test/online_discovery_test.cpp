// Belief while frames arrive: it settles on the truth, and its bookkeeping is exact.
#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/articulation/online_discovery.h>
#include <prehend/articulation/part_tracks.h>
#include <prehend/articulation/simulated/object_motion.h>

namespace prehend::articulation {
namespace {

using model::JointType;

SimulatedMotion small_object() {
  RandomObjectOptions object;
  object.parts = 4;
  object.seed = 2;
  MotionOptions motion;
  motion.position_noise *= 0.3;
  motion.angle_noise *= 0.3;
  motion.lost_share = 0.1;
  return simulate_motion(random_object(object), motion);
}

TEST(OnlineDiscovery, SettlesOnTheTruth) {
  const SimulatedMotion truth = small_object();
  const PartTracks tracks = part_tracks(truth.log, "log");
  OnlineDiscovery online(truth.log.parts);
  EXPECT_TRUE(online.tree().joints.empty());
  std::vector<std::optional<math::Pose>> frame(tracks.parts.size());
  for (std::size_t t = 0; t < tracks.times.size(); ++t) {
    for (std::size_t k = 0; k < frame.size(); ++k) frame[k] = tracks.parts[k].X_WP[t];
    online.add(tracks.times[t], frame);
  }
  EXPECT_EQ(online.frames(), 200);
  const OnlineTree tree = online.tree();
  ASSERT_TRUE(tree.is_complete);
  std::map<std::pair<int, int>, JointType> found, expected;
  for (const PairBelief* joint : tree.joints) {
    found[{joint->a, joint->b}] = joint->best()->type;
    EXPECT_GT(joint->best()->probability, 0.9);
    double sum = 0;
    for (const TypeBelief& type : joint->types) sum += type.probability;
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_LT(joint->frames, 200);  // some frames lack a part
    ASSERT_TRUE(joint->fit);
    EXPECT_EQ(joint->fit->joint.type, joint->best()->type);
  }
  for (const SimulatedJoint& joint : truth.object.joints)
    expected[std::minmax(static_cast<int>(joint.joint.parent), static_cast<int>(joint.joint.child))] =
        joint.joint.type;
  EXPECT_EQ(found, expected);
}

TEST(OnlineDiscovery, RefusesTimeThatRunsBackwards) {
  OnlineDiscovery online({"a", "b"});
  const std::vector<std::optional<math::Pose>> frame(2, math::Pose());
  online.add(1.0, frame);
  EXPECT_THROW(online.add(1.0, frame), std::invalid_argument);
  EXPECT_THROW(online.add(0.5, frame), std::invalid_argument);
  EXPECT_THROW(online.add(2.0, std::vector<std::optional<math::Pose>>(3)), std::invalid_argument);
  EXPECT_THROW(OnlineDiscovery({"a"}), std::invalid_argument);
  OnlineOptions options;
  options.kept_frames = 2;
  EXPECT_THROW(OnlineDiscovery({"a", "b"}, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::articulation
