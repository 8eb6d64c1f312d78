#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/evidence/flipped_poses.h>
#include <prehend/articulation/simulated/object_motion.h>

namespace prehend::articulation {
namespace {

SimulatedMotion flipped_motion(std::uint64_t seed, double share, double noise) {
  RandomObjectOptions object;
  object.seed = seed;
  MotionOptions motion;
  motion.seed = seed;
  motion.position_noise *= noise;
  motion.angle_noise *= noise;
  motion.flipped_share = share;
  return simulate_motion(random_object(object), motion);
}

TEST(FlippedPoses, AreFoundAndOthersKept) {
  int flipped = 0, found = 0, kept = 0, accused = 0;
  for (std::uint64_t seed = 900; seed < 910; ++seed) {
    const SimulatedMotion motion = flipped_motion(seed, 0.05, 0.2), right = flipped_motion(seed, 0.0, 0.2);
    PartTracks tracks = part_tracks(motion.log, "log");
    const PartTracks before = tracks, truth = part_tracks(right.log, "log");
    const int dropped = drop_flipped(tracks);
    int counted = 0;
    for (std::size_t part = 0; part < tracks.parts.size(); ++part)
      for (std::size_t t = 0; t < tracks.times.size(); ++t) {
        const bool gone = !tracks.parts[part].X_WP[t];
        counted += gone;
        // A flip of a marker seen from before turns it by little.
        const double turn = before.parts[part].X_WP[t]->q().angularDistance(truth.parts[part].X_WP[t]->q());
        if (turn > 0.6) ++flipped, found += gone;
        if (turn < 1e-9) ++kept, accused += gone;
      }
    EXPECT_EQ(counted, dropped);
    ASSERT_FALSE(tracks.notes.empty());
    EXPECT_NE(tracks.notes.back().find(std::to_string(dropped) + " poses are turned against"),
              std::string::npos)
        << tracks.notes.back();
  }
  EXPECT_GT(flipped, 300);
  EXPECT_GT(found, 0.9 * flipped) << found << " of " << flipped;
  EXPECT_LT(accused, 0.01 * kept) << accused << " of " << kept;
}

TEST(FlippedPoses, NoneAreFoundWhereThereAreNone) {
  for (const MotionKind kind : {MotionKind::walk, MotionKind::smooth}) {
    int dropped = 0, poses = 0;
    for (std::uint64_t seed = 910; seed < 920; ++seed) {
      RandomObjectOptions object;
      object.seed = seed;
      MotionOptions motion;
      motion.seed = seed;
      motion.motion = kind;
      PartTracks tracks = part_tracks(simulate_motion(random_object(object), motion).log, "log");
      for (const PartTrack& part : tracks.parts) poses += part.seen;
      dropped += drop_flipped(tracks);
    }
    EXPECT_LT(dropped, 0.001 * poses) << dropped << " of " << poses;
  }
}

TEST(FlippedPoses, ObjectsAreDiscoveredInSpiteOfThem) {
  int right = 0;
  constexpr int kObjects = 12;
  for (std::uint64_t seed = 930; seed < 930 + kObjects; ++seed) {
    const SimulatedMotion motion = flipped_motion(seed, 0.05, 0.2);
    const Discovery found = discover(motion.log, "log");
    std::set<std::pair<std::set<std::string>, model::JointType>> expected, told;
    for (const SimulatedJoint& joint : motion.object.joints)
      expected.insert(
          {{motion.object.parts[joint.joint.parent].name, motion.object.parts[joint.joint.child].name},
           joint.joint.type});
    for (const DiscoveredJoint& joint : found.joints)
      told.insert({{found.name(joint.parent), found.name(joint.child)}, joint.joint.type});
    right += told == expected;
  }
  EXPECT_GE(right, kObjects - 2);
}

}  // namespace
}  // namespace prehend::articulation
