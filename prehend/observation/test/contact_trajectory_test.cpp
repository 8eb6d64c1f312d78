// Trajectories of appendix A, all cases: a block and a table, either of them moving, from every relation to every one inside it.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/relations/contact_rows.h>
#include <prehend/observation/simulated/demonstrations.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector3d;

enum class Down { nothing, vertex, edge, face };

const Vector3d kBlock(1.0, 0.8, 0.6);

// The block over the table's upper face z = 0, with its lower +x edge, a vertex of it, or its lower face down; turned at random about z.
math::Pose block_at(Down down, math::RandomStream& random) {
  const double yaw = random.uniform(-3.0, 3.0), tip = random.uniform(0.05, 0.5),
               roll = random.uniform(0.05, 0.5);
  Eigen::Quaterniond q(AngleAxisd(yaw, Vector3d::UnitZ()));
  if (down == Down::vertex || down == Down::nothing) q = q * AngleAxisd(roll, Vector3d::UnitX());
  if (down != Down::face) q = q * AngleAxisd(tip, Vector3d::UnitY());
  double lowest = 1e9;
  for (int i = 0; i < 8; ++i)
    lowest = std::min(
        lowest,
        (q * (0.5 * kBlock.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)))).z());
  const double height = down == Down::nothing ? random.uniform(0.05, 0.5) : 0.0;
  return {q.normalized(), Vector3d(random.normal(), random.normal(), height - lowest)};
}

double largest_gap(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& X) {
  double largest = 0.0;
  for (const ContactRow& row : rows_of(pair.features(), contacts))
    largest = std::max(largest, std::abs(evaluate(row, X.R(), X.p(), X.p()).gap));
  return largest;
}

// The least turn that lays the block's edge, or its lower face, onto the table; a vertex needs none.
double least_turn(Down to, const Eigen::Quaterniond& q) {
  if (to == Down::edge) return std::asin(std::abs((q * Vector3d::UnitY()).z()));
  if (to == Down::face) return std::acos(std::min(1.0, (q * Vector3d::UnitZ()).z()));
  return 0.0;
}

class Trajectories : public testing::TestWithParam<bool> {};

