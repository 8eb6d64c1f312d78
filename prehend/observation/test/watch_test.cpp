// Demonstrations with known states; corrections and trajectories against what they must satisfy.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include <prehend/geometry/proximity.h>
#include <prehend/math/random.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/relations/contact_rows.h>
#include <prehend/observation/simulated/demonstrations.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {
namespace {

using math::Pose;

constexpr std::array kKinds = {DemonstrationKind::peg,  DemonstrationKind::corner, DemonstrationKind::roll,
                               DemonstrationKind::hook, DemonstrationKind::stack,  DemonstrationKind::jam};

BodyPair pair_of(const Demonstration& demo) {
  return {geometry::Polyhedron::from_mesh(demo.moving), geometry::Polyhedron::from_mesh(demo.fixed)};
}

std::vector<std::string> numbers_of(const Watched& watched) {
  std::vector<std::string> numbers;
  for (const WatchedState& state : watched.states) numbers.push_back(state.freedom.eight_numbers());
  return numbers;
}

struct Score {
  int recordings{0}, sequences{0};
  double frames{0.0}, right{0.0};
};

void watch_and_count(DemonstrationKind kind, std::uint64_t seed, const TrackNoise& noise, Score& score) {
  const Demonstration demo = demonstrate(kind, seed);
  const Watched watched = watch(pair_of(demo), seen(demo, noise, seed));
  ++score.recordings;
  score.sequences += numbers_of(watched) == demo.numbers;
  for (std::size_t i = 0; i < watched.frames.size(); ++i) {
    const WatchedState& state = watched.states[static_cast<std::size_t>(watched.frames[i].state)];
    score.right += state.freedom.eight_numbers() == demo.numbers[static_cast<std::size_t>(demo.states[i])];
    score.frames += 1.0;
  }
}

// Other demonstrations: PREHEND_SEED is added to the seeds below.
std::uint64_t other_seeds() {
  const char* text = std::getenv("PREHEND_SEED");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

Score sweep(std::uint64_t first, int count, const TrackNoise& noise) {
  Score all;
  for (const DemonstrationKind kind : kKinds) {
    Score score;
    for (int i = 0; i < count; ++i) watch_and_count(kind, other_seeds() + first + static_cast<std::uint64_t>(i), noise, score);
    std::printf("%s: %d of %d sequences, %.1f %% of frames\n", to_string(kind), score.sequences, score.recordings, 100.0 * score.right / score.frames);
    all.recordings += score.recordings;
    all.sequences += score.sequences;
    all.frames += score.frames;
    all.right += score.right;
  }
  return all;
}

int sweep_size() { return std::getenv("PREHEND_SLOW") != nullptr ? 40 : 2; }

constexpr double kDegree = 3.14159265358979 / 180.0;

// The demonstrations' own numbers were counted by hand.
TEST(Demonstrations, FramesShowTheirStates) {
  for (const DemonstrationKind kind : kKinds) {
    const Demonstration demo = demonstrate(kind, 3);
    const BodyPair pair = pair_of(demo);
    for (std::size_t i = 0; i < demo.X_FM.size(); ++i) {
      const PolyhedronContacts found = find_contacts(pair.moving(), demo.X_FM[i], pair.fixed(), Pose());
      EXPECT_EQ(motion_freedom(found.relation).eight_numbers(), demo.numbers[static_cast<std::size_t>(demo.states[i])])
          << to_string(kind) << " frame " << i;
      EXPECT_FALSE(pair.overlaps(demo.X_FM[i], pair.overlap_tolerance())) << to_string(kind) << " frame " << i;
    }
  }
}

TEST(Watch, ExactPoses) {
  const Score score = sweep(1000, sweep_size(), {0.0, 0.0});
  EXPECT_EQ(score.sequences, score.recordings);
  EXPECT_GE(score.right / score.frames, 0.97);
}

TEST(Watch, NoiseOfAMillimetreAndHalfADegree) {
  const Score score = sweep(2000, sweep_size(), {1e-3, 0.5 * kDegree});
  EXPECT_GE(score.sequences, 0.9 * score.recordings);
  EXPECT_GE(score.right / score.frames, 0.92);
}

TEST(Watch, NoiseOfThreeMillimetresAndADegree) {
  if (std::getenv("PREHEND_SLOW") == nullptr) GTEST_SKIP() << "a sweep; set PREHEND_SLOW=1";
  const Score score = sweep(3000, sweep_size(), {3e-3, 1.0 * kDegree});
  EXPECT_GE(score.sequences, 0.7 * score.recordings);
  EXPECT_GE(score.right / score.frames, 0.8);
}

TEST(Watch, BackwardsTheStatesAreTheSame) {
  for (const DemonstrationKind kind : kKinds) {
    const Demonstration demo = demonstrate(kind, 11);
    Recording recording = seen(demo, {1e-3, 0.5 * kDegree}, 11);
    const std::vector<std::string> forwards = numbers_of(watch(pair_of(demo), recording));
    std::reverse(recording.X_FM.begin(), recording.X_FM.end());
    std::vector<std::string> backwards = numbers_of(watch(pair_of(demo), recording));
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(forwards, backwards) << to_string(kind);
  }
}

// A block that hovers five standard deviations above a table, for seconds, is free.
TEST(Watch, AHoveringBlockIsFree) {
  const Demonstration demo = demonstrate(DemonstrationKind::stack, 5);
  const BodyPair pair = pair_of(demo);
  math::RandomStream random(8);
  Recording recording{"moving", "fixed", {}, {}, true, 0, {}};
  const Pose above(demo.X_FM.back().q(), demo.X_FM.back().p() + Eigen::Vector3d(0.0, 0.0, 5e-3));
  for (int i = 0; i < 90; ++i) {
    const Eigen::Vector3d shift = 1e-3 * random.normal3(), turn = 0.5 * kDegree * random.normal3();
    recording.t_s.push_back(i / 30.0);
    recording.X_FM.push_back(Pose((math::exp_so3(turn) * above.q()).normalized(), above.p() + shift));
  }
  const Watched watched = watch(pair, recording);
  ASSERT_EQ(watched.states.size(), 1u);
  EXPECT_TRUE(watched.states[0].contacts.empty()) << watched.brief_report();
}

// A block pushed along a floor, 9 mm from frame to frame, 5 mm beside a wall: eight times the noise is no contact, however fast it goes.
TEST(Watch, AFastPushBesideAWallTouchesTheFloorOnly) {
  const auto fixed = solid_of_cells({-0.02, 0.0, 0.1}, {-0.2, 0.3}, {-0.02, 0.0, 0.05},
                                    [](int i, int, int k) { return i == 0 || k == 0; });
  const auto moving =
      solid_of_cells({0.0, 0.05}, {0.0, 0.04}, {0.0, 0.03}, [](int, int, int) { return true; });
  const BodyPair pair(geometry::Polyhedron::from_mesh(moving), geometry::Polyhedron::from_mesh(fixed));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    math::RandomStream random(30 + seed);
    Recording recording{"moving", "fixed", {}, {}, true, 0, {}};
    for (int i = 0; i < 40; ++i) {
      const Eigen::Vector3d p(5e-3, -0.15 + 9e-3 * std::max(0, i - 16), 5e-3 * std::max(0, 16 - i));
      const Eigen::Vector3d turn = 0.25 * kDegree * random.normal3();
      recording.t_s.push_back(i / 30.0);
      recording.X_FM.push_back(Pose(math::exp_so3(turn), p + 6e-4 * random.normal3()));
    }
    EXPECT_EQ(numbers_of(watch(pair, recording)), (std::vector<std::string>{"300 300 00", "210 120 12"}))
        << seed;
  }
}

// White noise: differences of all orders say the same. A smooth motion: those of order five are next to nothing.
TEST(Recording, JitterOfAllOrders) {
  math::RandomStream random(12);
  std::vector<Pose> noisy, smooth;
  for (int i = 0; i < 400; ++i) {
    const Eigen::Vector3d way(std::sin(0.1 * i), std::cos(0.1 * i), std::sin(0.1 * i + 1.0));
    const Eigen::Vector3d p = 0.05 * way, turn = 0.2 * way;
    smooth.push_back(Pose(math::exp_so3(turn), p));
    noisy.push_back(Pose((math::exp_so3(0.01 * random.normal3()) * smooth.back().q()).normalized(),
                         p + 1e-3 * random.normal3()));
  }
  for (const int order : {2, 3, 4, 5}) {
    const TrackNoise jitter = jitter_of(noisy, Eigen::Vector3d::Zero(), order);
    EXPECT_NEAR(jitter.position, 1e-3, 1e-4) << order;  // four standard errors of a median of 1200
    EXPECT_NEAR(jitter.angle, 0.01, 1e-3) << order;
  }
  EXPECT_LT(jitter_of(smooth, Eigen::Vector3d::Zero(), 5).position, 0.1 * jitter_of(smooth).position);
}

// Played without the frames in which the singular states hold, they are inferred.
TEST(Watch, StatesPassedBetweenFramesAreInferred) {
  const Demonstration demo = demonstrate(DemonstrationKind::peg, 21);
  Recording all = seen(demo, {0.0, 0.0}, 1), recording = all;
  recording.t_s.clear();
  recording.X_FM.clear();
  for (std::size_t i = 0; i < all.t_s.size(); ++i) {
    if (demo.states[i] == 2 || demo.states[i] == 5) continue;
    recording.t_s.push_back(all.t_s[i]);
    recording.X_FM.push_back(all.X_FM[i]);
  }
  const Watched watched = watch(pair_of(demo), recording);
  EXPECT_EQ(numbers_of(watched), demo.numbers);
  ASSERT_EQ(watched.states.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(watched.states[i].inferred, i == 2 || i == 5);
  EXPECT_EQ(watched.critical, std::vector<int>{5});
}

// A tip in the corner of three walls touches three faces, an edge along the foot of a wall two: what they touch is none of their neighbours' own.
TEST(BodyPair, InHollowsFacesAreTouched) {
  const geometry::Polyhedron corner = geometry::Polyhedron::from_mesh(
      solid_of_cells({-1, 0, 2}, {-1, 0, 2}, {-1, 0, 2}, [](int i, int j, int k) { return i == 0 || j == 0 || k == 0; }));
  const geometry::Polyhedron block =
      geometry::Polyhedron::from_mesh(solid_of_cells({0, 0.5}, {0, 0.5}, {0, 0.5}, [](int, int, int) { return true; }));
  const BodyPair pair(block, corner);
  const auto types = [&](const Pose& X) {
    std::string text;
    EXPECT_FALSE(pair.overlaps(X, pair.overlap_tolerance()));
    for (const PrincipalContact& contact : pair.contacts_at(X, pair.touch_tolerance())) text += contact.type() + " ";
    return text;
  };
  // Leaning into the open octant: its z axis along (1, 1, 1) keeps all edges off the walls.
  const Eigen::Quaterniond lean = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, 1, 1.3));
  EXPECT_EQ(types(Pose()), "face-face face-face face-face ");
  const geometry::Polyhedron tip = geometry::Polyhedron::from_mesh(geometry::TriangleMesh{
      {{0, 0, 0}, {0.4, 0.3, 0.3}, {0.3, 0.4, 0.3}, {0.3, 0.3, 0.4}}, {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}});
  const BodyPair pointed(tip, corner);
  const auto count = [&](const Eigen::Vector3d& p) { return pointed.contacts_at(Pose(lean, p), pointed.touch_tolerance()); };
  ASSERT_EQ(count({0, 0, 0}).size(), 3u);
  ASSERT_EQ(count({0, 0, 0.5}).size(), 2u);
  ASSERT_EQ(count({0.5, 0.5, 0}).size(), 1u);
  for (const PrincipalContact& contact : count({0, 0, 0})) EXPECT_EQ(contact.type(), "vertex-face");
  EXPECT_EQ(types(Pose::translation({0, 0.5, 0})), "face-face face-face ");
  // A wedge with its edge at the foot of a wall.
  const BodyPair wedge(geometry::Polyhedron::from_mesh(geometry::TriangleMesh{
                           {{0, 0, 0}, {0.5, 0, 0.2}, {0.2, 0, 0.5}, {0, 0.5, 0}, {0.5, 0.5, 0.2}, {0.2, 0.5, 0.5}},
                           {{0, 1, 2}, {3, 5, 4}, {0, 3, 1}, {1, 3, 4}, {1, 4, 2}, {2, 4, 5}, {2, 5, 0}, {0, 5, 3}}}),
                       corner);
  const PrincipalContacts two = wedge.contacts_at(Pose::translation({0, 0.5, 0}), wedge.touch_tolerance());
  ASSERT_EQ(two.size(), 2u);
  for (const PrincipalContact& contact : two) EXPECT_EQ(contact.type(), "edge-face");
}

