#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tests/places.h>
#include <tests/sweeps.h>

#include <prehend/articulation/evidence/mirrored_poses.h>
#include <prehend/articulation/test/marker_recording.h>
#include <prehend/model/track_file.h>

namespace prehend::articulation {
namespace {

using namespace testing;

// Seeds other than those that thresholds were chosen on; the sweep is marker_sweep_tool.
TEST(ErrorFloor, RecordingsOfMarkersAreRight) {
  for (const ErrorKind errors : {ErrorKind::slow, ErrorKind::fresh})
    for (const ObjectKind kind : kKinds) {
      math::RandomStream random(60000, static_cast<std::uint64_t>(kind));
      const Recording made = recording(kind, errors, random);
      for (const std::size_t which : {6, 8}) {
        if (which == 8 && errors == ErrorKind::fresh && !prehend::test::is_slow_run()) continue;
        const Discovery found = discover(variant(made.log, which, random.split(which)), "recording");
        // Slides of 12 cm may stay in doubt where errors follow the motion.
        EXPECT_TRUE(is_right(found, made.truth) &&
                    (found.status == DiscoveryStatus::ok || kind != ObjectKind::arm))
            << kKindNames[static_cast<std::size_t>(kind)] << ", " << kVariants[which] << "\n"
            << found.brief_report();
      }
    }
}

// A thread so fine that a hinge leaves millimetres, slowly: motion, and no error, since a screw leaves nothing slow.
TEST(ErrorFloor, AFineThreadIsNoError) {
  math::RandomStream random(60001);
  Joint joint = random_joint(JointType::screw, random);
  joint.pitch = 0.01;
  model::PoseLog log;
  log.parts = {"nut", "bolt"};
  for (int i = 0; i < 200; ++i) {
    const math::Pose poses[] = {math::Pose(), joint.forward(State::Constant(1, 1.5 * std::sin(0.05 * i)))};
    for (int part = 0; part < 2; ++part) {
      const math::Pose X = disturbed(poses[part], {0.0005, 0.002}, random);
      log.rows.push_back({i / 30.0, part, X.p(), X.q(), 2 + 2 * i + part});
    }
  }
  const Discovery found = discover(log, "log");
  ASSERT_EQ(found.joints.size(), 1U) << found.brief_report();
  EXPECT_EQ(found.joints.front().joint.type, JointType::screw) << found.brief_report();
}

TEST(ErrorFloor, MirroredPosesAreTurnedBack) {
  math::RandomStream random(60002);
  const math::Pose X0 = facing({0.1, 0, 0.8}, 0.15, random);
  model::PoseLog log;
  log.parts = {"a", "b"};
  for (int i = 0; i < 100; ++i)
    for (int part = 0; part < 2; ++part) {
      math::Pose X = math::Pose::translation({0.001 * i, 0.1 * part, 0}) * X0;
      if (part == 1 && i >= 40 && i < 46) X = flipped_pose(X);
      log.rows.push_back({i / 30.0, part, X.p(), X.q(), 2 + 2 * i + part});
    }
  PartTracks tracks = part_tracks(log, "log");
  EXPECT_EQ(undo_mirrored(tracks), 6);
  for (int i = 0; i < 100; ++i) EXPECT_LT(tracks.parts[1].X_WP[i]->q().angularDistance(X0.q()), 1e-6) << i;
  ASSERT_FALSE(tracks.notes.empty());
  EXPECT_NE(tracks.notes.back().find("6 poses are tilted to the other side"), std::string::npos);
}

// Two recorded doors or drawers as a cupboard whose body rests in the world.
TEST(ErrorFloor, RealDoorsInPairs) {
  const std::filesystem::path data =
      std::filesystem::path(prehend::test::shared_data()) / "articulation_tracks/kitchen";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no " << data << ": recorded tracks are not here";
  const std::set<std::string> drawers{"M2U00394", "M2U00395", "M2U00407", "M2U00408"};
  std::set<std::filesystem::path> sorted;
  for (const auto& file : std::filesystem::directory_iterator(data)) sorted.insert(file.path());
  const std::vector<std::filesystem::path> files(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < files.size(); k += prehend::test::is_slow_run() ? 1 : 5) {
    const std::filesystem::path both[] = {files[k], files[(k + 7) % files.size()]};
    const model::PoseLog tracks[] = {model::read_track(both[0]), model::read_track(both[1])};
    model::PoseLog log;
    log.parts = {"body", "a", "b"};
    const std::size_t frames = std::min(tracks[0].rows.size(), tracks[1].rows.size());
    for (std::size_t i = 0; i < frames; ++i) {
      const double t = static_cast<double>(i) / 30;
      const int line = 2 + static_cast<int>(log.rows.size());
      log.rows.push_back({t, 0, Eigen::Vector3d::UnitZ(), Eigen::Quaterniond::Identity(), line});
      for (int part = 1; part < 3; ++part) {
        model::PoseRow row = tracks[part - 1].rows[i * tracks[part - 1].rows.size() / frames];
        row.t = t, row.part = part, row.line = line + part;
        log.rows.push_back(row);
      }
    }
    const Discovery found = discover(log, "kitchen");
    EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
    ASSERT_EQ(found.joints.size(), 2U) << both[0] << both[1] << found.brief_report();
    for (const DiscoveredJoint& joint : found.joints) {
      const bool slides = drawers.contains(both[joint.child - 1].stem());
      EXPECT_EQ(joint.parent, 0) << found.brief_report();
      EXPECT_EQ(joint.joint.type, slides ? JointType::prismatic : JointType::revolute)
          << both[joint.child - 1] << "\n"
          << found.brief_report();
    }
  }
}

}  // namespace
}  // namespace prehend::articulation