TEST_P(Trajectories, KeepTheRelationAndTurnAndShiftTheLeast) {
  const bool table_moves = GetParam();
  const geometry::Polyhedron block = geometry::Polyhedron::from_mesh(geometry::make_box(kBlock)),
                             table = geometry::Polyhedron::from_mesh(geometry::make_box({40, 40, 1}));
  const BodyPair pair = table_moves ? BodyPair(table, block) : BodyPair(block, table);
  const auto relation = [&](Down down, math::RandomStream& random) {
    const math::Pose X = math::Pose::translation({0, 0, 0.5}) * block_at(down, random);
    RelationPose at{{}, table_moves ? X.inverse() : X};
    at.contacts = pair.contacts_at(at.X_FM, pair.touch_tolerance());
    return at;
  };
  double kept = 0.0, excess = 0.0;
  int paths = 0;
  for (const Down from : {Down::nothing, Down::vertex, Down::edge}) {
    for (const Down to : {Down::vertex, Down::edge, Down::face}) {
      if (to <= from) continue;
      for (int trial = 0; trial < 15; ++trial) {
        math::RandomStream random(12, static_cast<std::uint64_t>(100 * static_cast<int>(from) +
                                                                 1000 * static_cast<int>(to) + trial));
        const RelationPose start = relation(from, random), end = relation(to, random);
        ASSERT_EQ(start.contacts.size(), from == Down::nothing ? 0u : 1u);
        ASSERT_EQ(end.contacts.size(), 1u);
        for (const bool backwards : {false, true}) {
          const ContactTrajectory path =
              backwards ? plan_trajectory(pair, end, start, 25) : plan_trajectory(pair, start, end, 25);
          const std::string what = std::to_string(static_cast<int>(from)) + " to " +
                                   std::to_string(static_cast<int>(to)) + ", trial " + std::to_string(trial) +
                                   (backwards ? ", backwards: " : ": ") + path.note;
          ASSERT_EQ(path.status, TrajectoryStatus::ok) << what;
          ASSERT_EQ(path.X_FM.size(), 25u);
          ++paths;
          for (const math::Pose& X : path.X_FM) {
            kept = std::max(kept, largest_gap(pair, start.contacts, X));
            EXPECT_FALSE(pair.overlaps(X, 1e-9)) << what;
          }
          const math::Pose &last = backwards ? path.X_FM.front() : path.X_FM.back(),
                           &first = backwards ? path.X_FM.back() : path.X_FM.front();
          EXPECT_LT(largest_gap(pair, end.contacts, last), 1e-9) << what;
          EXPECT_LT((first.p() - start.X_FM.p()).norm(), 1e-12) << what;
          const Eigen::Quaterniond q = table_moves ? start.X_FM.q().conjugate() : start.X_FM.q();
          excess = std::max(excess, std::abs(path.turn_rad - least_turn(to, q)));
          EXPECT_NEAR(path.turn_rad, least_turn(to, q), 1e-6) << what;
          // A vertex is put down straight.
          if (from == Down::nothing && to == Down::vertex)
            EXPECT_NEAR(path.shift_m, largest_gap(pair, end.contacts, start.X_FM), 1e-6) << what;
        }
      }
    }
  }
  std::printf("%d paths: the kept relation open by %.1g m at most, turns off the least by %.1g rad\n", paths,
              kept, excess);
  EXPECT_LE(kept, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Either, Trajectories, testing::Bool(),
                         [](const auto& info) { return info.param ? "TheTableMoves" : "TheBlockMoves"; });

// The block in a corner of a room, x, y, z >= 0: which walls it touches, and which of its turns are none.
struct Placed {
  const char* name;
  bool has_yaw, has_roll, has_tip;
  std::array<bool, 3> touches;
};

// In order of rank: face, edge or vertex down and on the walls.
constexpr std::array<Placed, 14> kPlaced = {{{"free", true, true, true, {false, false, false}},
                                             {"vertex", true, true, true, {false, false, true}},
                                             {"vertex, vertex", true, true, true, {true, false, true}},
                                             {"three vertices", true, true, true, {true, true, true}},
                                             {"edge", true, false, true, {false, false, true}},
                                             {"edge, vertex", true, false, true, {true, false, true}},
                                             {"edge, two vertices", true, false, true, {true, true, true}},
                                             {"edge, edge", false, false, true, {true, false, true}},
                                             {"edge, edge, face", false, false, true, {true, true, true}},
                                             {"face", true, false, false, {false, false, true}},
                                             {"face, edge", true, false, false, {true, false, true}},
                                             {"face, two edges", true, false, false, {true, true, true}},
                                             {"face, face", false, false, false, {true, false, true}},
                                             {"three faces", false, false, false, {true, true, true}}}};

std::array<Vector3d, 8> block_corners() {
  std::array<Vector3d, 8> corners;
  for (int i = 0; i < 8; ++i)
    corners[static_cast<std::size_t>(i)] =
        0.5 * kBlock.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  return corners;
}

// Least coordinates of the block's corners in the room.
Vector3d lowest(const Eigen::Quaterniond& q, const Vector3d& p) {
  Vector3d least = Vector3d::Constant(1e9);
  for (const Vector3d& corner : block_corners()) least = least.cwiseMin(q * corner + p);
  return least;
}

math::Pose place_in_room(const Placed& placed, math::RandomStream& random) {
  const double yaw = random.uniform(0.05, 0.4), roll = random.uniform(0.05, 0.3),
               tip = random.uniform(0.05, 0.3);
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
  if (placed.has_yaw) q = q * AngleAxisd(yaw, Vector3d::UnitZ());
  if (placed.has_roll) q = q * AngleAxisd(roll, Vector3d::UnitX());
  if (placed.has_tip) q = q * AngleAxisd(tip, Vector3d::UnitY());
  Vector3d gap(random.uniform(0.5, 1.0), random.uniform(0.5, 1.0), random.uniform(0.5, 1.0));
  for (int axis = 0; axis < 3; ++axis)
    if (placed.touches[static_cast<std::size_t>(axis)]) gap[axis] = 0.0;
  return {q.normalized(), gap - lowest(q.normalized(), Vector3d::Zero())};
}

// Appendix A: the turn about a plane's normal and an edge that keeps an edge on the floor, or the single least turn, by closed forms. `q` is the block's
// orientation in the room.
double closed_turn(const Placed& from, const Placed& to, const Eigen::Quaterniond& q,
                   const Eigen::Quaterniond& end) {
  const bool keeps_an_edge = !from.has_roll && from.has_tip && from.has_yaw && !from.touches[0];
  if (to.has_yaw && to.has_roll) return 0.0;
  const double up = std::acos(std::min(1.0, (q * Vector3d::UnitZ()).z()));
  if (to.has_yaw && to.has_tip) return from.has_roll ? std::asin(std::abs((q * Vector3d::UnitY()).z())) : 0.0;
  if (to.has_yaw) return up;  // (A.20), and (A.21) about the edge
  const Vector3d y = q * Vector3d::UnitY();
  if (to.has_tip)
    return std::acos(std::min(1.0, y.y()));  // (A.20) about y x y', (A.21) about the floor's normal
  if (!keeps_an_edge) return 2.0 * std::acos(std::min(1.0, std::abs((end * q.conjugate()).w())));
  return std::atan2(std::abs(y.x()), y.y()) + up;  // R(n, alpha) R(l, beta), (A.24); the inverse is (A.25)
}

class RoomTrajectories : public testing::TestWithParam<bool> {};

// All ranks that tables A.1 and A.4.2 distinguish: turns, shifts and ends against closed forms.
TEST_P(RoomTrajectories, EveryCaseOfAppendixA) {
  const bool room_moves = GetParam();
  const geometry::Polyhedron block = geometry::Polyhedron::from_mesh(geometry::make_box(kBlock));
  const geometry::Polyhedron room = geometry::Polyhedron::from_mesh(solid_of_cells(
      {-1, 0, 6}, {-1, 0, 6}, {-1, 0, 6}, [](int i, int j, int k) { return i == 0 || j == 0 || k == 0; }));
  const BodyPair pair = room_moves ? BodyPair(room, block) : BodyPair(block, room);
  const auto relation = [&](const Placed& placed, math::RandomStream& random) {
    const math::Pose X = place_in_room(placed, random);
    RelationPose at{{}, room_moves ? X.inverse() : X};
    at.contacts = pair.contacts_at(at.X_FM, pair.touch_tolerance());
    return at;
  };
  const auto ranks = [&](const RelationPose& at) {
    const auto found = find_contacts(pair.moving(), at.X_FM, pair.fixed(), math::Pose());
    const MotionFreedom freedom = motion_freedom(found.relation);
    return std::pair(freedom.translation.restricted, freedom.rotation.restricted);
  };
  std::set<std::pair<int, int>> translations, rotations;
  int paths = 0, least = 0;
  std::map<std::string, int> notes;
  for (std::size_t a = 0; a < kPlaced.size(); ++a) {
    for (std::size_t b = 0; b < kPlaced.size(); ++b) {
      for (int trial = 0; trial < test::sweep_size(2, 20); ++trial) {
        math::RandomStream random(77, 10000 * a + 100 * b + static_cast<std::uint64_t>(trial));
        const RelationPose start = relation(kPlaced[a], random), end = relation(kPlaced[b], random);
        const bool is_inside =
            a != b &&
            std::all_of(start.contacts.begin(), start.contacts.end(), [&](const PrincipalContact& contact) {
              return pair.touches(contact, end.X_FM, pair.touch_tolerance());
            });
        const auto [t0, r0] = ranks(start);
        const auto [t1, r1] = ranks(end);
        if (!is_inside || t0 + r0 >= t1 + r1) continue;
        const std::string what = std::string(kPlaced[a].name) + " to " + kPlaced[b].name;
        const ContactTrajectory path = plan_trajectory(pair, start, end, 12);
        ++paths;
        ASSERT_EQ(path.status, TrajectoryStatus::ok) << what << ": " << path.note;
        translations.insert({t0, t1});
        rotations.insert({r0, r1});
        for (const math::Pose& X : path.X_FM) {
          EXPECT_LE(largest_gap(pair, start.contacts, X), 1e-9) << what;
          EXPECT_FALSE(pair.overlaps(X, 1e-8)) << what << ": " << path.note;
        }
        EXPECT_LE(largest_gap(pair, end.contacts, path.X_FM.back()), 1e-9) << what;
        EXPECT_LT((path.X_FM.front().p() - start.X_FM.p()).norm(), 1e-12) << what;
        ++notes[path.note];
        if (path.note.find("observed") != std::string::npos) continue;
        ++least;
        const auto in_room = [&](const math::Pose& X) { return room_moves ? X.inverse() : X; };
        const Eigen::Quaterniond q = in_room(start.X_FM).q(), q_end = in_room(path.X_FM.back()).q();
        EXPECT_NEAR(path.turn_rad, closed_turn(kPlaced[a], kPlaced[b], q, q_end), 1e-6) << what;
        // (A.11) to (A.15): straight to the walls that are new, once turned.
        const math::Pose turned = in_room(math::Pose(path.X_FM.back().q(), start.X_FM.p()));
        const Vector3d gaps = lowest(turned.q(), turned.p());
        double shift = 0.0;
        for (int axis = 0; axis < 3; ++axis)
          if (kPlaced[b].touches[static_cast<std::size_t>(axis)]) shift = std::hypot(shift, gaps[axis]);
        EXPECT_NEAR(path.shift_m, shift, 1e-6) << what;
      }
    }
  }
  std::printf("%d paths, %d by the least motion\n", paths, least);
  for (const auto& [note, count] : notes) std::printf("%6d  %s\n", count, note.c_str());
  EXPECT_GE(least, 9 * paths / 10);
  for (const auto& ranks_of : {translations, rotations})
    for (const auto& pair_of :
         std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})
      EXPECT_TRUE(ranks_of.contains(pair_of)) << pair_of.first << " to " << pair_of.second;
}

