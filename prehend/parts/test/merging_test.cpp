#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>
#include <prehend/parts/clusters/camera_direction.h>
#include <prehend/parts/merging/region_merging.h>
#include <prehend/parts/merging/tree_consensus.h>
#include <prehend/parts/merging/tree_leaves.h>
#include <prehend/parts/shapes/inner_points.h>
#include <prehend/parts/shapes/nearest_point.h>
#include <prehend/parts/shapes/own_frame.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Clusters of points in a row, each beside the next three.
std::vector<Region> random_regions(int count, math::RandomStream& random) {
  std::vector<Region> regions(count);
  for (int r = 0; r < count; ++r) {
    Region& region = regions[r];
    const Vector3d place(0.5 * r, random.uniform(), random.uniform());
    for (int i = 0; i < 30; ++i)
      region.corners.push_back(place + random.uniform(0.2, 1.0) * random.unit_vector());
    region.hull = geometry::small_hull(region.corners).volume;
    region.volume = random.uniform(0.5, 1.0) * region.hull;
    region.elements = 30.0;
    const Vector3d colour(random.uniform(), random.uniform(), random.uniform());
    region.colour_sum = 30.0 * colour;
    region.colour_squares = 30.0 * colour.squaredNorm();
  }
  return regions;
}

using Borders = std::map<std::pair<int, int>, Border>;

// The same merges with the hull of every pair, anew at every step.
std::vector<PartMerge> merges_of_all_hulls(std::vector<Region> regions, Borders borders,
                                           const MergeCost& cost) {
  std::set<int> alive;
  for (int i = 0; i < std::ssize(regions); ++i) alive.insert(i);
  std::vector<PartMerge> merges;
  while (!borders.empty()) {
    double least = 0.0, hull = 0.0;
    std::pair<int, int> best{-1, -1};
    for (const auto& [pair, border] : borders) {
      const Region &a = regions[pair.first], &b = regions[pair.second];
      std::vector<Vector3d> points = a.corners;
      points.insert(points.end(), b.corners.begin(), b.corners.end());
      const double volume = std::max({geometry::small_hull(points).volume, a.hull, b.hull});
      const double value = cost({a, b, border, volume});
      if (best.first < 0 || value < least) least = value, best = pair, hull = volume;
    }
    Region whole = regions[best.first];
    const Region& other = regions[best.second];
    whole.corners.insert(whole.corners.end(), other.corners.begin(), other.corners.end());
    whole.hull = hull;
    whole.volume += other.volume;
    whole.elements += other.elements;
    whole.colour_sum += other.colour_sum;
    whole.colour_squares += other.colour_squares;
    const int node = static_cast<int>(regions.size());
    regions.push_back(whole);
    merges.push_back(
        {best.first, best.second, merges.empty() ? least : std::max(least, merges.back().cost), least});
    Borders next;
    for (const auto& [pair, border] : borders) {
      const auto renamed = [&](int i) { return i == best.first || i == best.second ? node : i; };
      const int a = renamed(pair.first), b = renamed(pair.second);
      if (a == b) continue;
      Border& sum = next[{std::min(a, b), std::max(a, b)}];
      sum.weight += border.weight;
      sum.groove += border.groove;
    }
    borders = std::move(next);
  }
  return merges;
}

TEST(RegionMerging, BoundsOfHullsChangeNothing) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    math::RandomStream random(seed);
    const std::vector<Region> regions = random_regions(14, random);
    Borders borders;
    for (int a = 0; a < 14; ++a)
      for (int b = a + 1; b < std::min(14, a + 4); ++b) borders[{a, b}] = {1.0, random.uniform()};
    double volume = 0.0;
    for (const Region& region : regions) volume += region.volume;
    for (const MergeCost& cost : {our_cost(14 * 30.0), source_cost(14 * 30.0, volume)}) {
      RegionMerging merging(regions, cost);
      for (const auto& [pair, border] : borders) merging.add_border(pair.first, pair.second, border);
      merging.merge_neighbours(0.0);
      const std::vector<PartMerge> expected = merges_of_all_hulls(regions, borders, cost);
      ASSERT_EQ(merging.merges().size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_EQ(std::minmax(merging.merges()[k].a, merging.merges()[k].b),
                  std::minmax(expected[k].a, expected[k].b));
        EXPECT_NEAR(merging.merges()[k].cost, expected[k].cost, 1e-9);
        EXPECT_NEAR(merging.merges()[k].own, expected[k].own, 1e-9);
      }
    }
  }
}

