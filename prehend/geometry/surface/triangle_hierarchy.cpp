#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <Eigen/Geometry>

#include <prehend/geometry/surface/triangle_distance.h>
#include <prehend/geometry/surface/triangle_hierarchy.h>
#include <prehend/math/angles.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;

// Depth of the hierarchy is bounded by its builder (48 levels by area, then halving).
constexpr int kStack = 128;

// 1/2 of the solid angle of a triangle seen from the origin (van Oosterom and Strackee 1983).
double half_solid_angle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return numerator == 0.0 && denominator == 0.0 ? 0.0 : std::atan2(numerator, denominator);
}

constexpr double kFourPi = 4.0 * math::kPi;

}  // namespace

double squared_distance(const Vector3d& p, const TriangleBvh::Node& box) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double outside = std::max(0.0, std::max(box.lower[k] - p[k], p[k] - box.upper[k]));
    sum += outside * outside;
  }
  return sum;
}

TriangleHierarchy::TriangleHierarchy(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) throw std::invalid_argument("TriangleTree: the mesh has no triangles");
  bvh = build_triangle_bvh(mesh);
  if (bvh.order.size() != mesh.triangles.size()) {
    throw std::invalid_argument(
        "TriangleTree: " + std::to_string(mesh.triangles.size() - bvh.order.size()) +
        " triangles refer to vertices that do not exist or are not finite; see check_mesh()");
  }
  corners.reserve(bvh.order.size());
  for (int triangle : bvh.order) {
    const Eigen::Vector3i& t = mesh.triangles[triangle];
    corners.push_back({bvh.to_local(mesh.vertices[t[0]]), bvh.to_local(mesh.vertices[t[1]]),
                       bvh.to_local(mesh.vertices[t[2]])});
  }
  build_clusters();
}

void TriangleHierarchy::build_clusters() {
  clusters.resize(bvh.nodes.size());
  std::vector<double> area(bvh.nodes.size());
  std::vector<Eigen::Matrix3d> moment(bvh.nodes.size());
  // Children stand behind their parents, so going backwards meets them first.
  for (int i = static_cast<int>(bvh.nodes.size()) - 1; i >= 0; --i) {
    const TriangleBvh::Node& node = bvh.nodes[i];
    Cluster& cluster = clusters[i];
    Vector3d weighted = Vector3d::Zero();
    cluster.area_vector.setZero();
    area[i] = 0.0;
    Eigen::Matrix3d about_origin = Eigen::Matrix3d::Zero();  // sum of x (area n)^T
    if (node.is_leaf()) {
      for (int k = node.first; k < node.first + node.count; ++k) {
        const Corners& t = corners[k];
        const Vector3d n = 0.5 * (t.b - t.a).cross(t.c - t.a), centre = (t.a + t.b + t.c) / 3.0;
        area[i] += n.norm();
        weighted += n.norm() * centre;
        cluster.area_vector += n;
        about_origin += centre * n.transpose();
      }
    } else {
      for (int child : {node.first, node.first + 1}) {
        area[i] += area[child];
        weighted += area[child] * clusters[child].centre;
        cluster.area_vector += clusters[child].area_vector;
        about_origin += moment[child];
      }
    }
    Vector3d lower, upper;
    for (int k = 0; k < 3; ++k) {
      lower[k] = node.lower[k];
      upper[k] = node.upper[k];
    }
    cluster.centre = area[i] > 0.0 ? Vector3d(weighted / area[i]) : Vector3d(0.5 * (lower + upper));
    moment[i] = about_origin;
    const Eigen::Matrix3d m = about_origin - cluster.centre * cluster.area_vector.transpose();
    cluster.moment << m(0, 0), m(1, 1), m(2, 2), m(0, 1) + m(1, 0), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1);
    cluster.squared_radius = (cluster.centre - lower).cwiseMax(upper - cluster.centre).squaredNorm();
  }
}

std::optional<ClosestPoint> TriangleHierarchy::closest(const Vector3d& p, double squared_limit) const {
  ClosestPoint best;
  double best2 = squared_limit;
  struct Entry {
    int node;
    double distance2;
  };
  std::array<Entry, kStack> stack;
  int top = 0;
  stack[top++] = {0, squared_distance(p, bvh.nodes[0])};
  while (top > 0) {
    const Entry entry = stack[--top];
    // Boxes at exactly the best distance are opened too: the smallest index wins among equals.
    if (entry.distance2 > best2) continue;
    const TriangleBvh::Node& node = bvh.nodes[entry.node];
    if (node.is_leaf()) {
      for (int k = node.first; k < node.first + node.count; ++k) {
        const Corners& t = corners[k];
        Vector3d barycentric;
        const Vector3d candidate = closest_on_triangle(p, t.a, t.b, t.c, barycentric);
        const double distance2 = (candidate - p).squaredNorm();
        if (distance2 < best2 || (distance2 == best2 && best.triangle >= 0 && bvh.order[k] < best.triangle)) {
          best2 = distance2;
          best.triangle = bvh.order[k];
          best.point = candidate;
          best.barycentric = barycentric;
        }
      }
      continue;
    }
    Entry near{node.first, squared_distance(p, bvh.nodes[node.first])};
    Entry far{node.first + 1, squared_distance(p, bvh.nodes[node.first + 1])};
    if (far.distance2 < near.distance2) std::swap(near, far);
    stack[top++] = far;
    stack[top++] = near;
  }
  if (best.triangle < 0) return std::nullopt;
  best.distance = bvh.unit * (best.point - p).norm();
  best.point = bvh.to_world(best.point);
  return best;
}

double TriangleHierarchy::winding(const Vector3d& q, double squared_ratio) const {
  double dipoles = 0.0, half_angles = 0.0;
  std::array<int, kStack> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int i = stack[--top];
    const TriangleBvh::Node& node = bvh.nodes[i];
    const Cluster& cluster = clusters[i];
    const Vector3d r = cluster.centre - q;
    const double r2 = r.squaredNorm();
    if (r2 > squared_ratio * cluster.squared_radius) {
      const double inverse = 1.0 / std::sqrt(r2), inverse3 = inverse * inverse * inverse;
      const auto& m = cluster.moment;
      const double trace = m[0] + m[1] + m[2];
      const double quadratic = m[0] * r.x() * r.x() + m[1] * r.y() * r.y() + m[2] * r.z() * r.z() +
                               m[3] * r.x() * r.y() + m[4] * r.x() * r.z() + m[5] * r.y() * r.z();
      dipoles += inverse3 * (cluster.area_vector.dot(r) + trace - 3.0 * quadratic * inverse * inverse);
    } else if (node.is_leaf()) {
      for (int k = node.first; k < node.first + node.count; ++k) {
        half_angles += half_solid_angle(corners[k].a - q, corners[k].b - q, corners[k].c - q);
      }
    } else {
      stack[top++] = node.first;
      stack[top++] = node.first + 1;
    }
  }
  return (dipoles + 2.0 * half_angles) / kFourPi;
}

double TriangleHierarchy::winding_exact(const Vector3d& q) const {
  double half_angles = 0.0;
  for (const Corners& t : corners) half_angles += half_solid_angle(t.a - q, t.b - q, t.c - q);
  return 2.0 * half_angles / kFourPi;
}

}  // namespace prehend::geometry