// Single frames decimetres off, in every state: the states are those without them, and the frames are named.
TEST(Watch, StrayFramesSayNothing) {
  for (const DemonstrationKind kind : {DemonstrationKind::corner, DemonstrationKind::hook}) {
    const Demonstration demo = demonstrate(kind, 41);
    Recording recording = seen(demo, {1e-3, 0.5 * kDegree}, 41);
    math::RandomStream random(3);
    for (std::size_t i = 5; i + 3 < recording.X_FM.size(); i += 11) {
      const Eigen::Vector3d shift = 0.08 * random.unit_vector();
      recording.X_FM[i] = Pose(recording.X_FM[i].q(), recording.X_FM[i].p() + shift);
    }
    const Watched watched = watch(pair_of(demo), recording);
    EXPECT_EQ(numbers_of(watched), demo.numbers) << to_string(kind);
  }
}

// An error that stays, as large as the jitter of a tracker of 0.5 mm, does not make other states.
TEST(Watch, AnOffsetMakesNoOtherStates) {
  int right = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Demonstration demo = demonstrate(DemonstrationKind::corner, 50 + seed);
    Recording recording = seen(demo, {5e-4, 0.25 * kDegree}, 50 + seed);
    math::RandomStream random(60 + seed);
    const Eigen::Vector3d shift = 5e-4 * random.normal3(), turn = 0.25 * kDegree * random.normal3();
    for (Pose& X : recording.X_FM) X = Pose((math::exp_so3(turn) * X.q()).normalized(), X.p() + shift);
    right += numbers_of(watch(pair_of(demo), recording)) == demo.numbers;
  }
  EXPECT_GE(right, 3);
}

