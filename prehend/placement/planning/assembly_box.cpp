#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/polygon2.h>
#include <prehend/placement/planning/assembly_box.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// [m^2] Smallest rectangle around points of a plane: one side lies along a side of their hull.
double smallest_rectangle(const std::vector<Vector2d>& points) {
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

}  // namespace

double assembly_volume(const Problem& problem, const math::Pose& X_WO) {
  std::vector<Vector3d> points;
  const auto add = [&](const PreparedGeom& geom, const math::Pose& X_WG) {
    for (const Vector3d& v : geom.polyhedron.vertices()) points.push_back(X_WG * v);
  };
  for (const PreparedGeom& geom : problem.others) {
    if (problem.is_movable(geom.ref.body)) add(geom, geom.X_WG);
  }
  for (const PreparedGeom& geom : problem.own) add(geom, X_WO * geom.X_BG);
  const geometry::HullResult hull = geometry::convex_hull(points);
  if (hull.status != geometry::HullStatus::ok) return 0.0;
  std::vector<Vector3d> tried;
  double least = std::numeric_limits<double>::infinity();
  constexpr std::size_t kMostFaces = 200;  // of fine round shapes the first ones tell enough
  std::vector<Vector2d> flat(hull.mesh.vertices.size());
  for (const Eigen::Vector3i& t : hull.mesh.triangles) {
    const auto& v = hull.mesh.vertices;
    const Vector3d a = v[static_cast<std::size_t>(t[0])];
    const Vector3d n = (v[static_cast<std::size_t>(t[1])] - a)
                           .cross(v[static_cast<std::size_t>(t[2])] - a)
                           .stableNormalized();
    if (std::any_of(tried.begin(), tried.end(),
                    [&](const Vector3d& other) { return std::abs(other.dot(n)) > 1.0 - 1e-10; }))
      continue;
    if (tried.size() >= kMostFaces) break;
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

}  // namespace prehend::placement
