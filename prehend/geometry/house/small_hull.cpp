#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>

#include <prehend/geometry/house/small_hull.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

class HullOfFew {
 public:
  // `joggle`: points are moved by up to this share of the extent, and then only rounding counts as in a plane.
  HullOfFew(std::span<const Vector3d> points, double joggle) {
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& p : points) middle += p / static_cast<double>(points.size());
    double extent = 0.0;
    for (const Vector3d& p : points) {
      points_.push_back(p - middle);
      extent = std::max(extent, points_.back().norm());
    }
    outside_ = (joggle > 0.0 ? 1e-13 : 1e-9) * extent;
    missed_ = 1e-7 * extent;
    if (joggle > 0.0) {
      std::uint64_t state = 0x9e3779b97f4a7c15u;
      for (Vector3d& p : points_)
        for (double& x : p) {
          state = (state ^ (state >> 29)) * 0x94d049bb133111ebu + 0x2545f4914f6cdd1du;
          x += joggle * extent * (static_cast<double>(state >> 11) * 0x1p-52 - 1.0);
        }
    }
  }

  // Four corners that span a volume.
  bool start() {
    if (points_.size() < 4) return false;
    const auto farthest = [&](double least, auto measure) {
      int best = -1;
      for (int i = 0; i < std::ssize(points_); ++i)
        if (const double value = measure(points_[i]); value > least) least = value, best = i;
      return best;
    };
    const int i = farthest(outside_, [](const Vector3d& p) { return p.norm(); });
    if (i < 0) return false;
    const Vector3d& a = points_[i];
    const int j = farthest(outside_, [&](const Vector3d& p) { return (p - a).norm(); });
    if (j < 0) return false;
    const Vector3d along = (points_[j] - a).normalized();
    const int k = farthest(outside_, [&](const Vector3d& p) { return along.cross(p - a).norm(); });
    if (k < 0) return false;
    const Vector3d normal = along.cross(points_[k] - a).normalized();
    const int l = farthest(outside_, [&](const Vector3d& p) { return std::abs(normal.dot(p - a)); });
    if (l < 0) return false;
    first_ =
        normal.dot(points_[l] - a) > 0.0 ? std::array<int, 4>{i, k, j, l} : std::array<int, 4>{i, j, k, l};
    const auto [p, q, r, s] = first_;  // s on the inner side of pqr
    facets_.reserve(8 * points_.size());
    add_facet(p, q, r), add_facet(p, s, q), add_facet(q, s, r), add_facet(r, s, p);
    facets_[0].neighbour = {1, 2, 3};
    facets_[1].neighbour = {3, 2, 0};
    facets_[2].neighbour = {1, 3, 0};
    facets_[3].neighbour = {2, 1, 0};
    return true;
  }

  // False where rounding left a surface that is not closed.
  bool insert_all() {
    conflict_.assign(points_.size(), -1);
    next_.assign(points_.size(), -1);
    rim_of_.assign(points_.size(), -1);
    // The outermost first: most of the others then lie inside.
    std::vector<std::pair<double, int>> order;
    order.reserve(points_.size());
    for (int i = 0; i < std::ssize(points_); ++i) {
      if (std::find(first_.begin(), first_.end(), i) != first_.end()) continue;
      order.emplace_back(-points_[i].squaredNorm(), i);
      assign(i, 0);
    }
    std::sort(order.begin(), order.end());
    return std::all_of(order.begin(), order.end(), [this](const auto& next) {
      return conflict_[next.second] < 0 || insert(next.second);
    });
  }

  // Whether the facets are a closed surface without handles, convex along every edge, and no point lies outside it. Points in the plane of a
  // facet up to rounding can break each of these.
  bool is_sound(const SmallHull& hull) const {
    std::size_t count = 0;
    bool is_bent = true;  // at every edge by more than rounding
    for (const Facet& facet : facets_) {
      if (!facet.is_alive) continue;
      ++count;
      for (int k = 0; k < 3; ++k) {
        const Facet& other = facets_[facet.neighbour[k]];
        const int end = facet.corner[(k + 1) % 3];
        int at = 0;  // of the edge in the other facet
        while (at < 3 && other.corner[at] != end) ++at;
        if (!other.is_alive || at == 3 || other.corner[(at + 1) % 3] != facet.corner[k]) return false;
        const double beyond = distance(facet, points_[other.corner[(at + 2) % 3]]);
        if (beyond > missed_) return false;
        is_bent = is_bent && beyond < -missed_;
      }
    }
    if (!(hull.volume > 0.0) || count + 4 != 2 * hull.corners.size()) return false;
    return is_bent || holds_all_points();
  }

  SmallHull result() const {
    SmallHull hull;
    const Vector3d& o = points_[first_[0]];
    std::vector<char> is_corner(points_.size(), 0);
    for (const Facet& facet : facets_) {
      if (!facet.is_alive) continue;
      const auto& v = facet.corner;
      hull.volume += (points_[v[0]] - o).dot((points_[v[1]] - o).cross(points_[v[2]] - o)) / 6.0;
      for (const int i : v) is_corner[i] = 1;
    }
    for (int i = 0; i < std::ssize(points_); ++i)
      if (is_corner[i]) hull.corners.push_back(i);
    return hull;
  }

 private:
  struct Facet {
    std::array<int, 3> corner;     // counter-clockwise from outside
    std::array<int, 3> neighbour;  // beyond the edge from that corner to the next
    Vector3d normal;               // unit, outward
    double offset;
    int waiting{-1};  // first of the points outside it that wait here
    bool is_alive{true};
  };

  int add_facet(int a, int b, int c) {
    Vector3d normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
    const double length = normal.norm();
    normal = length > 0.0 ? Vector3d(normal / length) : Vector3d(Vector3d::Zero());
    facets_.push_back({{a, b, c}, {-1, -1, -1}, normal, normal.dot(points_[a])});
    return static_cast<int>(facets_.size()) - 1;
  }

  static double distance(const Facet& facet, const Vector3d& p) { return facet.normal.dot(p) - facet.offset; }

  bool holds_all_points() const {
    return std::all_of(facets_.begin(), facets_.end(), [this](const Facet& facet) {
      return !facet.is_alive || std::all_of(points_.begin(), points_.end(),
                                            [&](const Vector3d& p) { return distance(facet, p) <= missed_; });
    });
  }

  // To the first of the facets from `from` on that it lies outside of. A point outside none of the facets that replace those it was
  // outside of lies inside.
  void assign(int point, int from) {
    conflict_[point] = -1;
    for (int f = from; f < std::ssize(facets_); ++f) {
      if (!(distance(facets_[f], points_[point]) > outside_)) continue;
      conflict_[point] = f;
      next_[point] = std::exchange(facets_[f].waiting, point);
      return;
    }
  }

  // What the point sees, from the facet it waits at, and the rim of that: `rim_` (facet kept, its edge).
  void find_visible(int point) {
    rim_.clear();
    visible_.assign(1, conflict_[point]);
    facets_[conflict_[point]].is_alive = false;
    for (std::size_t n = 0; n < visible_.size(); ++n)
      for (int k = 0; k < 3; ++k) {
        const int other = facets_[visible_[n]].neighbour[k];
        if (!facets_[other].is_alive) continue;
        if (distance(facets_[other], points_[point]) > outside_) {
          facets_[other].is_alive = false;
          visible_.push_back(other);
        } else {
          rim_.push_back({facets_[visible_[n]].corner[k], facets_[visible_[n]].corner[(k + 1) % 3], other});
        }
      }
  }

  // False where the rim passes a corner twice.
  bool insert(int point) {
    find_visible(point);
    const int first = static_cast<int>(facets_.size());
    for (const RimEdge& edge : rim_) {
      const int added = add_facet(edge.from, edge.to, point);
      facets_[added].neighbour[0] = edge.beyond;
      Facet& beyond = facets_[edge.beyond];
      for (int k = 0; k < 3; ++k)
        if (beyond.corner[k] == edge.to && beyond.corner[(k + 1) % 3] == edge.from)
          beyond.neighbour[k] = added;
      rim_of_[edge.from] = added;
    }
    for (int f = first; f < std::ssize(facets_); ++f) {
      const int after = rim_of_[facets_[f].corner[1]];
      if (after < first || facets_[after].neighbour[2] >= 0) return false;
      facets_[f].neighbour[1] = after;
      facets_[after].neighbour[2] = f;
    }
    for (const int f : visible_)
      for (int i = facets_[f].waiting; i >= 0;) {
        const int next = next_[i];
        if (i != point) assign(i, first);
        i = next;
      }
    return true;
  }

  struct RimEdge {
    int from, to;
    int beyond;  // facet
  };

  std::vector<Vector3d> points_;  // relative to their middle
  double outside_{0.0};           // [m] beyond a facet's plane counts
  double missed_{0.0};            // [m] beyond a finished hull: a wrong one
  std::array<int, 4> first_{};
  std::vector<Facet> facets_;
  // Per point: a facet that it lies outside of, -1 inside; the next that waits at the same facet; the newest facet on the rim from it.
  std::vector<int> conflict_, next_, rim_of_;
  std::vector<int> visible_;
  std::vector<RimEdge> rim_;
};

}  // namespace

SmallHull small_hull(std::span<const Vector3d> points) {
  for (const double joggle : {0.0, 1e-9, 1e-8, 1e-7, 1e-6}) {
    HullOfFew hull(points, joggle);
    if (!hull.start()) break;
    if (!hull.insert_all()) continue;
    SmallHull result = hull.result();
    if (hull.is_sound(result)) return result;
  }
  SmallHull flat;
  flat.corners.resize(points.size());
  std::iota(flat.corners.begin(), flat.corners.end(), 0);
  return flat;
}

}  // namespace prehend::geometry