// The tracked frame is 2.5 mm and a degree off the mesh's: the states are the same. Where frames follow each other closely enough for their jitter to show, the
// error is named.
TEST(Watch, AConstantOffsetIsFound) {
  int right = 0, found = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Demonstration demo = demonstrate(DemonstrationKind::corner, 170 + seed);
    Recording recording = seen(demo, {1e-3, 0.5 * kDegree}, 170 + seed);
    math::RandomStream random(180 + seed);
    const Pose error(math::exp_so3(1.0 * kDegree * random.unit_vector()), 2.5e-3 * random.unit_vector());
    for (Pose& X : recording.X_FM) X = X * error;
    const Watched watched = watch(pair_of(demo), recording);
    right += numbers_of(watched) == demo.numbers;
    if (!watched.offset) continue;
    const Eigen::Vector3d left = error.q() * watched.offset->turn_M + math::log_so3(error.q());
    EXPECT_LT(left.norm(), 0.4 * kDegree) << seed;
    ++found;
  }
  std::printf("%d of 3 sequences are right, %d offsets named\n", right, found);
  EXPECT_GE(right, 2);
  EXPECT_GE(found, 1);
}

// No pose of the relation nearby costs less: other poses of it are reached by correcting others.
TEST(PoseCorrection, TheLeastMotionIsLeast) {
  math::RandomStream random(4);
  const Demonstration demo = demonstrate(DemonstrationKind::peg, 2);
  const BodyPair pair = pair_of(demo);
  int compared = 0;
  for (std::size_t i = 0; i < demo.X_FM.size(); i += 7) {
    const PrincipalContacts contacts = pair.contacts_at(demo.X_FM[i], pair.touch_tolerance());
    if (contacts.empty()) continue;
    CorrectionOptions options;
    options.noise = {1e-3, 0.02};
    const auto shaken = [&](const Pose& X, double scale) {
      const Eigen::Vector3d shift = scale * 1e-3 * random.normal3(), turn = scale * 0.02 * random.normal3();
      return Pose((math::exp_so3(turn) * X.q()).normalized(), X.p() + shift);
    };
    const Pose seen_pose = shaken(demo.X_FM[i], 1.0);
    const Correction least = correct_pose(pair, contacts, seen_pose, options);
    if (least.status != CorrectionStatus::ok) continue;
    EXPECT_LE(least.residual_m, 1e-9);
    for (int k = 0; k < 5; ++k) {
      const Correction other = correct_pose(pair, contacts, shaken(least.X_FM, 0.1), options);
      if (other.status == CorrectionStatus::not_converged) continue;
      const double turn = math::log_so3(other.X_FM.q() * seen_pose.q().conjugate()).norm() / options.noise.angle;
      const double shift = (other.X_FM.p() - seen_pose.p()).norm() / options.noise.position;
      EXPECT_GE(turn * turn + shift * shift, least.cost * (1.0 - 1e-7) - 1e-9);
      ++compared;
    }
  }
  EXPECT_GT(compared, 50);
}