INSTANTIATE_TEST_SUITE_P(Either, RoomTrajectories, testing::Bool(),
                         [](const auto& info) { return info.param ? "TheRoomMoves" : "TheBlockMoves"; });

// Between two poses of a path the bodies may overlap: two poses are not enough to see it.
TEST(ContactTrajectory, LooksBetweenThePosesThatWereAskedFor) {
  const BodyPair pair(geometry::Polyhedron::from_mesh(geometry::make_box({0.2, 0.2, 0.2})),
                      geometry::Polyhedron::from_mesh(
                          solid_of_cells({-3, -0.1, 0.1, 3}, {-2, -1, 1, 2}, {-1, 0, 1},
                                         [](int i, int j, int k) { return k == 0 || (i == 1 && j == 1); })));
  // From one side of a wall to the other, on the floor all along.
  RelationPose start{{}, math::Pose::translation({-1.0, 0.0, 0.1})},
      end{{}, math::Pose::translation({0.2, 0.0, 0.1})};
  start.contacts = pair.contacts_at(start.X_FM, pair.touch_tolerance());
  end.contacts = pair.contacts_at(end.X_FM, pair.touch_tolerance());
  ASSERT_EQ(start.contacts.size(), 1u);
  ASSERT_EQ(end.contacts.size(), 2u);
  const ContactTrajectory path = plan_trajectory(pair, start, end, 2);
  EXPECT_EQ(path.status, TrajectoryStatus::overlapping);
  EXPECT_TRUE(path.X_FM.empty());
  EXPECT_NE(path.note.find("no path"), std::string::npos);
}

