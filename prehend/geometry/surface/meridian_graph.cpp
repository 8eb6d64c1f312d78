#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/meridian_graph.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// 24 around are 15 degrees; a scan's are not quite even.
constexpr double kWidestStep = 16.0 * math::kDegree;
// [rad] A facet between two rings that are turned against each other reaches over one and a half steps.
constexpr double kWidestFacet = 1.5 * kWidestStep;
// [-] Facets cover the surface up to that share, and are no more than by that. 24 sides have 1.2 % less.
constexpr double kAreaError = 0.1;

Vector2d meridian_point(const Vector3d& p) { return {std::hypot(p.x(), p.y()), p.z()}; }

int root(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) {
    parent[static_cast<std::size_t>(i)] =
        parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    i = parent[static_cast<std::size_t>(i)];
  }
  return i;
}

void join(std::vector<int>& parent, int a, int b) {
  parent[static_cast<std::size_t>(root(parent, a))] = root(parent, b);
}

// Groups of points closer than the tolerance to one of the group.
std::vector<std::vector<int>> clusters(const std::vector<Vector2d>& points, double tolerance) {
  std::vector<int> order(points.size()), parent(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::iota(parent.begin(), parent.end(), 0);
  const auto at = [&](int i) -> const Vector2d& { return points[static_cast<std::size_t>(i)]; };
  // Equal ones lie beside each other in order of cells; near ones in the cells around.
  std::unordered_map<long long, std::vector<int>> cells;
  const auto cell = [&](long long x, long long y) { return x * 0x1f1f1f1fLL + y; };
  for (const int i : order) {
    const auto x = static_cast<long long>(std::floor(at(i).x() / tolerance)),
               y = static_cast<long long>(std::floor(at(i).y() / tolerance));
    for (long long dx = -1; dx <= 1; ++dx) {
      for (long long dy = -1; dy <= 1; ++dy) {
        const auto found = cells.find(cell(x + dx, y + dy));
        if (found == cells.end()) continue;
        for (const int j : found->second) {
          if ((at(i) - at(j)).norm() <= tolerance) join(parent, i, j);
        }
      }
    }
    // A few stand for all that lie in a cell.
    std::vector<int>& own = cells[cell(x, y)];
    if (own.size() < 4) own.push_back(i);
  }
  std::unordered_map<int, std::size_t> number;
  std::vector<std::vector<int>> groups;
  for (const int i : order) {
    const auto [entry, is_new] = number.try_emplace(root(parent, i), groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(i);
  }
  return groups;
}

double widest_gap(const TriangleMesh& mesh, const std::vector<int>& vertices) {
  std::vector<double> angles;
  for (const int v : vertices) {
    const Vector3d& p = mesh.vertices[static_cast<std::size_t>(v)];
    angles.push_back(std::atan2(p.y(), p.x()));
  }
  std::sort(angles.begin(), angles.end());
  double widest = angles.front() + 2.0 * math::kPi - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i) widest = std::max(widest, angles[i] - angles[i - 1]);
  return widest;
}

double angle_between(const Vector3d& p, const Vector3d& q) {
  return std::abs(std::atan2(p.x() * q.y() - p.y() * q.x(), p.x() * q.x() + p.y() * q.y()));
}

}  // namespace

std::optional<std::vector<MeridianRing>> meridian_rings(const TriangleMesh& mesh, double tolerance,
                                                        bool may_merge) {
  std::vector<Vector2d> points;
  for (const Vector3d& p : mesh.vertices) points.push_back(meridian_point(p));
  std::vector<MeridianRing> rings;
  for (std::vector<int>& group : clusters(points, tolerance)) {
    MeridianRing ring;
    double low = points[static_cast<std::size_t>(group.front())].x();
    for (const int v : group) {
      ring.p += points[static_cast<std::size_t>(v)] / static_cast<double>(group.size());
      low = std::min(low, points[static_cast<std::size_t>(v)].x());
    }
    ring.is_pole = low <= 2.0 * tolerance && group.size() < 24;
    if (ring.is_pole) ring.p.x() = 0.0;
    for (const int v : group)
      ring.deviation = std::max(ring.deviation, (points[static_cast<std::size_t>(v)] - ring.p).norm());
    if (!may_merge && ring.deviation > tolerance) return std::nullopt;  // an ellipse, a row of rings
    ring.vertices = std::move(group);
    if (!ring.is_pole) {
      ring.widest_step = widest_gap(mesh, ring.vertices);
      if (ring.widest_step > kWidestStep) return std::nullopt;
    }
    rings.push_back(std::move(ring));
  }
  return rings;
}

