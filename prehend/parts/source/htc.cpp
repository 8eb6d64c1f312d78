#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/geometry/mesh.h>
#include <prehend/parts/merging/part_count.h>
#include <prehend/parts/merging/tree_leaves.h>
#include <prehend/parts/shapes/nearest_point.h>
#include <prehend/parts/source/htc.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;
constexpr int kClusters = 50;  // source N, 3.2.3
constexpr int kColdLeaves = 60;

// (3.28) between two points.
class Dissimilarity {
 public:
  Dissimilarity(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                const std::vector<Vector3d>& normals)
      : points_(points), colours_(colours), normals_(normals) {
    diagonal_ = geometry::bounding_box(points).diagonal();
  }
  double operator()(int i, int j) const {
    const double colour = colours_.empty() ? 0.0 : (colours_[i] - colours_[j]).norm();
    return 10.0 * (points_[i] - points_[j]).norm() / diagonal_ + colour +
           (1.0 - std::abs(normals_[i].dot(normals_[j])));
  }

 private:
  const std::vector<Vector3d>&points_, &colours_, &normals_;
  double diagonal_;
};

// Short edges of the solid: neighbours on the surface, not across the inside.
std::vector<std::vector<int>> neighbours_of(std::size_t points, const CloudRegions& regions) {
  std::vector<std::vector<int>> neighbours(points);
  std::vector<const PointEdge*> longer;
  for (const PointEdge& edge : regions.edges) {
    if (edge.length > 2.0 * regions.solid.spacing) {
      longer.push_back(&edge);
      continue;
    }
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  for (const PointEdge* edge : longer) {
    if (neighbours[edge->a].empty()) neighbours[edge->a].push_back(edge->b);
    if (neighbours[edge->b].empty()) neighbours[edge->b].push_back(edge->a);
  }
  return neighbours;
}

// Whole clusters by threshold doubling; `adjacent` per cluster, `of` per point.
void grow_clusters(const Dissimilarity& dissimilarity, const std::vector<std::vector<int>>& neighbours,
                   int wanted, std::vector<int>& of) {
  std::vector<std::set<int>> adjacent(of.size());
  std::vector<double> least;
  int count = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i] < 0) continue;
    ++count;
    double nearest = std::numeric_limits<double>::infinity();
    for (const int j : neighbours[i]) {
      adjacent[i].insert(j);
      adjacent[j].insert(static_cast<int>(i));
      nearest = std::min(nearest, dissimilarity(static_cast<int>(i), j));
    }
    if (std::isfinite(nearest)) least.push_back(nearest);
  }
  if (least.empty()) return;
  std::nth_element(least.begin(), least.begin() + least.size() / 2, least.end());
  double threshold = std::max(least[least.size() / 2], 1e-6);
  std::vector<char> is_alive(of.size(), 1);
  std::vector<int> into(of.size());
  for (std::size_t i = 0; i < of.size(); ++i) into[i] = static_cast<int>(i);
  for (bool any_edge = true; count > wanted && any_edge; threshold *= 2.0) {
    any_edge = false;
    for (int i = 0; i < std::ssize(of) && count > wanted; ++i) {
      if (of[i] < 0 || !is_alive[i]) continue;
      std::vector<int> queue(adjacent[i].begin(), adjacent[i].end());
      for (std::size_t k = 0; k < queue.size() && count > wanted; ++k) {
        const int j = queue[k];
        if (j == i || !is_alive[j] || !adjacent[i].contains(j)) continue;
        any_edge = true;
        if (dissimilarity(i, j) >= threshold) continue;
        is_alive[j] = 0;
        into[j] = i;
        --count;
        adjacent[i].erase(j);
        for (const int other : adjacent[j]) {
          adjacent[other].erase(j);
          if (other == i) continue;
          adjacent[other].insert(i);
          if (adjacent[i].insert(other).second) queue.push_back(other);
        }
        adjacent[j].clear();
      }
    }
  }
  for (int i = 0; i < std::ssize(of); ++i) {
    if (of[i] < 0) continue;
    int root = i;
    while (into[root] != root) root = into[root];
    of[i] = root;  // the representative point
  }
}

// The tree of all tetrahedra by (3.27); those at strays are not in it: -1.
struct TetrahedraTree {
  PartTree tree;
  std::vector<int> leaf_of;  // per tetrahedron
};

TetrahedraTree merge_tetrahedra(const std::vector<Vector3d>& points, const CloudRegions& regions) {
  TetrahedraTree result;
  std::vector<Region> leaves;
  std::map<std::array<int, 3>, int> open;
  std::vector<std::pair<int, int>> pairs;
  double volume = 0.0;
  for (std::size_t t = 0; t < regions.solid.tetrahedra.size(); ++t) {
    const auto& v = regions.solid.tetrahedra[t];
    const bool is_stray = (v.array().unaryExpr([&](int i) { return regions.region_of[i]; }) < 0).any();
    result.leaf_of.push_back(is_stray ? -1 : static_cast<int>(leaves.size()));
    if (is_stray) continue;
    Region region;
    for (const int i : v) region.corners.push_back(points[i]);
    region.hull = region.volume = regions.solid.volumes[t];
    region.elements = 1.0;
    volume += region.volume;
    leaves.push_back(std::move(region));
    for (int k = 0; k < 4; ++k) {
      std::array<int, 3> face{v[(k + 1) % 4], v[(k + 2) % 4], v[(k + 3) % 4]};
      std::sort(face.begin(), face.end());
      const auto [at, is_new] = open.try_emplace(face, result.leaf_of.back());
      if (!is_new) pairs.emplace_back(at->second, result.leaf_of.back());
    }
  }
  result.tree.leaves = static_cast<int>(leaves.size());
  RegionMerging merging(std::move(leaves), source_cost(result.tree.leaves, volume));
  for (const auto& [a, b] : pairs) merging.add_border(a, b, {1.0, 0.0});
  merging.merge_neighbours(0.0);
  join_pieces(merging, 1.0);
  result.tree.merges = merging.merges();
  return result;
}