// Overlap by features against overlap by triangles, where neither is within a thousandth of touching.
TEST(BodyPair, OverlapsAsTrianglesDo) {
  math::RandomStream random(6);
  int both = 0, neither = 0;
  for (const DemonstrationKind kind : {DemonstrationKind::peg, DemonstrationKind::hook, DemonstrationKind::corner}) {
    const Demonstration demo = demonstrate(kind, 4);
    const BodyPair pair = pair_of(demo);
    const geometry::ProximityShape moving(pair.moving().mesh()), fixed(pair.fixed().mesh());
    for (int i = 0; i < 400; ++i) {
      const Pose X(random.rotation(), 0.5 * pair.size() * random.normal3());
      const geometry::Proximity truth = proximity(moving, X, fixed, Pose());
      if (std::abs(truth.distance) < 1e-3 * pair.size()) continue;
      const bool overlaps = truth.status == geometry::ProximityStatus::overlapping;
      EXPECT_EQ(pair.overlaps(X, pair.overlap_tolerance()), overlaps) << to_string(kind) << " " << i;
      (overlaps ? both : neither) += 1;
    }
  }
  EXPECT_GT(both, 100);
  EXPECT_GT(neither, 100);
}

TEST(ContactTrajectory, KeepsTheLessRestrictedRelation) {
  double open = 0.0;
  int paths = 0;
  for (const DemonstrationKind kind : kKinds) {
    const Demonstration demo = demonstrate(kind, 31);
    const BodyPair pair = pair_of(demo);
    WatchOptions options;
    options.plan = 25;
    const Watched watched = watch(pair, seen(demo, {1e-3, 0.5 * kDegree}, 31), options);
    for (const WatchedTrajectory& path : watched.trajectories) {
      ASSERT_EQ(path.X_FM.size(), 25u) << to_string(kind) << " " << path.from << ": " << path.note;
      const WatchedState &a = watched.states[static_cast<std::size_t>(path.from)], &b = watched.states[static_cast<std::size_t>(path.to)];
      const bool is_forward = a.freedom.all.restricted <= b.freedom.all.restricted;
      for (const Pose& X : path.X_FM) {
        EXPECT_FALSE(pair.overlaps(X, pair.overlap_tolerance()));
        for (const ContactRow& row : rows_of(pair.features(), (is_forward ? a : b).features()))
          open = std::max(open, std::abs(evaluate(row, X.R(), X.p(), X.p()).gap));
      }
      ++paths;
      for (const PrincipalContact& contact : b.features()) EXPECT_TRUE(pair.touches(contact, path.X_FM.back(), 1e-6 * pair.size()));
      for (const PrincipalContact& contact : a.features()) EXPECT_TRUE(pair.touches(contact, path.X_FM.front(), 1e-6 * pair.size()));
    }
  }
  std::printf("%d paths: the kept relations open by %.1g m at most\n", paths, open);
  EXPECT_LE(open, 1e-9);
}