MeridianGraph::MeridianGraph(const TriangleMesh& mesh, const std::vector<MeridianRing>& rings,
                             double tolerance)
    : mesh_(mesh), rings_(rings), tolerance_(tolerance), ring_of_(mesh.vertices.size(), -1) {
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    for (const int v : rings_[i].vertices) ring_of_[static_cast<std::size_t>(v)] = static_cast<int>(i);
  }
  flat_.resize(rings_.size());
  std::iota(flat_.begin(), flat_.end(), 0);
}

double MeridianGraph::widest_step() const {
  double widest = 0.0;
  for (const MeridianRing& ring : rings_) widest = std::max(widest, ring.widest_step);
  return widest;
}

double MeridianGraph::deviation() const {
  double most = 0.0;
  for (const MeridianRing& ring : rings_) most = std::max(most, ring.deviation);
  return most;
}

// The mean of a ring is less uncertain than its vertices, by the root of their number; three standard deviations.
double MeridianGraph::uncertainty() const { return std::max(0.2 * tolerance_, 0.6 * deviation()); }

std::vector<int> MeridianGraph::samples() const {
  std::vector<int> all;
  for (const auto& [rings, band] : bands_) all.insert(all.end(), band.samples.begin(), band.samples.end());
  return all;
}

void MeridianGraph::add(int a, int b, const Band& band) {
  constexpr std::size_t kSamples = 8;
  Band& own = bands_[std::minmax(a, b)];
  own.area += band.area;
  own.normal += band.normal;
  for (const int t : band.samples) {
    if (own.samples.size() < kSamples) own.samples.push_back(t);
  }
}

bool MeridianGraph::take_triangles() {
  for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
    const Eigen::Vector3i& t = mesh_.triangles[i];
    const Vector3d &p = mesh_.vertices[t[0]], &q = mesh_.vertices[t[1]], &s = mesh_.vertices[t[2]];
    const Vector3d area = (q - p).cross(s - p), centre = (p + q + s) / 3.0;
    const double r = std::hypot(centre.x(), centre.y());
    Band band;
    band.area = area.norm();
    band.normal = Vector2d(
        r > 0.0 ? (area.x() * centre.x() + area.y() * centre.y()) / r : area.head<2>().norm(), area.z());
    band.samples = {static_cast<int>(i)};
    int rings[3] = {ring_of_[t[0]], ring_of_[t[1]], ring_of_[t[2]]};
    double low = rings_[rings[0]].p.y(), high = low;
    for (const int ring : rings) {
      low = std::min(low, rings_[ring].p.y());
      high = std::max(high, rings_[ring].p.y());
    }
    if (high - low <= 2.0 * tolerance_) {
      join(flat_, rings[0], rings[1]);
      join(flat_, rings[0], rings[2]);
      flats_.emplace_back(rings[0], band);
      continue;
    }
    std::sort(rings, rings + 3);
    if (rings[0] != rings[1] && rings[1] != rings[2]) return false;
    for (const auto& [u, v] : {std::pair(t[0], t[1]), std::pair(t[1], t[2]), std::pair(t[2], t[0])}) {
      if (rings_[ring_of_[u]].is_pole || rings_[ring_of_[v]].is_pole) continue;
      if (angle_between(mesh_.vertices[u], mesh_.vertices[v]) > kWidestFacet) return false;
    }
    add(rings[0], rings[2], band);
  }
  for (const auto& [rings, band] : bands_) {
    if (!has_area(band.area, rings_[rings.first].p, rings_[rings.second].p, 1)) return false;
  }
  return true;
}

