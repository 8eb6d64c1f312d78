// Random non-convex solids made of grid cells, whose contact areas are known by counting cells.
#include <cmath>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/test/contact_scenes.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using math::Pose;

constexpr int kCells = 3;
const std::vector<double> kLines{-1.0, -0.4, 0.3, 1.0};

struct Cells {
  bool filled[kCells][kCells][kCells]{};
  bool at(int i, int j, int k) const {
    return i >= 0 && j >= 0 && k >= 0 && i < kCells && j < kCells && k < kCells && filled[i][j][k];
  }
  TriangleMesh mesh() const {
    return grid_solid(kLines, kLines, kLines, [this](int i, int j, int k) { return at(i, j, k); });
  }
};

Cells random_cells(math::RandomStream& random, double density) {
  Cells cells;
  for (auto& plane : cells.filled) {
    for (auto& row : plane) {
      for (bool& cell : row) cell = random.uniform() < density;
    }
  }
  return cells;
}

// A solid and everything that is missing from it to a cube: pegs in holes, notches, pockets, islands. Every
// shared cell wall is contact.
TEST(ContactOfGrids, SolidAndItsComplementTouchInEverySharedWall) {
  int manifold = 0;
  for (int trial = 0; trial < 300; ++trial) {
    math::RandomStream random(41, trial);
    const Cells a = random_cells(random, random.uniform(0.3, 0.7));
    Cells b;
    std::map<std::tuple<int, int, int>, double>
        walls;  // by axis, grid line and sign of the normal from a to b
    for (int i = 0; i < kCells; ++i) {
      for (int j = 0; j < kCells; ++j) {
        for (int k = 0; k < kCells; ++k) b.filled[i][j][k] = !a.filled[i][j][k];
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < kCells; ++i) {
        for (int j = 0; j < kCells; ++j) {
          for (int line = 1; line < kCells; ++line) {
            std::array<int, 3> low, high;
            low[axis] = line - 1;
            high[axis] = line;
            low[(axis + 1) % 3] = high[(axis + 1) % 3] = i;
            low[(axis + 2) % 3] = high[(axis + 2) % 3] = j;
            const bool a_low = a.at(low[0], low[1], low[2]), a_high = a.at(high[0], high[1], high[2]);
            if (a_low == a_high) continue;
            walls[{axis, line, a_low ? 1 : -1}] += (kLines[i + 1] - kLines[i]) * (kLines[j + 1] - kLines[j]);
          }
        }
      }
    }
    const TriangleMesh mesh_a = a.mesh(), mesh_b = b.mesh();
    if (mesh_a.triangles.empty() || mesh_b.triangles.empty()) continue;
    const Polyhedron shape_a = Polyhedron::from_mesh(mesh_a), shape_b = Polyhedron::from_mesh(mesh_b);
    manifold += shape_a.is_closed() && shape_b.is_closed();
    const Pose X(random.rotation(), 100.0 * random.unit_vector());
    const std::vector<PosedPolyhedron> posed{{&shape_a, X, ContactBodyIndex(0)},
                                             {&shape_b, X, ContactBodyIndex(1)}};
    const ContactResult result = find_contacts(posed);
    EXPECT_EQ(result.interfaces.size(), walls.size()) << trial;
    EXPECT_TRUE(result.penetrations.empty()) << trial;
    for (const ContactInterface& interface : result.interfaces) {
      EXPECT_EQ(interface.kind, ContactKind::face) << trial;
      const Vector3d n = X.R().transpose() * interface.n_W, p = X.inverse() * interface.points_W[0];
      int axis = 0;
      n.cwiseAbs().maxCoeff(&axis);
      int line = 0;
      for (int l = 0; l <= kCells; ++l) {
        if (std::abs(kLines[l] - p[axis]) < 1e-9) line = l;
      }
      const auto wall = walls.find({axis, line, n[axis] > 0 ? 1 : -1});
      ASSERT_NE(wall, walls.end()) << trial;
      EXPECT_NEAR(interface.area_m2, wall->second, 1e-9) << trial;
    }
  }
  EXPECT_GT(manifold, 10);
}

// One solid turned on top of another: the overlap, cell by cell.
TEST(ContactOfGrids, TurnedSolidOnTopOverlapsCellByCell) {
  for (int trial = 0; trial < 200; ++trial) {
    math::RandomStream random(42, trial);
    const Cells a = random_cells(random, 0.65), b = random_cells(random, 0.65);
    const double turn = random.uniform(0.0, 6.28);
    const Vector2d shift(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
    Eigen::Matrix2d R;
    R << std::cos(turn), -std::sin(turn), std::sin(turn), std::cos(turn);
    const auto cell = [](int i, int j) {
      return Loop2{{kLines[i], kLines[j]},
                   {kLines[i + 1], kLines[j]},
                   {kLines[i + 1], kLines[j + 1]},
                   {kLines[i], kLines[j + 1]}};
    };
    double expected = 0.0;
    for (int i = 0; i < kCells * kCells; ++i) {
      for (int j = 0; j < kCells * kCells; ++j) {
        if (!a.at(i / kCells, i % kCells, kCells - 1) || !b.at(j / kCells, j % kCells, 0)) continue;
        Loop2 moved = cell(j / kCells, j % kCells);
        for (Vector2d& p : moved) p = R * p + shift;
        expected += area(intersect({{cell(i / kCells, i % kCells)}}, {{moved}}).polygon);
      }
    }
    const TriangleMesh mesh_a = a.mesh(), mesh_b = b.mesh();
    const Polyhedron shape_a = Polyhedron::from_mesh(mesh_a), shape_b = Polyhedron::from_mesh(mesh_b);
    const Pose X_WA(random.rotation(), random.normal3());
    const Pose X_AB(Eigen::Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitZ())),
                    {shift.x(), shift.y(), 2.0});
    const std::vector<PosedPolyhedron> posed{{&shape_a, X_WA, ContactBodyIndex(0)},
                                             {&shape_b, X_WA * X_AB, ContactBodyIndex(1)}};
    const ContactResult result = find_contacts(posed);
    EXPECT_TRUE(result.penetrations.empty()) << trial;
    ASSERT_EQ(result.interfaces.size(), expected > 0.0 ? 1u : 0u) << trial;
    if (result.interfaces.empty()) continue;
    EXPECT_NEAR(result.interfaces[0].area_m2, expected, 1e-9) << trial;
    EXPECT_GT(result.interfaces[0].n_W.dot(X_WA.R().col(2)), 1.0 - 1e-12) << trial;
  }
}

TEST(ContactOfGrids, ThreadsDoNotMatter) {
  Scene scene;
  math::RandomStream random(43);
  for (int i = 0; i < 30; ++i)
    scene.add(random_cells(random, 0.6).mesh(),
              Pose::translation({2.0 * (i % 3), 2.0 * (i / 3 % 3), 2.0 * (i / 9)}));
  const ContactResult one = scene.contacts();
  for (const int threads : {2, 0}) {
    scene.options.threads = threads;
    const ContactResult other = scene.contacts();
    ASSERT_EQ(other.interfaces.size(), one.interfaces.size());
    for (std::size_t i = 0; i < one.interfaces.size(); ++i) {
      EXPECT_EQ(other.interfaces[i].points_W, one.interfaces[i].points_W);
      EXPECT_EQ(other.interfaces[i].area_m2, one.interfaces[i].area_m2);
    }
  }
}

}  // namespace
}  // namespace prehend::geometry
