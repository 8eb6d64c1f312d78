#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/polygon2.h>
#include <prehend/math/angles.h>
#include <prehend/placement/planning/assembly_box.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Faces that a side of the box is laid on: all of plain bodies, few of those with thousands of vertices (points projected in all).
constexpr std::size_t kMostBoxFaces = 200, kLeastFaces = 8, kMostProjected = 40000;

// Without those inside the polygon of the outermost ones along sixteen directions: most, where there are many.
std::vector<Vector2d> outer_points(const std::vector<Vector2d>& points) {
  constexpr int kDirections = 16;
  if (points.size() < 4 * kDirections) return points;
  std::vector<Vector2d> outermost(kDirections);
  for (int k = 0; k < kDirections / 2; ++k) {  // and the one opposite
    const Vector2d d(std::cos(2.0 * math::kPi * k / kDirections),
                     std::sin(2.0 * math::kPi * k / kDirections));
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vector2d& p : points) {
      const double along = d.dot(p);
      if (along > high) {
        high = along;
        outermost[static_cast<std::size_t>(k)] = p;
      }
      if (along < low) {
        low = along;
        outermost[static_cast<std::size_t>(k + kDirections / 2)] = p;
      }
    }
  }
  // Most lie in the circle inside that polygon.
  Vector2d middle = Vector2d::Zero();
  for (const Vector2d& p : outermost) middle += p / kDirections;
  double radius = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < outermost.size(); ++k) {
    const Vector2d side = outermost[(k + 1) % outermost.size()] - outermost[k], to = middle - outermost[k];
    if (!side.isZero(0.0)) radius = std::min(radius, (side.x() * to.y() - side.y() * to.x()) / side.norm());
  }
  const double nearby = radius > 0.0 && std::isfinite(radius) ? 0.999 * radius * radius : -1.0;
  std::vector<Vector2d> outer;
  for (const Vector2d& p : points) {
    if ((p - middle).squaredNorm() < nearby) continue;
    bool is_inside = true;
    for (std::size_t k = 0; k < outermost.size() && is_inside; ++k) {
      const Vector2d side = outermost[(k + 1) % outermost.size()] - outermost[k], to = p - outermost[k];
      is_inside = side.isZero(0.0) || side.x() * to.y() - side.y() * to.x() > 0.0;
    }
    if (!is_inside) outer.push_back(p);
  }
  return outer;
}

// [m^2] Smallest rectangle around points of a plane: one side lies along a side of their hull.
double smallest_rectangle(const std::vector<Vector2d>& all) {
  const std::vector<Vector2d> points = outer_points(all);
  const std::vector<int> hull = geometry::convex_hull(points, 0.0);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vector2d a = points[static_cast<std::size_t>(hull[i])];
    const Vector2d along =
        (points[static_cast<std::size_t>(hull[(i + 1) % hull.size()])] - a).stableNormalized();
    const Vector2d across(-along.y(), along.x());
    Vector2d low = Vector2d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const int k : hull) {
      const Vector2d p(along.dot(points[static_cast<std::size_t>(k)]),
                       across.dot(points[static_cast<std::size_t>(k)]));
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    least = std::min(least, (high - low).prod());
  }
  return least;
}

// [m^3] Smallest box around a hull with one side on a face of it, of the largest faces: fine round shapes have thousands that tell the same.
double smallest_box(const geometry::TriangleMesh& hull) {
  const auto& v = hull.vertices;
  std::vector<std::pair<double, Vector3d>> faces;  // area, normal
  for (const Eigen::Vector3i& t : hull.triangles) {
    const Vector3d a = v[static_cast<std::size_t>(t[0])];
    const Vector3d n = (v[static_cast<std::size_t>(t[1])] - a).cross(v[static_cast<std::size_t>(t[2])] - a);
    if (n.norm() > 0.0) faces.emplace_back(0.5 * n.norm(), n.stableNormalized());
  }
  std::stable_sort(faces.begin(), faces.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::size_t most = std::clamp<std::size_t>(kMostProjected / v.size(), kLeastFaces, kMostBoxFaces);
  std::vector<Vector3d> tried;
  double least = std::numeric_limits<double>::infinity();
  std::vector<Vector2d> flat(v.size());
  for (const auto& [area, n] : faces) {
    if (tried.size() >= most) break;
    if (std::any_of(tried.begin(), tried.end(),
                    [&, d = n](const Vector3d& other) { return std::abs(other.dot(d)) > 1.0 - 1e-10; }))
      continue;
    tried.push_back(n);
    const Vector3d x = n.unitOrthogonal(), y = n.cross(x);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < v.size(); ++i) {
      flat[i] = {x.dot(v[i]), y.dot(v[i])};
      low = std::min(low, n.dot(v[i]));
      high = std::max(high, n.dot(v[i]));
    }
    least = std::min(least, (high - low) * smallest_rectangle(flat));
  }
  return least;
}

}  // namespace

double assembly_volume(const Problem& problem, const math::Pose& X_WO) {
  const bool is_alone =
      std::none_of(problem.others.begin(), problem.others.end(),
                   [&](const PreparedGeom& geom) { return problem.is_movable(geom.ref.body); });
  if (is_alone)
    return problem.own_hull.status == geometry::HullStatus::ok ? smallest_box(problem.own_hull.mesh) : 0.0;
  std::vector<Vector3d> points;
  const auto add = [&](const PreparedGeom& geom, const math::Pose& X_WG) {
    for (const Vector3d& v : geom.polyhedron.vertices()) points.push_back(X_WG * v);
  };
  for (const PreparedGeom& geom : problem.others) {
    if (problem.is_movable(geom.ref.body)) add(geom, geom.X_WG);
  }
  for (const Vector3d& v : problem.own_hull.mesh.vertices) points.push_back(X_WO * v);
  const geometry::HullResult hull = geometry::convex_hull(points);
  return hull.status == geometry::HullStatus::ok ? smallest_box(hull.mesh) : 0.0;
}

}  // namespace prehend::placement