bool MeridianGraph::has_area(double area, const Vector2d& p, const Vector2d& q, std::size_t bands) const {
  const double around = 2.0 * math::kPi * (p.x() + q.x()),
               wanted = around * (q - p).norm();  // twice the area
  // Between polygons that are turned against each other facets also bridge what the sides of both cut off the circles.
  const double cut = std::max(p.x(), q.x()) * (1.0 - std::cos(0.5 * widest_step()));
  return area >= (1.0 - kAreaError) * wanted &&
         area <= (1.0 + kAreaError) * wanted + 3.0 * static_cast<double>(bands) * around * cut;
}

// Flat parts, whatever their triangulation: from the outermost of their rings inwards, to the innermost or to the axis.
bool MeridianGraph::close_flat_parts() {
  std::map<int, std::vector<int>> groups;
  std::map<int, Band> bands;
  for (const auto& [ring, band] : flats_) {
    Band& sum = bands[root(flat_, ring)];
    sum.area += band.area;
    sum.normal += band.normal;
  }
  const int count = static_cast<int>(rings_.size());
  for (int i = 0; i < count; ++i) {
    if (bands.count(root(flat_, i)) > 0) groups[root(flat_, i)].push_back(i);
  }
  std::vector<int> degree(rings_.size(), 0);
  for (const auto& [rings, band] : bands_) {
    ++degree[static_cast<std::size_t>(rings.first)];
    ++degree[static_cast<std::size_t>(rings.second)];
  }
  for (auto& [name, members] : groups) {
    std::sort(members.begin(), members.end(), [&](int a, int b) {
      return rings_[static_cast<std::size_t>(a)].p.x() < rings_[static_cast<std::size_t>(b)].p.x();
    });
    const MeridianRing inner = rings_[static_cast<std::size_t>(members.front())];
    // Slivers within a ring are no end.
    if (members.size() == 1 && bands[name].area < math::kPi * inner.p.x() * inner.p.x()) continue;
    if (!inner.is_pole && (members.size() == 1 || degree[static_cast<std::size_t>(members.front())] == 0)) {
      MeridianRing middle;
      middle.p = Vector2d(0.0, inner.p.y());
      middle.is_pole = true;
      members.insert(members.begin(), static_cast<int>(rings_.size()));
      rings_.push_back(middle);
    }
    const Band& whole = bands[name];
    const Vector2d &inside = rings_[static_cast<std::size_t>(members.front())].p,
                   &outside = rings_[static_cast<std::size_t>(members.back())].p;
    if (!has_area(whole.area, inside, outside, members.size() - 1)) return false;
    for (std::size_t i = 1; i < members.size(); ++i) add(members[i - 1], members[i], whole);
  }
  return true;
}

// Rings along the meridian, from pole to pole or around; none where it branches or falls into pieces.
std::optional<std::vector<int>> MeridianGraph::chain() const {
  std::vector<std::vector<int>> near(rings_.size());
  for (const auto& [rings, band] : bands_) {
    near[static_cast<std::size_t>(rings.first)].push_back(rings.second);
    near[static_cast<std::size_t>(rings.second)].push_back(rings.first);
  }
  int start = -1, poles = 0;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    if (near[i].size() != (rings_[i].is_pole ? 1u : 2u)) return std::nullopt;
    poles += rings_[i].is_pole;
    if (start < 0 || (rings_[i].is_pole && !rings_[static_cast<std::size_t>(start)].is_pole))
      start = static_cast<int>(i);
  }
  if (start < 0 || (poles != 0 && poles != 2)) return std::nullopt;
  std::vector<int> chain{start};
  int previous = -1, here = start;
  while (true) {
    const auto& next = near[static_cast<std::size_t>(here)];
    if (next.size() == 1 && previous >= 0) break;
    const int ahead = next.size() == 2 && next[0] == previous ? next[1] : next[0];
    if (ahead == start) break;
    previous = here;
    here = ahead;
    chain.push_back(here);
    if (chain.size() > rings_.size()) return std::nullopt;
  }
  if (chain.size() != rings_.size()) return std::nullopt;
  return chain;
}

