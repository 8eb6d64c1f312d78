#include <cmath>
#include <stdexcept>

#include <prehend/geometry/surface/triangle_hierarchy.h>
#include <prehend/geometry/triangle_tree.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

void require_finite(const Vector3d& p) {
  if (!p.allFinite()) throw std::invalid_argument("TriangleTree: the query point is not finite");
}

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh)
    : hierarchy_(std::make_shared<const TriangleHierarchy>(mesh)) {}

int TriangleTree::size() const { return static_cast<int>(hierarchy_->bvh.order.size()); }

Aabb TriangleTree::box() const {
  Vector3d lower = hierarchy_->corners[0].a, upper = lower;
  for (const TriangleHierarchy::Corners& t : hierarchy_->corners) {
    lower = lower.cwiseMin(t.a).cwiseMin(t.b).cwiseMin(t.c);
    upper = upper.cwiseMax(t.a).cwiseMax(t.b).cwiseMax(t.c);
  }
  return {hierarchy_->bvh.to_world(lower), hierarchy_->bvh.to_world(upper)};
}

ClosestPoint TriangleTree::closest_point(const Vector3d& p) const {
  require_finite(p);
  return *hierarchy_->closest(hierarchy_->bvh.to_local(p), std::numeric_limits<double>::infinity());
}

std::optional<ClosestPoint> TriangleTree::closest_point_within(const Vector3d& p, double max_distance) const {
  require_finite(p);
  if (!(max_distance > 0.0)) return std::nullopt;
  const double limit = max_distance / hierarchy_->bvh.unit;
  return hierarchy_->closest(hierarchy_->bvh.to_local(p), limit * limit);
}

ClosestPoint TriangleTree::signed_distance(const Vector3d& p) const {
  ClosestPoint result = closest_point(p);
  if (contains(p)) result.distance = -result.distance;
  return result;
}

double TriangleTree::winding_number(const Vector3d& p) const {
  require_finite(p);
  // A cluster is taken as a whole from three times its radius on. Measured on a torus: errors up to 0.03 at
  // twice the radius, below 0.01 at three times.
  return hierarchy_->winding(hierarchy_->bvh.to_local(p), 9.0);
}

double TriangleTree::winding_number_exact(const Vector3d& p) const {
  require_finite(p);
  return hierarchy_->winding_exact(hierarchy_->bvh.to_local(p));
}

bool TriangleTree::contains(const Vector3d& p) const {
  require_finite(p);
  const Vector3d q = hierarchy_->bvh.to_local(p);
  // Outside the box nothing is inside, holes or not.
  if (squared_distance(q, hierarchy_->bvh.nodes[0]) > 0.0) return false;
  const double winding = hierarchy_->winding(q, 4.0);
  if (std::abs(winding - 0.5) > 0.2) return winding > 0.5;
  return winding_number_exact(p) > 0.5;
}

}  // namespace prehend::geometry