// What nobody computed is no answer.
TEST(Statuses, AreNotOkByDefault) {
  EXPECT_NE(ContactTrajectory().status, TrajectoryStatus::ok);
  EXPECT_NE(TrajectoryStatus(), TrajectoryStatus::ok);
  EXPECT_NE(MotionFreedom().status, FreedomStatus::ok);
  EXPECT_NE(FreedomStatus(), FreedomStatus::ok);
  EXPECT_NE(Watched().status, WatchStatus::ok);
  EXPECT_NE(WatchStatus(), WatchStatus::ok);
  EXPECT_NE(WatchedFrame().status, CorrectionStatus::ok);
  EXPECT_NE(CorrectionStatus(), CorrectionStatus::ok);
}

// A vertex that stays down cannot become an edge that does not have it: no path, and it is said.
TEST(ContactTrajectory, SaysWhereThereIsNone) {
  const BodyPair pair(geometry::Polyhedron::from_mesh(geometry::make_box(kBlock)),
                      geometry::Polyhedron::from_mesh(geometry::make_box({40, 40, 1})));
  math::RandomStream random(3);
  const math::Pose up = math::Pose::translation({0, 0, 0.5});
  RelationPose start{{}, up * block_at(Down::vertex, random)}, end{{}, up * block_at(Down::edge, random)};
  start.contacts = pair.contacts_at(start.X_FM, pair.touch_tolerance());
  // Tipped the other way: the lower -x edge.
  end.X_FM = up * math::Pose(Eigen::Quaterniond(AngleAxisd(-0.3, Vector3d::UnitY())),
                             {0, 0, 0.5 * (std::sin(0.3) * kBlock.x() + std::cos(0.3) * kBlock.z())});
  end.contacts = pair.contacts_at(end.X_FM, pair.touch_tolerance());
  ASSERT_EQ(start.contacts.size(), 1u);
  ASSERT_EQ(end.contacts.size(), 1u);
  const ContactTrajectory path = plan_trajectory(pair, start, end, 10);
  EXPECT_EQ(path.status, TrajectoryStatus::no_end);
  EXPECT_TRUE(path.X_FM.empty());
  EXPECT_NE(path.note.find("no path"), std::string::npos);
}

}  // namespace
}  // namespace prehend::observation
