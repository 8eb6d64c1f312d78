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
    add_facet(p, q, r), add_facet(p, s, q), add_facet(q, s, r), add_facet(r, s, p);
    return true;
  }

  void insert_all() {
    // The outermost first: most of the others then lie inside.
    std::vector<std::pair<double, int>> order;
    for (int i = 0; i < std::ssize(points_); ++i)
      if (std::find(first_.begin(), first_.end(), i) == first_.end())
        order.emplace_back(-points_[i].squaredNorm(), i);
    std::sort(order.begin(), order.end());
    for (const auto& [distance, i] : order) insert(i);
  }

  // Whether the facets are a closed surface without handles, and no point lies outside it. Points in the plane of a facet up to rounding can
  // break either.
  bool is_sound(const SmallHull& hull) {
    if (!(hull.volume > 0.0) || facets_.size() + 4 != 2 * hull.corners.size()) return false;
    return std::all_of(points_.begin(), points_.end(),
                       [this](const Vector3d& p) { return measure(p) <= missed_; });
  }

  SmallHull result() const {
    SmallHull hull;
    const Vector3d& o = points_[first_[0]];
    std::vector<char> is_corner(points_.size(), 0);
    for (const auto& v : facets_) {
      hull.volume += (points_[v[0]] - o).dot((points_[v[1]] - o).cross(points_[v[2]] - o)) / 6.0;
      for (const int i : v) is_corner[i] = 1;
    }
    for (int i = 0; i < std::ssize(points_); ++i)
      if (is_corner[i]) hull.corners.push_back(i);
    return hull;
  }

 private:
  // Lower end, higher end, and whether the edge runs from the higher one.
  static std::uint64_t edge_key(int a, int b) {
    const auto low = static_cast<std::uint64_t>(std::min(a, b)),
               high = static_cast<std::uint64_t>(std::max(a, b));
    return low << 32 | high << 1 | (a > b ? 1u : 0u);
  }

  void add_facet(int a, int b, int c) {
    Vector3d normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
    const double length = normal.norm();
    normal = length > 0.0 ? Vector3d(normal / length) : Vector3d(Vector3d::Zero());
    facets_.push_back({a, b, c});
    for (int k = 0; k < 3; ++k) normals_[k].push_back(normal[k]);
    offsets_.push_back(normal.dot(points_[a]));
  }

  // Signed distances of the point from all facets; the largest of them.
  double measure(const Vector3d& p) {
    const std::size_t count = facets_.size();
    distances_.resize(count);
    const double *x = normals_[0].data(), *y = normals_[1].data(), *z = normals_[2].data(),
                 *d = offsets_.data();
    double* out = distances_.data();
    for (std::size_t f = 0; f < count; ++f) out[f] = x[f] * p[0] + y[f] * p[1] + z[f] * p[2] - d[f];
    double most = 0.0;
    for (std::size_t f = 0; f < count; ++f) most = std::max(most, out[f]);
    return most;
  }

  void insert(int i) {
    if (measure(points_[i]) <= outside_) return;
    rim_.clear();
    std::size_t kept = 0;
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (distances_[f] > outside_) {
        const auto& v = facets_[f];
        for (int k = 0; k < 3; ++k) {
          const int a = v[k], b = v[(k + 1) % 3];
          rim_.push_back(edge_key(a, b));
        }
        continue;
      }
      if (kept != f) {
        facets_[kept] = facets_[f];
        offsets_[kept] = offsets_[f];
        for (auto& normals : normals_) normals[kept] = normals[f];
      }
      ++kept;
    }
    facets_.resize(kept);
    offsets_.resize(kept);
    for (auto& normals : normals_) normals.resize(kept);
    // An edge that is seen from both sides is not on the rim.
    std::sort(rim_.begin(), rim_.end());
    for (std::size_t k = 0; k < rim_.size(); ++k) {
      if (k + 1 < rim_.size() && rim_[k + 1] >> 1 == rim_[k] >> 1) {
        ++k;
        continue;
      }
      const int low = static_cast<int>(rim_[k] >> 32), high = static_cast<int>(rim_[k] >> 1 & 0x7fffffffu);
      if (rim_[k] & 1u) {
        add_facet(high, low, i);
      } else {
        add_facet(low, high, i);
      }
    }
  }

  std::vector<Vector3d> points_;  // relative to their middle
  double outside_{0.0};           // [m] beyond a facet's plane counts
  double missed_{0.0};            // [m] beyond a finished hull: a wrong one
  std::array<int, 4> first_{};
  std::vector<std::array<int, 3>> facets_;      // counter-clockwise from outside
  std::array<std::vector<double>, 3> normals_;  // unit, by coordinate
  std::vector<double> offsets_, distances_;
  std::vector<std::uint64_t> rim_;
};

}  // namespace

SmallHull small_hull(std::span<const Vector3d> points) {
  for (const double joggle : {0.0, 1e-9, 1e-8, 1e-7, 1e-6}) {
    HullOfFew hull(points, joggle);
    if (!hull.start()) break;
    hull.insert_all();
    SmallHull result = hull.result();
    if (hull.is_sound(result)) return result;
  }
  SmallHull flat;
  flat.corners.resize(points.size());
  std::iota(flat.corners.begin(), flat.corners.end(), 0);
  return flat;
}

}  // namespace prehend::geometry
