#include <cmath>
#include <map>
#include <numeric>

#include <prehend/math/random.h>
#include <prehend/parts/merging/cloud_tree.h>
#include <prehend/parts/merging/part_count.h>
#include <prehend/parts/merging/region_merging.h>
#include <prehend/parts/merging/tree_consensus.h>
#include <prehend/parts/shapes/nearest_point.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Divisions whose trees are averaged. One, three, four and eight: USE 0.054, 0.045, 0.045, 0.043 and GCE 0.053, 0.048, 0.046, 0.044 on 52
// generated tools (seeds 1 to 4); without colour 0.101, 0.097, 0.089, 0.095 and 0.126, 0.118, 0.112, 0.119; each takes 7 to 10 ms of 2000 points.
constexpr int kDivisions = 3;
// Leaves of the mean tree.
constexpr int kTreeLeaves = 60;
// Standard deviation of the logarithm of what a point lengthens its edges by: borders between regions move by a spacing or two. 0.3 is no better.
constexpr double kSpread = 0.15;

std::vector<PointEdge> perturbed(std::vector<PointEdge> edges, std::size_t points, int division) {
  math::RandomStream random(17, static_cast<std::uint64_t>(division));
  std::vector<double> factor(points);
  for (double& f : factor) f = std::exp(0.5 * kSpread * random.normal());
  for (PointEdge& edge : edges) edge.length *= factor[edge.a] * factor[edge.b];
  return edges;
}

// Corners that hulls are kept with. 160, 80, 48 and 32 have USE 0.047, 0.050, 0.045, 0.047 with colour and 0.092, 0.090, 0.089, 0.096 without on 52
// generated tools (seeds 1 to 4, four divisions), which is chance; 48 take two thirds of the time of 160.
constexpr std::size_t kCorners = 48;
// What merges of pieces that do not touch cost more: they come last.
constexpr double kApartCost = 1.0;

RegionMerging merging_of(const PreparedCloud& cloud, const CloudRegions& regions,
                         const CostWeights& weights) {
  std::vector<Region> leaves = leaves_of(cloud.points, cloud.colours, regions);
  double elements = 0.0;
  for (const Region& leaf : leaves) elements += leaf.elements;
  RegionMerging merging(std::move(leaves), our_cost(elements, weights), kCorners);
  add_borders(regions, 0, merging);
  return merging;
}

PartTree tree_of_division(const PreparedCloud& cloud, const CloudRegions& regions,
                          const CostWeights& weights) {
  RegionMerging merging = merging_of(cloud, regions, weights);
  merging.merge_neighbours(0.0);
  join_pieces(merging, kApartCost);
  return {regions.count, merging.merges()};
}

// Points that have a region of another piece than their own: it took them in as too few to be a part.
std::vector<char> taken_in(const std::vector<int>& piece, const std::vector<int>& region_of, int count) {
  std::vector<std::map<int, int>> points(count);
  for (std::size_t i = 0; i < piece.size(); ++i)
    if (region_of[i] >= 0) ++points[region_of[i]][piece[i]];
  std::vector<int> main(count, -1);
  for (int r = 0; r < count; ++r) {
    int most = 0;
    for (const auto& [of, number] : points[r])
      if (number > most) most = number, main[r] = of;
  }
  std::vector<char> result(piece.size(), 0);
  for (std::size_t i = 0; i < piece.size(); ++i)
    result[i] = region_of[i] >= 0 && piece[i] != main[region_of[i]];
  return result;
}

}  // namespace

void fill_gaps(const std::vector<Vector3d>& points, std::size_t count, std::vector<int>& region_of) {
  std::vector<Vector3d> known;
  std::vector<int> region;
  for (std::size_t i = 0; i < count; ++i)
    if (region_of[i] >= 0) known.push_back(points[i]), region.push_back(region_of[i]);
  if (known.empty() || known.size() == count) return;
  const NearestPoint nearest(known);
  for (std::size_t i = 0; i < count; ++i)
    if (region_of[i] < 0) region_of[i] = region[nearest(points[i])];
}

std::vector<int> pieces_of(std::size_t points, const std::vector<PointEdge>& edges) {
  std::vector<int> piece(points);
  std::iota(piece.begin(), piece.end(), 0);
  const auto find = [&piece](int i) {
    while (piece[i] != i) i = piece[i] = piece[piece[i]];
    return i;
  };
  for (const PointEdge& edge : edges) {
    const int a = find(edge.a), b = find(edge.b);
    piece[std::max(a, b)] = std::min(a, b);
  }
  for (std::size_t i = 0; i < points; ++i) piece[i] = find(static_cast<int>(i));
  return piece;
}

PartTree cloud_tree(const PreparedCloud& cloud, CloudRegions& regions, const CostWeights& weights) {
  const std::vector<Vector3d>& points = cloud.points;
  std::vector<PointTree> trees{{tree_of_division(cloud, regions, weights), regions.region_of}};
  const std::vector<int> first = regions.region_of;
  if (regions.count > 2 * kRegions) return trees.front().tree;  // many pieces
  const std::vector<char> is_guest = taken_in(pieces_of(points.size(), regions.edges), first, regions.count);
  const auto complete = [&](std::vector<int>& of) {
    fill_gaps(points, points.size(), of);
    for (std::size_t i = 0; i < of.size(); ++i)
      if (first[i] < 0) of[i] = -1;
  };
  for (int division = 1; division < kDivisions; ++division) {
    std::vector<int> region_of =
        geodesic_regions(points, perturbed(regions.edges, points.size(), division), kRegions);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (first[i] < 0 || is_guest[i]) region_of[i] = -1;
    complete(region_of);
    use_regions(std::move(region_of), cloud.seen, regions);
    if (regions.count == 0) break;
    trees.push_back({tree_of_division(cloud, regions, weights), regions.region_of});
  }
  std::vector<int> cell_of = common_cells(trees);
  complete(cell_of);
  use_regions(std::move(cell_of), cloud.seen, regions);
  if (regions.count == 0) {
    use_regions(first, cloud.seen, regions);
    return trees.front().tree;
  }
  PointTree mean = mean_tree(trees, regions.region_of, kTreeLeaves);
  regions.region_of = std::move(mean.leaf_of);
  regions.count = mean.tree.leaves;
  RegionMerging merging = merging_of(cloud, regions, weights);
  merging.merge_as(mean.tree, kApartCost);
  return {regions.count, merging.merges()};
}

}  // namespace prehend::parts