TEST(TreeLeaves, TopAndWithout) {
  // ((0 1) (2 3)) 4, merges by cost.
  const PartTree tree{5, {{0, 1, 0.1, 0.1}, {2, 3, 0.2, 0.2}, {5, 6, 0.3, 0.3}, {4, 7, 0.4, 0.4}}};
  const TreeLeaves top = top_of_tree(tree, 3);
  EXPECT_EQ(top.leaf_of, (std::vector<int>{0, 0, 1, 1, 2}));
  for (int count = 1; count <= 3; ++count) {
    const std::vector<int> fine = tree.cut(count), coarse = top.tree.cut(count);
    for (int leaf = 0; leaf < 5; ++leaf) EXPECT_EQ(fine[leaf], coarse[top.leaf_of[leaf]]);
  }
  const TreeLeaves kept = without_leaves(tree, {0, 0, 1, 1, 1});  // 0 and 1 wait for (2 3)
  EXPECT_EQ(kept.tree.leaves, 3);
  EXPECT_EQ(kept.leaf_of, (std::vector<int>{0, 0, 0, 1, 2}));
  ASSERT_EQ(kept.tree.merges.size(), 2u);
  EXPECT_EQ(kept.tree.merges[0].cost, 0.2);
  EXPECT_EQ(kept.tree.merges[1].cost, 0.4);
  EXPECT_EQ(kept.tree.cut(2), (std::vector<int>{0, 0, 1}));
}