// An edge is laid onto a plane about n x l of the start, by its elevation: nothing less can do.
TEST(ContactTrajectory, AnEdgeIsLaidDownByItsElevation) {
  const Demonstration demo = demonstrate(DemonstrationKind::roll, 7);
  const BodyPair pair = pair_of(demo);
  const Pose flat = demo.X_FM[static_cast<std::size_t>(std::find(demo.states.begin(), demo.states.end(), 2) - demo.states.begin())];
  const PrincipalContacts edge = pair.contacts_at(flat, pair.touch_tolerance());
  ASSERT_EQ(edge.size(), 1u);
  math::RandomStream random(5);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector3d turn = 0.2 * random.unit_vector();
    const Pose start((math::exp_so3(turn) * flat.q()).normalized(), flat.p() + Eigen::Vector3d(0, 0, 0.08));
    const ContactTrajectory path = plan_trajectory(pair, {{}, start}, {edge, flat}, 10);
    ASSERT_EQ(path.status, TrajectoryStatus::ok) << path.note;
    // The edge runs along the block's x axis.
    const double elevation = std::asin(std::abs((start.q() * Eigen::Vector3d::UnitX()).z()));
    EXPECT_NEAR(path.turn_rad, elevation, 1e-7);
  }
}

}  // namespace
}  // namespace prehend::observation
