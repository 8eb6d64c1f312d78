// Parts with clocks of their own: stamps that differ, streams that are late.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/articulation/discovery.h>
#include <prehend/articulation/evidence/common_clock.h>
#include <prehend/articulation/evidence/stream_delay.h>
#include <prehend/articulation/selection.h>
#include <prehend/articulation/test/simulated_joint.h>

namespace prehend::articulation {
namespace {

using namespace testing;
using model::JointType;

// A carried base with a door and a drawer; part `which` is stamped `offset` off the others and `late` after it was seen.
model::PoseLog carried_cupboard(int which, double offset, double late, int seed) {
  math::RandomStream random(seed);
  const Joint door = random_joint(JointType::revolute, random),
              drawer = random_joint(JointType::prismatic, random);
  model::PoseLog log;
  log.parts = {"body", "door", "drawer"};
  for (int i = 0; i < 200; ++i)
    for (int part = 0; part < 3; ++part) {
      const double stamp = i / 30.0 + (part == which ? offset : 0.0),
                   t = stamp - (part == which ? late : 0.0);
      math::Pose X(math::exp_so3(Eigen::Vector3d(0, 0.7 * std::sin(2 * t), 0)),
                   Eigen::Vector3d(0.3 * std::sin(2.5 * t), 0, 0));
      if (part == 1) X = X * door.forward(State::Constant(1, 0.6 * std::sin(1.3 * t)));
      if (part == 2) X = X * drawer.forward(State::Constant(1, 0.1 * std::sin(1.7 * t)));
      X = disturbed(X, {0.001, 0.004}, random);
      log.rows.push_back({stamp, part, X.p(), X.q(), static_cast<int>(log.rows.size()) + 2});
    }
  return log;
}

TEST(CommonClock, LeavesLogsOfOneClockAlone) {
  std::vector<std::string> notes;
  EXPECT_FALSE(on_one_clock(carried_cupboard(1, 0, 0, 1), {0, 1, 2}, 1e-6, notes));
  EXPECT_TRUE(notes.empty());
}

TEST(CommonClock, InterpolatesWithinTheGap) {
  model::PoseLog log;
  log.parts = {"a", "b"};
  for (int i = 0; i < 6; ++i) log.rows.push_back({0.1 * i, 0, {0, 0, 0}, Eigen::Quaterniond::Identity(), 0});
  // Rows 0.1 s apart, then a hole of 0.3 s.
  for (const double t : {-0.05, 0.05, 0.15, 0.45, 0.55})
    log.rows.push_back(
        {t, 1, {t, 0, 0}, Eigen::Quaterniond(Eigen::AngleAxisd(t, Eigen::Vector3d::UnitZ())), 0});
  std::vector<std::string> notes;
  const auto clocked = on_one_clock(log, {0, 1}, 1e-6, notes);
  ASSERT_TRUE(clocked);
  const auto b = clocked->track(1);
  ASSERT_EQ(b.size(), 3u);
  const double times[] = {0.0, 0.1, 0.5};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(b[k]->t, times[k], 1e-12);
    EXPECT_NEAR(b[k]->p_WP.x(), times[k], 1e-12);
    EXPECT_NEAR(b[k]->q_WP->angularDistance(
                    Eigen::Quaterniond(Eigen::AngleAxisd(times[k], Eigen::Vector3d::UnitZ()))),
                0, 1e-7);
  }
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("'b' is stamped 50 ms off the frames of 'a'"), std::string::npos) << notes[0];
}

TEST(CommonClock, StampsLessThanAMillisecondApartAreNoObstacle) {
  for (const double offset : {0.0007, 0.0166}) {
    const model::PoseLog log = carried_cupboard(1, offset, 0, 2);
    const Selection door = select_joint(log, "log", {"body", "door"});
    EXPECT_EQ(door.status, SelectionStatus::ok) << door.brief_report();
    EXPECT_EQ(door.best().type, JointType::revolute);
    EXPECT_EQ(door.delay, 0.0);
    const Discovery found = discover(log, "log");
    EXPECT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
    EXPECT_EQ(found.joints.size(), 2u);
  }
}

TEST(StreamDelay, ALateStreamIsEstimatedAndSaid) {
  for (const int which : {0, 1, 2}) {
    const model::PoseLog log = carried_cupboard(which, 0, 0.05, 3);
    const Discovery found = discover(log, "log");
    ASSERT_EQ(found.status, DiscoveryStatus::ok) << found.brief_report();
    ASSERT_EQ(found.joints.size(), 2u);
    for (const DiscoveredJoint& joint : found.joints) {
      EXPECT_EQ(joint.parent, 0);
      EXPECT_EQ(joint.joint.type, joint.child == 1 ? JointType::revolute : JointType::prismatic);
    }
    bool said = false;
    for (const std::string& note : found.notes) said = said || note.find("is stamped") != std::string::npos;
    EXPECT_TRUE(said) << found.brief_report();
  }
  const model::PoseLog log = carried_cupboard(1, 0, 0.05, 4);
  const Selection door = select_joint(log, "log", {"body", "door"});
  EXPECT_EQ(door.status, SelectionStatus::ok) << door.brief_report();
  EXPECT_EQ(door.best().type, JointType::revolute);
  EXPECT_NEAR(door.delay, 0.05, 0.005);
  EXPECT_NEAR(as_selected(log, door).track(1).front()->t, -door.delay, 1e-12);
  EXPECT_NE(door.to_json().find("\"delay_s\""), std::string::npos);
}