TEST(TreeConsensus, AgreesWithTheMajority) {
  // Six points in two groups of three; two trees part them 3 + 3, one in the middle of a group. Leaves are single points in the first, pairs
  // in the others.
  const PointTree singles{
      {6, {{0, 1, 0.1, 0.1}, {3, 4, 0.1, 0.1}, {2, 6, 0.2, 0.2}, {5, 7, 0.2, 0.2}, {8, 9, 0.9, 0.9}}},
      {0, 1, 2, 3, 4, 5}};
  const PointTree pairs{{4, {{0, 1, 0.2, 0.2}, {2, 3, 0.2, 0.2}, {4, 5, 1.2, 1.2}}}, {0, 0, 1, 2, 2, 3}};
  const PointTree other{{3, {{1, 2, 0.3, 0.3}, {0, 3, 0.6, 0.6}}}, {0, 0, 1, 1, 2, 2}};
  const std::vector<PointTree> trees{singles, pairs, other};
  const std::vector<int> cells = common_cells(trees);
  EXPECT_EQ(cells, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  const PointTree mean = mean_tree(trees, cells, 60);
  ASSERT_EQ(mean.tree.leaves, 6);
  EXPECT_EQ(mean.tree.cut(2), (std::vector<int>{0, 0, 0, 1, 1, 1}));
  // Per pair of points across: 0.9, 1.2, and in the last tree six of nine at 0.6, two at 0.3, one in the same leaf.
  EXPECT_NEAR(mean.tree.merges.back().own, (0.9 + 1.2 + (6.0 * 0.6 + 2.0 * 0.3) / 9.0) / 3.0, 1e-12);
  // Of one tree alone: the same tree. Fewer leaves: its top.
  const PointTree same = mean_tree({singles}, singles.leaf_of, 60),
                  top = mean_tree({singles}, singles.leaf_of, 3);
  for (int parts = 1; parts <= 6; ++parts) EXPECT_EQ(same.tree.cut(parts), singles.tree.cut(parts));
  EXPECT_EQ(top.tree.leaves, 3);
  EXPECT_EQ(top.tree.cut(2)[top.leaf_of[0]], top.tree.cut(2)[top.leaf_of[2]]);
  // A point that one tree leaves out has no common cell, and may be given one.
  std::vector<PointTree> without = trees;
  without[1].leaf_of[5] = -1;
  std::vector<int> given = common_cells(without);
  EXPECT_EQ(given[5], -1);
  given[5] = given[4];
  EXPECT_EQ(mean_tree(without, given, 60).leaf_of[5], mean_tree(without, given, 60).leaf_of[4]);
}

TEST(RegionMerging, MergesOfATreeAgain) {
  // Its own merges done as told have the costs that they had.
  math::RandomStream random(5);
  const std::vector<Region> regions = random_regions(12, random);
  RegionMerging own(regions, our_cost(12 * 30.0)), told(regions, our_cost(12 * 30.0));
  for (RegionMerging* merging : {&own, &told})
    for (int a = 0; a < 12; ++a)
      for (int b = a + 1; b < std::min(12, a + 3); ++b) merging->add_border(a, b, {1.0, 0.1 * (a % 4)});
  own.merge_neighbours(0.0);
  told.merge_as({12, own.merges()}, 1.0);
  ASSERT_EQ(told.merges().size(), own.merges().size());
  for (std::size_t k = 0; k < own.merges().size(); ++k) {
    EXPECT_EQ(told.merges()[k].a, own.merges()[k].a);
    EXPECT_NEAR(told.merges()[k].own, own.merges()[k].own, 1e-12);
    EXPECT_NEAR(told.merges()[k].cost, own.merges()[k].cost, 1e-12);
  }
}

TEST(NearestPoint, IsTheNearest) {
  math::RandomStream random(3);
  std::vector<Vector3d> points;
  for (int i = 0; i < 500; ++i)
    points.emplace_back(random.uniform(), i % 3 == 0 ? 0.5 : random.uniform(), 0.01 * random.uniform());
  points.push_back(points[10]);  // equal: the first counts
  const NearestPoint nearest(points);
  for (int i = 0; i < 300; ++i) {
    const Vector3d p = i < 20 ? points[i] : Vector3d(3.0 * random.unit_vector());
    const auto best = std::min_element(
        points.begin(), points.end(),
        [&](const Vector3d& a, const Vector3d& b) { return (a - p).squaredNorm() < (b - p).squaredNorm(); });
    EXPECT_EQ(nearest(p), best - points.begin());
  }
}

TEST(InnerPoints, FillASolidEvenly) {
  // A tube: no point in its bore, as many in each eighth; a sheet a thousandth of its extent thick.
  const geometry::TriangleMesh torus = geometry::make_torus(0.1, 0.03, 60, 40);
  const std::vector<Vector3d> points = inner_points(torus, Eigen::Matrix3d::Identity(), 4000).points;
  EXPECT_NEAR(static_cast<double>(points.size()), 4000.0, 40.0);
  std::array<int, 8> eighths{};
  for (const Vector3d& p : points) {
    EXPECT_LT(std::hypot(p.head<2>().norm() - 0.1, p.z()), 0.03 + 1e-12);
    ++eighths[(p.x() > 0) + 2 * (p.y() > 0) + 4 * (p.z() > 0)];
  }
  for (const int count : eighths) EXPECT_NEAR(count, 500, 50);
  const Eigen::Matrix3d turn = Eigen::Quaterniond(0.1, 0.5, 0.3, 0.7).normalized().toRotationMatrix();
  const geometry::TriangleMesh sheet = geometry::make_box({0.3, 0.2, 0.0003});
  EXPECT_GT(inner_points(sheet, Eigen::Matrix3d::Identity(), 1000).points.size(), 950u);
  EXPECT_GT(inner_points(sheet, turn, 1000).points.size(), 500u);
}

// The triangles' middles in the mesh's own frame, in the order that this frame gives them.
std::vector<Vector3d> own_middles(const geometry::TriangleMesh& mesh) {
  const OwnFrame frame = own_frame(mesh);
  std::vector<Vector3d> middles;
  for (const Eigen::Vector3i& t : mesh.triangles)
    middles.push_back(frame.to_own((mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0));
  std::sort(middles.begin(), middles.end(),
            [](const Vector3d& a, const Vector3d& b) { return own_rank(a) < own_rank(b); });
  return middles;
}

TEST(OwnFrame, TurnedSymmetricShapesAreCopies) {
  // Whatever copy of itself a turned shape comes out as, in its own frame it is the same set of triangles.
  const std::vector<geometry::TriangleMesh> shapes{
      geometry::make_box({0.1, 0.2, 0.3}),      geometry::make_box({0.1, 0.1, 0.1}),
      geometry::make_box({0.1, 0.1, 0.3}),      geometry::make_cylinder(0.03, 0.12, 48),
      geometry::make_cylinder(0.03, 0.12, 7),   geometry::make_icosphere(0.05, 2),
      geometry::make_cylinder(0.05, 0.005, 24),
  };
  math::RandomStream random(11);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const std::vector<Vector3d> first = own_middles(shapes[k]);
    for (int turn = 0; turn < 6; ++turn) {
      const math::Pose X(random.rotation(), turn % 2 ? Vector3d(2000, -1500, 300) : Vector3d(0, 0, 0));
      const std::vector<Vector3d> other = own_middles(geometry::transformed(shapes[k], X));
      double off = 0.0;
      for (std::size_t i = 0; i < first.size(); ++i) off = std::max(off, (first[i] - other[i]).norm());
      EXPECT_LT(off, 1e-9) << "shape " << k << ", turn " << turn;
    }
  }
}

TEST(CameraDirection, OfHalfABallTurned) {
  math::RandomStream random(4);
  for (int k = 0; k < 4; ++k) {
    const Eigen::Quaterniond turn = random.rotation();
    std::vector<Vector3d> points;
    while (points.size() < 400)
      if (const Vector3d p = random.unit_vector(); p.z() > 0.0) points.push_back(turn * p);
    // Directions that were tried are 30, then 8 degrees apart.
    EXPECT_GT(camera_direction(points).dot(turn * Vector3d::UnitZ()), std::cos(0.3));
  }
}

}  // namespace
}  // namespace prehend::parts
