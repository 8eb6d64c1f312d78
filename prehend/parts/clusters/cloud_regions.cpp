#include <algorithm>
#include <cmath>
#include <map>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/parts/clusters/cloud_regions.h>

namespace prehend::parts {

using Eigen::Vector3d;

void use_regions(std::vector<int> region_of, std::size_t seen, CloudRegions& regions) {
  const int given = region_of.empty() ? 0 : *std::max_element(region_of.begin(), region_of.end()) + 1;
  std::vector<double> volume(given, 0.0);
  std::vector<int> points(given, 0);
  for (std::size_t i = 0; i < region_of.size(); ++i) {
    if (region_of[i] < 0) continue;
    volume[region_of[i]] += regions.point_volumes[i];
    points[region_of[i]] += i < seen;
  }
  // What has no volume or no seen point joins the neighbour with the longest border.
  std::vector<std::map<int, int>> border(given);
  for (const PointEdge& edge : regions.edges) {
    const int a = region_of[edge.a], b = region_of[edge.b];
    if (a < 0 || b < 0 || a == b) continue;
    ++border[a][b];
    ++border[b][a];
  }
  std::vector<int> into(given);
  for (int r = 0; r < given; ++r) into[r] = r;
  for (int r = 0; r < given; ++r) {
    if (points[r] > 0 && volume[r] > 1e-9 * regions.solid.volume) continue;
    int best = -1, most = 0;
    for (const auto& [other, length] : border[r])
      if (points[other] > 0 && volume[other] > 1e-9 * regions.solid.volume && length > most)
        most = length, best = other;
    into[r] = best;
  }
  std::map<int, int> number;
  for (int r = 0; r < given; ++r)
    if (into[r] == r) number.try_emplace(r, static_cast<int>(number.size()));
  for (int& r : region_of) r = r < 0 || into[r] < 0 ? -1 : number.at(into[r]);
  regions.count = static_cast<int>(number.size());
  regions.region_of = std::move(region_of);
}

CloudRegions cloud_regions(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                           std::size_t seen, int most) {
  CloudRegions regions;
  regions.solid = geometry::cloud_solid(points, {.has_walls = seen < points.size()});
  if (regions.solid.status != geometry::CloudSolidStatus::ok) return regions;
  regions.point_volumes.assign(points.size(), 0.0);
  for (std::size_t t = 0; t < regions.solid.tetrahedra.size(); ++t)
    for (const int i : regions.solid.tetrahedra[t])
      regions.point_volumes[i] += 0.25 * regions.solid.volumes[t];
  regions.edges = point_graph(points, colours, regions.solid);
  use_regions(geodesic_regions(points, regions.edges, most), seen, regions);
  return regions;
}

std::vector<Region> leaves_of(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                              const CloudRegions& regions) {
  std::vector<Region> leaves(regions.count);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (regions.region_of[i] < 0) continue;
    Region& leaf = leaves[regions.region_of[i]];
    leaf.corners.push_back(points[i]);
    // Sparse points stand for more of the surface. Points inside a mesh's shells are even, and have no solid.
    const double sparseness = regions.solid.sparseness.empty() ? 1.0 : regions.solid.sparseness[i];
    const double elements = sparseness * sparseness;
    leaf.elements += elements;
    leaf.volume += regions.point_volumes[i];
    if (colours.empty()) continue;
    leaf.colour_sum += elements * colours[i];
    leaf.colour_squares += elements * colours[i].squaredNorm();
  }
  for (Region& leaf : leaves) {
    leaf.corners = thinned_corners(std::move(leaf.corners));
    const geometry::SmallHull hull = geometry::small_hull(leaf.corners);
    leaf.hull = hull.volume;
    std::vector<Vector3d> corners;
    for (const int i : hull.corners) corners.push_back(leaf.corners[i]);
    leaf.corners = std::move(corners);
  }
  return leaves;
}

void add_borders(const CloudRegions& regions, int first_leaf, RegionMerging& merging) {
  std::map<std::pair<int, int>, Border> borders;
  for (const PointEdge& edge : regions.edges) {
    const int a = regions.region_of[edge.a], b = regions.region_of[edge.b];
    if (a < 0 || b < 0 || a == b) continue;
    const double far = edge.length / (1.5 * regions.solid.spacing);
    const double weight = std::exp(-far * far) + 1e-3;
    Border& border = borders[{std::min(a, b), std::max(a, b)}];
    border.weight += weight;
    border.groove += weight * edge.groove;
  }
  for (const auto& [pair, border] : borders)
    merging.add_border(first_leaf + pair.first, first_leaf + pair.second, border);
}

}  // namespace prehend::parts
