// Trajectories of appendix A, all cases: a block and a table, either of them moving, from every relation to every one inside it.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/relations/contact_rows.h>

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