TEST(StreamDelay, NothingIsLateInALogThatIsInTime) {
  for (int seed = 5; seed < 9; ++seed) {
    const model::PoseLog log = carried_cupboard(1, 0, 0, seed);
    EXPECT_EQ(pair_delay(log, 0, 1)->delay, 0.0);
    EXPECT_EQ(pair_delay(log, 1, 2)->delay, 0.0);
  }
}

// A marker at rest whose errors change slowly, beside one on a hinge: no delay explains what is no motion.
TEST(StreamDelay, APartAtRestIsNotLateHoweverItErrs) {
  for (int seed = 20; seed < 26; ++seed) {
    math::RandomStream random(seed);
    const Joint hinge = random_joint(JointType::revolute, random);
    const double memory = 0.85, fresh = std::sqrt(1 - memory * memory);
    std::array<Eigen::Vector3d, 2> shifts{random.normal3(), random.normal3()},
        turns{random.normal3(), random.normal3()};
    model::PoseLog log;
    log.parts = {"base", "arm"};
    for (int i = 0; i < 300; ++i)
      for (int part = 0; part < 2; ++part) {
        shifts[part] = memory * shifts[part] + fresh * random.normal3();
        turns[part] = memory * turns[part] + fresh * random.normal3();
        math::Pose X(Eigen::Quaterniond::Identity(), {0, 0, 1});
        if (part == 1) X = X * hinge.forward(State::Constant(1, 0.1 * std::sin(i / 25.0)));
        X = math::Pose(X.q() * math::exp_so3(Eigen::Vector3d(0.012 * turns[part])),
                       X.p() + 0.0025 * shifts[part]);
        X = disturbed(X, {0.001, 0.005}, random);
        log.rows.push_back({i / 30.0, part, X.p(), X.q(), static_cast<int>(log.rows.size()) + 2});
      }
    EXPECT_EQ(pair_delay(log, 0, 1)->delay, 0.0) << "seed " << seed;
  }
}

// Three markers on one thing that is carried before a camera and that flip now and then: what flips is not late, and no delay makes two parts of one.
TEST(StreamDelay, MarkersOfOnePartStayOneHoweverTheyFlip) {
  for (const int seed : {70, 74, 79}) {
    math::RandomStream random(seed);
    const double memory = 0.85, fresh = std::sqrt(1 - memory * memory);
    std::array<Eigen::Vector3d, 3> shifts, turns, places;
    for (int k = 0; k < 3; ++k) {
      shifts[k] = random.normal3(), turns[k] = random.normal3();
      places[k] = 0.1 * random.normal3();
    }
    model::PoseLog log;
    log.parts = {"a", "b", "c"};
    for (int i = 0; i < 400; ++i) {
      const double s = i / 400.0;
      const math::Pose X_WB(
          math::exp_so3(Eigen::Vector3d(3.0 + 0.3 * std::sin(9 * s), 0.2 * std::sin(14 * s + 1), 0.2 * s)),
          Eigen::Vector3d(0.08 * std::sin(7 * s), 0.06 * std::sin(11 * s + 2), 0.7));
      for (int k = 0; k < 3; ++k) {
        shifts[k] = memory * shifts[k] + fresh * random.normal3();
        turns[k] = memory * turns[k] + fresh * random.normal3();
        const Eigen::Vector3d p = X_WB.p() + X_WB.q() * places[k];
        const Eigen::Vector3d turn = 0.006 * random.normal3() + 0.006 * turns[k];
        Eigen::Quaterniond q = X_WB.q() * math::exp_so3(turn);
        if (random.uniform(0, 1) < 0.05) {  // the normal on the other side of the line of sight
          const Eigen::Vector3d normal = q * Eigen::Vector3d::UnitZ(), sight = -p.normalized();
          const Eigen::Vector3d axis = normal.cross(sight);
          q = math::exp_so3(
                  Eigen::Vector3d(2 * std::atan2(axis.norm(), normal.dot(sight)) * axis.normalized())) *
              q;
        }
        const Eigen::Vector3d shift =
            0.0005 * random.normal3() + 0.001 * shifts[k] + 0.002 * random.normal() * p.normalized();
        log.rows.push_back({i / 30.0, k, p + shift, q, 2 + static_cast<int>(log.rows.size())});
      }
    }
    const Discovery found = discover(log, "thing");
    EXPECT_TRUE(found.groups.size() == 1 || found.status == DiscoveryStatus::undetermined)
        << seed << found.brief_report();
  }
}

}  // namespace
}  // namespace prehend::articulation
