// The ray casts of TriangleTree.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <prehend/geometry/surface/triangle_hierarchy.h>
#include <prehend/geometry/triangle_tree.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

struct LocalRay {
  Vector3d origin, direction, inverse;
  double t_min, t_max;
  double pad;      // rounding of the origin, added to boxes
  int kx, ky, kz;  // axes so that z is the largest component of the direction
  double shear_x, shear_y, shear_z;
};

LocalRay to_local_ray(const Ray& ray, const TriangleBvh& bvh) {
  if (!ray.origin.allFinite() || !ray.direction.allFinite() || ray.direction.isZero(0.0)) {
    throw std::invalid_argument(
        "TriangleTree: the ray's origin and direction must be finite and its direction not zero");
  }
  LocalRay local;
  local.origin = bvh.to_local(ray.origin);
  local.direction = ray.direction / bvh.unit;
  local.inverse = local.direction.cwiseInverse();
  local.t_min = ray.t_min;
  local.t_max = ray.t_max;
  local.pad = 1e-14 * (1.0 + local.origin.lpNorm<Eigen::Infinity>());
  local.direction.cwiseAbs().maxCoeff(&local.kz);
  local.kx = (local.kz + 1) % 3;
  local.ky = (local.kx + 1) % 3;
  if (local.direction[local.kz] < 0.0) std::swap(local.kx, local.ky);
  local.shear_x = local.direction[local.kx] / local.direction[local.kz];
  local.shear_y = local.direction[local.ky] / local.direction[local.kz];
  local.shear_z = 1.0 / local.direction[local.kz];
  return local;
}

// Where the ray meets a triangle, with t and barycentric coordinates; none where it misses it or t lies outside [t_min, limit].
inline std::optional<RayHit> meet(const LocalRay& ray, const TriangleHierarchy::Corners& corners,
                                  double limit) {
  const Vector3d a = corners.a - ray.origin, b = corners.b - ray.origin, c = corners.c - ray.origin;
  const double ax = a[ray.kx] - ray.shear_x * a[ray.kz], ay = a[ray.ky] - ray.shear_y * a[ray.kz];
  const double bx = b[ray.kx] - ray.shear_x * b[ray.kz], by = b[ray.ky] - ray.shear_y * b[ray.kz];
  const double cx = c[ray.kx] - ray.shear_x * c[ray.kz], cy = c[ray.ky] - ray.shear_y * c[ray.kz];
  double u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
  if (u == 0.0 || v == 0.0 || w == 0.0) {
    // An exact zero may be underflow or cancellation: ask again with more digits, so that neighbours
    // agree.
    using Wide = long double;
    u = static_cast<double>(Wide{cx} * by - Wide{cy} * bx);
    v = static_cast<double>(Wide{ax} * cy - Wide{ay} * cx);
    w = static_cast<double>(Wide{bx} * ay - Wide{by} * ax);
  }
  if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) return std::nullopt;
  const double det = u + v + w;
  if (det == 0.0) return std::nullopt;  // seen edge on
  const double t = ray.shear_z * (u * a[ray.kz] + v * b[ray.kz] + w * c[ray.kz]) / det;
  if (!(t >= ray.t_min && t <= limit)) return std::nullopt;
  RayHit hit;
  hit.t = t;
  hit.barycentric = Vector3d(u, v, w) / det;
  hit.from_outside = det > 0.0;
  return hit;
}

// Calls on_hit(RayHit) for hits with t in [t_min, limit]; on_hit returns the new limit. Boxes nearest first.
template <class OnHit>
void visit_hits(const TriangleHierarchy& hierarchy, const Ray& asked, OnHit&& on_hit) {
  const TriangleBvh& bvh = hierarchy.bvh;
  const LocalRay ray = to_local_ray(asked, bvh);
  double limit = ray.t_max;
  const auto entry_of = [&](const TriangleBvh::Node& box) {
    double enter = ray.t_min, leave = limit;
    for (int k = 0; k < 3; ++k) {
      const double t0 = (box.lower[k] - ray.pad - ray.origin[k]) * ray.inverse[k];
      const double t1 = (box.upper[k] + ray.pad - ray.origin[k]) * ray.inverse[k];
      // Written so that 0 * infinity (an origin on the slab, a ray along it) leaves the interval as it is.
      const double low = t1 < t0 ? t1 : t0, high = t1 < t0 ? t0 : t1;
      enter = enter < low ? low : enter;
      leave = high < leave ? high : leave;
    }
    return enter <= leave + 1e-15 * std::abs(leave) ? enter : std::numeric_limits<double>::infinity();
  };
  struct Entry {
    int node;
    double t;
  };
  std::array<Entry, 128> stack;
  int top = 0;
  stack[top++] = {0, entry_of(bvh.nodes[0])};
  if (std::isinf(stack[0].t)) return;
  while (top > 0) {
    const Entry entry = stack[--top];
    if (entry.t > limit) continue;
    const TriangleBvh::Node& node = bvh.nodes[entry.node];
    if (!node.is_leaf()) {
      Entry near{node.first, entry_of(bvh.nodes[node.first])};
      Entry far{node.first + 1, entry_of(bvh.nodes[node.first + 1])};
      if (far.t < near.t) std::swap(near, far);
      if (!std::isinf(far.t)) stack[top++] = far;
      if (!std::isinf(near.t)) stack[top++] = near;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      std::optional<RayHit> hit = meet(ray, hierarchy.corners[k], limit);
      if (!hit) continue;
      hit->triangle = bvh.order[k];
      limit = on_hit(*hit);
      if (limit < ray.t_min) return;
    }
  }
}

RayHit finished(const Ray& ray, RayHit hit) {
  hit.point = ray.origin + hit.t * ray.direction;
  return hit;
}

}  // namespace

std::optional<RayHit> TriangleTree::closest_hit(const Ray& ray) const {
  std::optional<RayHit> best;
  visit_hits(*hierarchy_, ray, [&](const RayHit& hit) {
    if (!best || hit.t < best->t || (hit.t == best->t && hit.triangle < best->triangle)) best = hit;
    return best->t;
  });
  if (best) best = finished(ray, *best);
  return best;
}

std::vector<RayHit> TriangleTree::all_hits(const Ray& ray) const {
  std::vector<RayHit> hits;
  visit_hits(*hierarchy_, ray, [&](const RayHit& hit) {
    hits.push_back(finished(ray, hit));
    return ray.t_max;
  });
  std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
    return a.t != b.t ? a.t < b.t : a.triangle < b.triangle;
  });
  return hits;
}

bool TriangleTree::any_hit(const Ray& ray) const {
  bool found = false;
  visit_hits(*hierarchy_, ray, [&](const RayHit&) {
    found = true;
    return -std::numeric_limits<double>::infinity();
  });
  return found;
}

}  // namespace prehend::geometry
