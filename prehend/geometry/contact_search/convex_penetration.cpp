#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include <Eigen/Geometry>

#include <prehend/geometry/contact_search/convex_penetration.h>
#include <prehend/geometry/hull.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

struct Face {
  Vector3d normal;
  double offset;
  std::array<int, 3> corners;  // support points
};

class PolytopeExpansion {
 public:
  PolytopeExpansion(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) : a_(a), b_(b) {}

  // The extreme point of M along n; true when it is new. `offset` is its distance along n.
  bool add_support(const Vector3d& n, double& offset) {
    int i = 0, j = 0;
    double best_a = -std::numeric_limits<double>::infinity(), best_b = -best_a;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const double s = n.dot(a_[k]);
      if (s > best_a) {
        best_a = s;
        i = static_cast<int>(k);
      }
    }
    for (std::size_t k = 0; k < b_.size(); ++k) {
      const double s = n.dot(b_[k]);
      if (s < best_b) {
        best_b = s;
        j = static_cast<int>(k);
      }
    }
    offset = best_a - best_b;
    if (!seen_.insert(static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j)).second)
      return false;
    points_.push_back(a_[i] - b_[j]);
    pairs_.push_back({i, j});
    return true;
  }

  bool hull_faces(std::vector<Face>& faces) const {
    // Points of M may lie in a plane only while it is young; its own flatness decides, not ours.
    const HullResult hull = convex_hull(points_, {.flatness = 1e-14});
    faces.clear();
    if (hull.status != HullStatus::ok) return false;
    for (const Eigen::Vector3i& t : hull.mesh.triangles) {
      const Vector3d &p = hull.mesh.vertices[t[0]], &q = hull.mesh.vertices[t[1]],
                     &r = hull.mesh.vertices[t[2]];
      const Vector3d n = (q - p).cross(r - p);
      const double length = n.norm();
      // A face without area has neighbours that say the same.
      if (length <= 1e-14 * (q - p).norm() * (r - p).norm()) continue;
      faces.push_back(
          {n / length, n.dot(p) / length, {hull.point_of[t[0]], hull.point_of[t[1]], hull.point_of[t[2]]}});
    }
    return !faces.empty();
  }

  int size() const { return static_cast<int>(points_.size()); }

  // Weights of the face's corners for the foot of the perpendicular from the origin.
  Vector3d weights(const Face& face) const {
    const Vector3d &p = points_[face.corners[0]], &q = points_[face.corners[1]],
                   &r = points_[face.corners[2]];
    const Vector3d foot = face.offset * face.normal, n = (q - p).cross(r - p);
    const double v = n.dot((foot - p).cross(r - p)) / n.squaredNorm(),
                 w = n.dot((q - p).cross(foot - p)) / n.squaredNorm();
    return {1.0 - v - w, v, w};
  }
  void witnesses(const Face& face, const Vector3d& weights, Vector3d& p_a, Vector3d& p_b) const {
    p_a.setZero();
    p_b.setZero();
    for (int k = 0; k < 3; ++k) {
      p_a += weights[k] * a_[pairs_[face.corners[k]][0]];
      p_b += weights[k] * b_[pairs_[face.corners[k]][1]];
    }
  }

 private:
  const std::vector<Vector3d>& a_;
  const std::vector<Vector3d>& b_;
  std::vector<Vector3d> points_;
  std::vector<std::array<int, 2>> pairs_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

ConvexPenetration convex_penetration(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b,
                                     const ConvexPenetrationOptions& options) {
  const math::OptionCheck check("ConvexPenetrationOptions");
  check.between("tolerance", options.tolerance, 1e-14, 0.1);
  check.between("max_points", options.max_points, 100, 1000000);
  ConvexPenetration result;
  if (a.empty() || b.empty()) return result;
  PolytopeExpansion expansion(a, b);
  double extent = 0.0, upper = std::numeric_limits<double>::infinity();
  Vector3d upper_normal = Vector3d::UnitX();
  const auto try_direction = [&](const Vector3d& n) {
    double offset;
    const bool is_new = expansion.add_support(n, offset);
    extent = std::max(extent, std::abs(offset));
    if (offset < upper) {
      upper = offset;
      upper_normal = n;
    }
    return is_new;
  };
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x != 0 || y != 0 || z != 0) try_direction(Vector3d(x, y, z).normalized());
      }
    }
  }

  std::vector<Face> faces;
  while (true) {
    // A direction in which all of b lies beyond all of a.
    if (upper <= 0.0) {
      result.status = ConvexPenetrationStatus::apart;
      result.normal = upper_normal;
      return result;
    }
    if (!expansion.hull_faces(faces)) return result;
    std::sort(faces.begin(), faces.end(), [](const Face& f, const Face& g) { return f.offset < g.offset; });
    const double lower = faces.front().offset;
    const bool is_converged = upper - lower <= options.tolerance * extent;
    bool grown = false;
    if (!is_converged && expansion.size() < options.max_points) {
      // Every face that could still hide the nearest one, the nearest first.
      for (const Face& face : faces) {
        if (face.offset >= upper || expansion.size() >= options.max_points) break;
        grown |= try_direction(face.normal);
      }
      if (grown || upper <= 0.0) continue;
    }
    // Without new support beyond the nearest face the polytope is exact there, up to rounding.
    const bool is_full = !is_converged && expansion.size() >= options.max_points;
    result.status = is_full ? ConvexPenetrationStatus::bracketed : ConvexPenetrationStatus::converged;
    result.depth_lower = std::max(0.0, lower);
    result.depth_upper = upper;
    // Of the triangles of the nearest face, the one that holds the foot of the perpendicular.
    double best = -std::numeric_limits<double>::infinity();
    for (const Face& face : faces) {
      if (face.offset > lower + options.tolerance * extent) break;
      const Vector3d weights = expansion.weights(face);
      if (weights.minCoeff() <= best) continue;
      best = weights.minCoeff();
      result.normal = face.normal;
      Vector3d inside = weights.cwiseMax(0.0);
      inside /= inside.sum();
      expansion.witnesses(face, inside, result.p_a, result.p_b);
    }
    return result;
  }
}

}  // namespace prehend::geometry