std::vector<Vector2d> MeridianGraph::simplified(const std::vector<int>& chain, bool is_closed) const {
  std::vector<Vector2d> points;
  for (const int ring : chain) points.push_back(rings_[static_cast<std::size_t>(ring)].p);
  const double off_line = uncertainty();
  std::vector<char> is_kept(points.size() + 1, 0);
  if (is_closed) {
    std::rotate(points.begin(),
                std::max_element(points.begin(), points.end(),
                                 [](const auto& a, const auto& b) { return a.x() < b.x(); }),
                points.end());
    points.push_back(points.front());
  }
  std::vector<std::pair<std::size_t, std::size_t>> open;
  const auto keep = [&](std::size_t i) { is_kept[i] = 1; };
  keep(0);
  keep(points.size() - 1);
  if (is_closed) {
    std::size_t far = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((points[i] - points[0]).norm() > (points[far] - points[0]).norm()) far = i;
    }
    keep(far);
    open = {{0, far}, {far, points.size() - 1}};
  } else {
    open = {{0, points.size() - 1}};
  }
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    const Vector2d way = points[to] - points[from];
    std::size_t far = from;
    double most = off_line;
    for (std::size_t i = from + 1; i < to; ++i) {
      const double t = way.squaredNorm() > 0.0
                           ? std::clamp(way.dot(points[i] - points[from]) / way.squaredNorm(), 0.0, 1.0)
                           : 0.0;
      const double off = (points[i] - points[from] - t * way).norm();
      if (off > most) {
        most = off;
        far = i;
      }
    }
    if (far == from) continue;
    keep(far);
    open.emplace_back(from, far);
    open.emplace_back(far, to);
  }
  std::vector<Vector2d> kept;
  for (std::size_t i = 0; i + (is_closed ? 1 : 0) < points.size(); ++i) {
    if (is_kept[i]) kept.push_back(points[i]);
  }
  return kept;
}

std::optional<TurnedProfile> MeridianGraph::profile(bool is_inside_out) {
  if (!take_triangles() || !close_flat_parts()) return std::nullopt;
  std::optional<std::vector<int>> rings = chain();
  if (!rings) return std::nullopt;
  const bool is_closed = !rings_[static_cast<std::size_t>(rings->front())].is_pole;
  // Facets look to the same side of the chain: to its right, with the material on its left. By length: where rings that are turned against each other
  // lie nearer together than their sides cut in, facets between them look anywhere.
  constexpr double kLookElsewhere = 0.05;  // [-] of the chain
  double left = 0.0, right = 0.0;
  for (std::size_t i = 0; i + (is_closed ? 0 : 1) < rings->size(); ++i) {
    const int a = (*rings)[i], b = (*rings)[(i + 1) % rings->size()];
    const Vector2d way = rings_[static_cast<std::size_t>(b)].p - rings_[static_cast<std::size_t>(a)].p;
    const Vector2d& normal = bands_.at(std::minmax(a, b)).normal;
    (way.y() * normal.x() - way.x() * normal.y() > 0.0 ? right : left) += way.norm();
  }
  if (std::min(left, right) > kLookElsewhere * (left + right)) return std::nullopt;
  if ((left > right) != is_inside_out) std::reverse(rings->begin(), rings->end());
  std::vector<Vector2d> points = simplified(*rings, is_closed);
  if (points.size() < 3) return std::nullopt;
  return TurnedProfile(std::move(points), is_closed, 0.1 * uncertainty());
}

}  // namespace prehend::geometry
