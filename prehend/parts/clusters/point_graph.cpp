#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>

#include <prehend/math/interrupt.h>
#include <prehend/parts/clusters/point_graph.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Each once, lower end first, in ascending order.
std::vector<std::pair<int, int>> unique_edges(std::size_t points,
                                              const std::vector<Eigen::Vector4i>& tetrahedra) {
  std::vector<int> first(points + 1, 0);
  const auto for_each = [&tetrahedra](const auto& visit) {
    for (const auto& v : tetrahedra)
      for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) visit(std::min(v[i], v[j]), std::max(v[i], v[j]));
  };
  for_each([&](int low, int) { ++first[low + 1]; });
  for (std::size_t i = 0; i < points; ++i) first[i + 1] += first[i];
  std::vector<int> ends(first.back()), next(first.begin(), first.end() - 1);
  for_each([&](int low, int high) { ends[next[low]++] = high; });
  std::vector<std::pair<int, int>> edges;
  edges.reserve(ends.size() / 2);
  for (std::size_t i = 0; i < points; ++i) {
    const auto begin = ends.begin() + first[i];
    std::sort(begin, ends.begin() + first[i + 1]);
    const auto end = std::unique(begin, ends.begin() + first[i + 1]);
    for (auto at = begin; at != end; ++at) edges.emplace_back(static_cast<int>(i), *at);
  }
  return edges;
}

// Averaged over near points that face about the same way: facets between random points lean by tens of degrees.
std::vector<Vector3d> smoothed(const std::vector<Vector3d>& points, const geometry::CloudSolid& solid,
                               const std::vector<std::pair<int, int>>& edges) {
  std::vector<Vector3d> sum = solid.normals;
  for (const auto& [a, b] : edges) {
    if ((points[a] - points[b]).norm() > 1.2 * solid.spacing) continue;
    if (solid.normals[a].dot(solid.normals[b]) < 0.3) continue;
    sum[a] += solid.normals[b];
    sum[b] += solid.normals[a];
  }
  for (Vector3d& n : sum)
    if (n.norm() > 0.0) n.normalize();
  return sum;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Distances that are equal but for rounding, as in grids of points and symmetric objects, are decided by the order of the points.
constexpr double kNearer = 1.0 - 1e-9;

// A distance, at least zero, and a point, compared in that order as one number: the bits of such distances are in their order. A
// comparison of two numbers branches, which is most of the time of a heap.
class Reached {
 public:
  Reached(double distance, int point)
      : key_(static_cast<Key>(std::bit_cast<std::uint64_t>(distance)) << 64 | static_cast<unsigned>(point)) {}
  double distance() const { return std::bit_cast<double>(static_cast<std::uint64_t>(key_ >> 64)); }
  int point() const { return static_cast<int>(key_); }
  bool operator>(const Reached& other) const { return key_ > other.key_; }

 private:
  __extension__ using Key = unsigned __int128;
  Key key_;
};

struct Neighbours {
  std::vector<int> first;                    // per point, into list; one more at the end
  std::vector<std::pair<int, double>> list;  // point and length
};

Neighbours neighbours_of(std::size_t points, const std::vector<PointEdge>& edges) {
  // A step of colour counts against what is usual between neighbours, at least 0.03 of the full scale (8 grey levels: shading). The
  // factors 6 and 3 make a region end at a step rather than reach some seven spacings beyond it.
  std::vector<double> steps;
  for (const PointEdge& edge : edges) steps.push_back(edge.colour);
  const double usual = 0.03 + median(std::move(steps));
  Neighbours result;
  result.first.assign(points + 1, 0);
  for (const PointEdge& edge : edges) ++result.first[edge.a + 1], ++result.first[edge.b + 1];
  for (std::size_t i = 0; i < points; ++i) result.first[i + 1] += result.first[i];
  result.list.resize(2 * edges.size());
  std::vector<int> next(result.first.begin(), result.first.end() - 1);
  for (const PointEdge& edge : edges) {
    const double length =
        edge.length * (1.0 + 6.0 * std::min(1.0, edge.colour / (4.0 * usual)) + 3.0 * edge.groove);
    result.list[next[edge.a]++] = {edge.b, length};
    result.list[next[edge.b]++] = {edge.a, length};
  }
  return result;
}

}  // namespace

std::vector<PointEdge> point_graph(const std::vector<Vector3d>& points, const std::vector<Vector3d>& colours,
                                   const geometry::CloudSolid& solid) {
  const auto pairs = unique_edges(points.size(), solid.tetrahedra);
  const std::vector<Vector3d> normals = smoothed(points, solid, pairs);
  std::vector<PointEdge> edges;
  edges.reserve(pairs.size());
  for (const auto& [a, b] : pairs) {
    const Vector3d along = points[a] - points[b];
    const double length = along.norm();
    const double bend = length > 0.0 ? -(normals[a] - normals[b]).dot(along) / (2.0 * length) : 0.0;
    edges.push_back(
        {a, b, length, std::max(0.0, bend), colours.empty() ? 0.0 : (colours[a] - colours[b]).norm()});
  }
  return edges;
}

std::vector<int> geodesic_regions(const std::vector<Vector3d>& points, const std::vector<PointEdge>& edges,
                                  int most) {
  const Neighbours neighbours = neighbours_of(points.size(), edges);
  std::vector<int> region(points.size(), -1);
  std::vector<double> distance(points.size(), std::numeric_limits<double>::infinity());
  Vector3d centre = Vector3d::Zero();
  double count = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (neighbours.first[i] != neighbours.first[i + 1]) centre += points[i], count += 1.0;
  centre /= std::max(1.0, count);
  // The first seed is the point farthest from the middle.
  int seed = -1;
  double farthest = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (neighbours.first[i] == neighbours.first[i + 1]) continue;
    const double d = (points[i] - centre).norm();
    if (kNearer * d > farthest) farthest = d, seed = static_cast<int>(i);
  }
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  for (int r = 0; seed >= 0 && (r < most || !std::isfinite(farthest)); ++r) {
    math::check_interrupt();
    distance[seed] = 0.0;
    region[seed] = r;
    queue.push(Reached(0.0, seed));
    while (!queue.empty()) {
      const double d = queue.top().distance();
      const int i = queue.top().point();
      queue.pop();
      if (d > distance[i]) continue;
      for (int k = neighbours.first[i]; k < neighbours.first[i + 1]; ++k) {
        const auto [j, length] = neighbours.list[k];
        if (d + length >= kNearer * distance[j]) continue;
        distance[j] = d + length;
        region[j] = r;
        queue.push(Reached(distance[j], j));
      }
    }
    seed = -1;
    farthest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (neighbours.first[i] != neighbours.first[i + 1] && kNearer * distance[i] > farthest)
        farthest = distance[i], seed = static_cast<int>(i);
  }
  return region;
}

}  // namespace prehend::parts
