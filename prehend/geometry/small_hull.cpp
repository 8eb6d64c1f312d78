#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/small_hull.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

class HullOfFew {
 public:
  explicit HullOfFew(std::span<const Vector3d> points) : points_(points) {}

  bool start() {
    if (points_.size() < 4) return false;
    const auto farthest = [&](auto measure) {
      int best = -1;
      double most = 0.0;
      for (int i = 0; i < std::ssize(points_); ++i) {
        const double value = measure(points_[i]);
        if (value > most) most = value, best = i;
      }
      return best;
    };
    const Vector3d& a = points_[0];
    const int b = farthest([&](const Vector3d& p) { return (p - a).squaredNorm(); });
    if (b < 0) return false;
    const int c =
        farthest([&](const Vector3d& p) { return (points_[b] - a).cross(p - a).squaredNorm(); });
    if (c < 0) return false;
    const Vector3d n = (points_[b] - a).cross(points_[c] - a);
    const int d = farthest([&](const Vector3d& p) { return std::abs(n.dot(p - a)); });
    if (d < 0) return false;
    const int sign = orient3d(a, points_[b], points_[c], points_[d]);
    if (sign == 0) return false;
    first_ = sign > 0 ? std::array<int, 4>{0, c, b, d} : std::array<int, 4>{0, b, c, d};
    const auto [p, q, r, s] = first_;  // s on the inner side of pqr
    add_facet(p, q, r), add_facet(p, s, q), add_facet(q, s, r), add_facet(r, s, p);
    return true;
  }

  void insert_all() {
    for (int i = 0; i < std::ssize(points_); ++i)
      if (std::find(first_.begin(), first_.end(), i) == first_.end()) insert(i);
  }

  SmallHull result() const {
    SmallHull hull;
    const Vector3d& o = points_[first_[0]];
    for (const Facet& f : facets_) {
      hull.volume +=
          (points_[f.v[0]] - o).dot((points_[f.v[1]] - o).cross(points_[f.v[2]] - o)) / 6.0;
      hull.corners.insert(hull.corners.end(), f.v.begin(), f.v.end());
    }
    std::sort(hull.corners.begin(), hull.corners.end());
    hull.corners.erase(std::unique(hull.corners.begin(), hull.corners.end()), hull.corners.end());
    return hull;
  }

 private:
  struct Facet {
    std::array<int, 3> v;  // counter-clockwise from outside
    Vector3d normal;
    double offset, slack;  // rounding of normal.x - offset for points of this size
  };

  void add_facet(int a, int b, int c) {
    const Vector3d &p = points_[a], u = points_[b] - p, w = points_[c] - p;
    Facet facet{{a, b, c}, u.cross(w), 0.0, 0.0};
    facet.offset = facet.normal.dot(p);
    // Products of differences are good to a few roundings of the factors' magnitudes; 32 of them is generous.
    const double size = u.cwiseAbs().maxCoeff() * w.cwiseAbs().maxCoeff();
    facet.slack = 32.0 * 2.3e-16 * (size + facet.normal.cwiseAbs().maxCoeff());
    facets_.push_back(facet);
  }

  bool is_visible(const Facet& f, int i) const {
    const Vector3d& p = points_[i];
    const double distance = f.normal.dot(p - points_[f.v[0]]);
    const double bound = f.slack * (p - points_[f.v[0]]).cwiseAbs().maxCoeff();
    if (distance > bound) return true;
    if (distance < -bound) return false;
    return orient3d(points_[f.v[0]], points_[f.v[1]], points_[f.v[2]], p) > 0;
  }

  void insert(int i) {
    rim_.clear();
    std::size_t kept = 0;
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (is_visible(facets_[f], i)) {
        const auto& v = facets_[f].v;
        for (int k = 0; k < 3; ++k) rim_.push_back({v[k], v[(k + 1) % 3]});
      } else {
        if (kept != f) facets_[kept] = facets_[f];
        ++kept;
      }
    }
    if (rim_.empty()) return;
    facets_.resize(kept);
    // An edge that is seen from both sides is not on the rim.
    for (const auto& [a, b] : rim_) {
      const bool is_inner = std::find(rim_.begin(), rim_.end(), std::array<int, 2>{b, a}) != rim_.end();
      if (!is_inner) add_facet(a, b, i);
    }
  }

  std::span<const Vector3d> points_;
  std::array<int, 4> first_{};
  std::vector<Facet> facets_;
  std::vector<std::array<int, 2>> rim_;
};

}  // namespace

SmallHull small_hull(std::span<const Vector3d> points) {
  HullOfFew hull(points);
  if (hull.start()) {
    hull.insert_all();
    SmallHull result = hull.result();
    if (result.volume > 0.0) return result;
  }
  SmallHull flat;
  flat.corners.resize(points.size());
  std::iota(flat.corners.begin(), flat.corners.end(), 0);
  return flat;
}

}  // namespace prehend::geometry