// Per point the leaf that most of the volume around it belongs to; a point of no tetrahedron that of the nearest one that has some.
std::vector<int> leaves_of_points(const std::vector<Vector3d>& points, const CloudRegions& regions,
                                  const std::vector<int>& leaf_of) {
  std::vector<std::map<int, double>> around(points.size());
  for (std::size_t t = 0; t < leaf_of.size(); ++t)
    if (leaf_of[t] >= 0)
      for (const int i : regions.solid.tetrahedra[t]) around[i][leaf_of[t]] += regions.solid.volumes[t];
  std::vector<int> of(points.size(), -1), known;
  std::vector<Vector3d> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (around[i].empty()) continue;
    of[i] = std::max_element(around[i].begin(), around[i].end(), [](const auto& a, const auto& b) {
              return a.second < b.second;
            })->first;
    known.push_back(of[i]);
    places.push_back(points[i]);
  }
  const NearestPoint nearest(places);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (of[i] < 0 && regions.region_of[i] >= 0) of[i] = known[nearest(points[i])];
  return of;
}

// Without initial clusters: the last merges of the tree of tetrahedra, with tetrahedra as what parts are made of.
PartTree cold_tree(const std::vector<Vector3d>& points, std::size_t seen, CloudRegions& regions) {
  TetrahedraTree all = merge_tetrahedra(points, regions);
  const int count = std::min<int>(kColdLeaves, all.tree.leaves);
  TreeLeaves top = top_of_tree(all.tree, count);
  for (int& leaf : all.leaf_of)
    if (leaf >= 0) leaf = top.leaf_of[leaf];
  regions.region_of = leaves_of_points(points, regions, all.leaf_of);
  // A leaf that no seen point shows, or of slivers only, is no part: it goes to what it merges with.
  std::vector<double> volume(count, 0.0);
  std::vector<char> is_shown(count, 0);
  for (std::size_t t = 0; t < all.leaf_of.size(); ++t)
    if (all.leaf_of[t] >= 0) volume[all.leaf_of[t]] += regions.solid.volumes[t];
  for (std::size_t i = 0; i < seen; ++i)
    if (regions.region_of[i] >= 0) is_shown[regions.region_of[i]] = 1;
  for (int leaf = 0; leaf < count; ++leaf)
    is_shown[leaf] = is_shown[leaf] && volume[leaf] > 1e-9 * regions.solid.volume;
  const TreeLeaves kept = without_leaves(top.tree, is_shown);
  for (int& leaf : all.leaf_of)
    if (leaf >= 0) leaf = kept.leaf_of[leaf];
  for (int& leaf : regions.region_of)
    if (leaf >= 0) leaf = kept.leaf_of[leaf];
  regions.leaf_of_tetrahedron = std::move(all.leaf_of);
  regions.count = kept.tree.leaves;
  return kept.tree;
}

}  // namespace

std::vector<int> bottom_up_clusters(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                                    const CloudRegions& regions, int wanted) {
  const Dissimilarity dissimilarity(points, colours, regions.solid.normals);
  const std::vector<std::vector<int>> neighbours = neighbours_of(points.size(), regions);
  std::vector<int> of(points.size(), -1);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (regions.region_of[i] >= 0) of[i] = static_cast<int>(i);
  grow_clusters(dissimilarity, neighbours, wanted, of);
  // Border points go to the most similar cluster among their neighbours'.
  const std::vector<int> before = of;
  for (int i = 0; i < std::ssize(points); ++i) {
    if (of[i] < 0 || before[i] == i) continue;
    for (const int j : neighbours[i])
      if (before[j] >= 0 && dissimilarity(i, before[j]) < dissimilarity(i, of[i])) of[i] = before[j];
  }
  std::map<int, int> number;
  for (int& cluster : of)
    if (cluster >= 0) cluster = number.try_emplace(cluster, static_cast<int>(number.size())).first->second;
  return of;
}

PartTree source_tree(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                     std::size_t seen, SegmentMethod method, CloudRegions& regions) {
  if (method == SegmentMethod::htc_cold) return cold_tree(points, seen, regions);
  std::vector<int> clusters = bottom_up_clusters(points, colours, regions, kClusters);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (regions.region_of[i] < 0) clusters[i] = -1;
  use_regions(std::move(clusters), seen, regions);
  std::vector<Region> leaves = leaves_of(points, {}, regions);
  // The elements of (3.27) are tetrahedra; those at a border belong to each cluster by the share of their corners.
  for (Region& leaf : leaves) leaf.elements = 0.0;
  for (const auto& v : regions.solid.tetrahedra)
    for (const int i : v)
      if (regions.region_of[i] >= 0) leaves[regions.region_of[i]].elements += 0.25;
  double elements = 0.0, volume = 0.0;
  for (const Region& leaf : leaves) elements += leaf.elements, volume += leaf.volume;
  RegionMerging merging(std::move(leaves), source_cost(elements, volume));
  add_borders(regions, 0, merging);
  merging.merge_neighbours(0.0);
  join_pieces(merging, 1.0);
  return {regions.count, merging.merges()};
}

}  // namespace prehend::parts
