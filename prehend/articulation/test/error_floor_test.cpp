#include <array>
#include <cmath>
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

// Markers on a base, an upper arm and a hand as a camera sees them; the hand's hinge turns by `little` [rad].
model::PoseLog seen_arm(double little, math::RandomStream& random) {
  const std::array<math::Pose, 3> at_rest{facing({-0.1, 0, 0.8}, 0.4, random),
                                          facing({0.02, 0.03, 0.8}, 0.4, random),
                                          facing({0.14, 0.0, 0.8}, 0.4, random)};
  const Eigen::Vector3d axes[] = {Eigen::Vector3d(0.1, 0.2, 1).normalized(),
                                  Eigen::Vector3d(-0.3, 0.1, 1).normalized()};
  const Eigen::Vector3d on_axes[] = {{-0.04, 0, 0.8}, {0.08, 0.02, 0.8}};
  const auto turned = [&](int k, double angle) {
    const Eigen::Quaterniond q = math::exp_so3(Eigen::Vector3d(angle * axes[k]));
    return math::Pose(q, on_axes[k] - q * on_axes[k]);
  };
  constexpr double kMemory = 0.9;
  const double fresh = std::sqrt(1 - kMemory * kMemory);
  std::array<Eigen::Vector3d, 3> shifts, turns;
  for (int k = 0; k < 3; ++k) shifts[k] = random.normal3(), turns[k] = random.normal3();
  model::PoseLog log;
  log.parts = {"base", "arm", "hand"};
  for (int i = 0; i < 450; ++i) {
    const math::Pose first = turned(0, 0.8 * std::sin(i / 40.0)),
                     second = turned(1, 0.5 * little * std::sin(1 + i / 23.0));
    for (int k = 0; k < 3; ++k) {
      shifts[k] = kMemory * shifts[k] + fresh * random.normal3();
      turns[k] = kMemory * turns[k] + fresh * random.normal3();
      const math::Pose X = k == 0 ? at_rest[0] : k == 1 ? first * at_rest[1] : first * second * at_rest[2];
      const Eigen::Vector3d tilt = 0.006 * random.normal3() + 0.006 * turns[k];
      const Eigen::Vector3d turn(tilt[0], tilt[1], 0.3 * tilt[2]);
      const Eigen::Vector3d shift =
          0.0003 * random.normal3() + 0.0008 * shifts[k] + 0.002 * random.normal() * X.p().normalized();
      log.rows.push_back(
          {i / 30.0, k, X.p() + shift, X.q() * math::exp_so3(turn), 2 + static_cast<int>(log.rows.size())});
    }
  }
  return log;
}

// What a hinge moves by within the floor is no error; markers on one part stay one part.
TEST(ErrorFloor, AHingeThatTurnsByLittleIsNoError) {
  for (const int seed : {60010, 60011, 60012, 60013}) {
    math::RandomStream random(seed);
    const Discovery found = discover(seen_arm(7 * M_PI / 180, random), "arm");
    EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
    ASSERT_EQ(found.joints.size(), 2U) << found.brief_report();
    for (const DiscoveredJoint& joint : found.joints) {
      EXPECT_EQ(joint.joint.type, JointType::revolute);
      EXPECT_EQ(joint.parent, joint.child - 1) << found.brief_report();
    }
    const Discovery still = discover(seen_arm(0, random), "arm");
    EXPECT_EQ(still.groups.size(), 2U) << still.brief_report();
  }
}

// A drawer whose marker tilts by some degrees on its way, beside a door: no hinge with an axis metres away.
TEST(ErrorFloor, AMarkerThatTiltsOnADrawerMakesNoHinge) {
  for (const int seed : {60020, 60021, 60022, 60023}) {
    math::RandomStream random(seed);
    constexpr double kMemory = 0.9;
    const double fresh = std::sqrt(1 - kMemory * kMemory);
    std::array<Eigen::Vector3d, 3> shifts, turns;
    for (int k = 0; k < 3; ++k) shifts[k] = random.normal3(), turns[k] = random.normal3();
    const Eigen::Vector3d hinge(0.25, 0, 1.2), up(0, 1, 0);
    model::PoseLog log;
    log.parts = {"body", "door", "drawer"};
    for (int i = 0; i < 250; ++i) {
      const Eigen::Quaterniond q = math::exp_so3(Eigen::Vector3d(0.5 * (1 + std::sin(i / 30.0)) * up));
      const double way = 0.5 * (1 - std::cos(1 + i / 25.0));
      const Eigen::Vector3d at[] = {{-0.2, 0, 1.2},
                                    hinge + q * Eigen::Vector3d(-0.2, 0.1, 0),
                                    Eigen::Vector3d(-0.1, -0.2, 1.2 - 0.15 * way)};
      for (int k = 0; k < 3; ++k) {
        shifts[k] = kMemory * shifts[k] + fresh * random.normal3();
        turns[k] = kMemory * turns[k] + fresh * random.normal3();
        Eigen::Vector3d turn = 0.006 * random.normal3() + 0.008 * turns[k];
        if (k == 2) turn.y() += 0.045 * way;
        const Eigen::Vector3d shift =
            0.0005 * random.normal3() + 0.002 * shifts[k] + 0.002 * random.normal() * at[k].normalized();
        const Eigen::Quaterniond R = k == 1 ? q : Eigen::Quaterniond::Identity();
        log.rows.push_back(
            {i / 30.0, k, at[k] + shift, R * math::exp_so3(turn), 2 + static_cast<int>(log.rows.size())});
      }
    }
    const Discovery found = discover(log, "cupboard");
    ASSERT_EQ(found.joints.size(), 2U) << found.brief_report();
    for (const DiscoveredJoint& joint : found.joints)
      EXPECT_TRUE(joint.child != 2 || joint.joint.type == JointType::prismatic ||
                  found.status == DiscoveryStatus::undetermined)
          << seed << found.brief_report();
  }
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
