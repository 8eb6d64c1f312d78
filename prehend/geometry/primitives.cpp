#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector3d;
constexpr double pi = math::kPi;

constexpr int kMaxSubdivisions = 9;  // 5 million triangles
constexpr int kMaxSegments =
    100000;  // beyond it, neighbours on a rim are no longer safely distinct at float accuracy

void require_positive(double value, const char* shape, const char* name) {
  math::OptionCheck(shape).above(name, value, 0.0, "m");
}

void require_range(int value, int low, int high, const char* shape, const char* name) {
  math::OptionCheck(shape).between(name, value, low, high);
}

// Appends `segments` vertices on a circle around z and returns the index of the first.
int append_ring(TriangleMesh& mesh, double radius, double z, int segments) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < segments; ++i) {
    const double angle = 2.0 * pi * i / segments;
    mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return first;
}

// The band between a lower and an upper ring, outside away from the axis.
void append_band(TriangleMesh& mesh, int lower, int upper, int segments) {
  for (int i = 0; i < segments; ++i) {
    const int j = (i + 1) % segments;
    mesh.triangles.emplace_back(lower + i, lower + j, upper + j);
    mesh.triangles.emplace_back(lower + i, upper + j, upper + i);
  }
}

// A flat cap over a ring, facing up or down.
void append_cap(TriangleMesh& mesh, int ring, int segments, bool up) {
  for (int i = 1; i + 1 < segments; ++i) {
    mesh.triangles.emplace_back(ring, up ? ring + i : ring + i + 1, up ? ring + i + 1 : ring + i);
  }
}

// A fan from a ring to one point on the axis above (up) or below it.
void append_fan(TriangleMesh& mesh, int ring, int tip, int segments, bool up) {
  for (int i = 0; i < segments; ++i) {
    const int j = (i + 1) % segments;
    mesh.triangles.emplace_back(up ? ring + i : ring + j, up ? ring + j : ring + i, tip);
  }
}

int append_vertex(TriangleMesh& mesh, const Vector3d& vertex) {
  mesh.vertices.push_back(vertex);
  return static_cast<int>(mesh.vertices.size()) - 1;
}

int rings_per_cap(int segments) { return std::max(1, static_cast<int>(std::lround(segments / 4.0))); }

TriangleMesh icosahedron() {
  const double t = std::numbers::phi;
  TriangleMesh mesh;
  mesh.vertices = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                   {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  for (Vector3d& vertex : mesh.vertices) vertex.normalize();
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

TriangleMesh unit_icosphere(int subdivisions) {
  require_range(subdivisions, 0, kMaxSubdivisions, "icosphere", "subdivisions");
  TriangleMesh mesh = icosahedron();
  for (int level = 0; level < subdivisions; ++level) {
    std::unordered_map<std::uint64_t, int> midpoint_of_edge;
    midpoint_of_edge.reserve(mesh.triangles.size() * 3 / 2);
    const auto midpoint = [&](int a, int b) {
      const auto [low, high] = std::minmax(a, b);
      const std::uint64_t key = static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
      const auto [entry, is_new] = midpoint_of_edge.try_emplace(key, static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back((mesh.vertices[low] + mesh.vertices[high]).normalized());
      return entry->second;
    };
    std::vector<Eigen::Vector3i> finer;
    finer.reserve(mesh.triangles.size() * 4);
    for (const Eigen::Vector3i& t : mesh.triangles) {
      const int ab = midpoint(t[0], t[1]), bc = midpoint(t[1], t[2]), ca = midpoint(t[2], t[0]);
      finer.emplace_back(t[0], ab, ca);
      finer.emplace_back(t[1], bc, ab);
      finer.emplace_back(t[2], ca, bc);
      finer.emplace_back(ab, bc, ca);
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

}  // namespace

TriangleMesh make_box(const Vector3d& full_size) {
  for (int axis = 0; axis < 3; ++axis) require_positive(full_size[axis], "box", "full_size");
  TriangleMesh mesh;
  const Vector3d half = 0.5 * full_size;
  for (int corner = 0; corner < 8; ++corner) {
    mesh.vertices.emplace_back(corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                               corner & 4 ? half.z() : -half.z());
  }
  // Each face as a quad, counter-clockwise seen from outside.
  constexpr std::array<std::array<int, 4>, 6> kFaces{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& face : kFaces) {
    mesh.triangles.emplace_back(face[0], face[1], face[2]);
    mesh.triangles.emplace_back(face[0], face[2], face[3]);
  }
  return mesh;
}

TriangleMesh make_icosphere(double radius, int subdivisions) {
  require_positive(radius, "icosphere", "radius");
  return scaled(unit_icosphere(subdivisions), Vector3d::Constant(radius));
}

TriangleMesh make_ellipsoid(const Vector3d& radii, int subdivisions) {
  for (int axis = 0; axis < 3; ++axis) require_positive(radii[axis], "ellipsoid", "radius");
  return scaled(unit_icosphere(subdivisions), radii);
}

TriangleMesh make_cylinder(double radius, double length, int segments) {
  require_positive(radius, "cylinder", "radius");
  require_positive(length, "cylinder", "length");
  require_range(segments, 3, kMaxSegments, "cylinder", "segments");
  TriangleMesh mesh;
  const int lower = append_ring(mesh, radius, -0.5 * length, segments);
  const int upper = append_ring(mesh, radius, 0.5 * length, segments);
  append_band(mesh, lower, upper, segments);
  append_cap(mesh, lower, segments, false);
  append_cap(mesh, upper, segments, true);
  return mesh;
}

TriangleMesh make_capsule(double radius, double length, int segments) {
  require_positive(radius, "capsule", "radius");
  if (length != 0.0) require_positive(length, "capsule", "length");
  require_range(segments, 3, kMaxSegments, "capsule", "segments");
  const int rings = rings_per_cap(segments);
  TriangleMesh mesh;
  const int south = append_vertex(mesh, {0.0, 0.0, -0.5 * length - radius});
  int ring = -1;
  // Latitudes from just above the south pole to just below the north pole; the equator twice, once per cap.
  for (int k = 1 - rings; k <= rings - 1 + (length > 0.0 ? 1 : 0); ++k) {
    const bool upper_half = length > 0.0 && k > 0;
    const double latitude = 0.5 * pi * (upper_half ? k - 1 : k) / rings;
    const double z = radius * std::sin(latitude) + (length > 0.0 ? (upper_half ? 0.5 : -0.5) * length : 0.0);
    const int next = append_ring(mesh, radius * std::cos(latitude), z, segments);
    if (ring < 0) {
      append_fan(mesh, next, south, segments, false);
    } else {
      append_band(mesh, ring, next, segments);
    }
    ring = next;
  }
  append_fan(mesh, ring, append_vertex(mesh, {0.0, 0.0, 0.5 * length + radius}), segments, true);
  return mesh;
}

TriangleMesh make_cone(double radius, double length, int segments) {
  require_positive(radius, "cone", "radius");
  require_positive(length, "cone", "length");
  require_range(segments, 3, kMaxSegments, "cone", "segments");
  TriangleMesh mesh;
  const int base = append_ring(mesh, radius, -0.5 * length, segments);
  append_cap(mesh, base, segments, false);
  append_fan(mesh, base, append_vertex(mesh, {0.0, 0.0, 0.5 * length}), segments, true);
  return mesh;
}

TriangleMesh make_torus(double major_radius, double minor_radius, int major_segments, int minor_segments) {
  require_positive(minor_radius, "torus", "minor_radius");
  require_positive(major_radius, "torus", "major_radius");
  math::OptionCheck("torus").above("major_radius", major_radius, minor_radius, "m");
  require_range(major_segments, 3, kMaxSegments, "torus", "major_segments");
  require_range(minor_segments, 3, kMaxSegments, "torus", "minor_segments");
  TriangleMesh mesh;
  for (int k = 0; k < minor_segments; ++k) {
    const double angle = 2.0 * pi * k / minor_segments;
    append_ring(mesh, major_radius + minor_radius * std::cos(angle), minor_radius * std::sin(angle),
                major_segments);
  }
  for (int k = 0; k < minor_segments; ++k) {
    append_band(mesh, k * major_segments, (k + 1) % minor_segments * major_segments, major_segments);
  }
  return mesh;
}

TriangleMesh make_plane_patch(const Eigen::Vector2d& full_size) {
  for (int axis = 0; axis < 2; ++axis) require_positive(full_size[axis], "plane patch", "full_size");
  const double x = 0.5 * full_size.x(), y = 0.5 * full_size.y();
  return {{{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}}, {{0, 1, 2}, {0, 2, 3}}};
}

double circle_deviation(double radius, int segments) {
  require_positive(radius, "circle", "radius");
  require_range(segments, 3, kMaxSegments, "circle", "segments");
  // 1 - cos x = 2 sin^2(x/2), without cancellation.
  const double s = std::sin(0.5 * pi / segments);
  return 2.0 * radius * s * s;
}

int segments_for_deviation(double radius, double deviation) {
  require_positive(radius, "circle", "radius");
  require_positive(deviation, "facets", "deviation");
  const double half_angle = 2.0 * std::asin(std::sqrt(std::min(1.0, deviation / (2.0 * radius))));
  int segments = static_cast<int>(std::clamp(pi / half_angle, 3.0, 1.0 * kMaxSegments));
  while (segments < kMaxSegments && circle_deviation(radius, segments) > deviation) ++segments;
  return segments;
}

double sphere_deviation(double radius, int subdivisions) {
  require_positive(radius, "sphere", "radius");
  require_range(subdivisions, 0, kMaxSubdivisions, "icosphere", "subdivisions");
  // The largest triangle is the innermost descendant of a face of the icosahedron. Its corners stand at the
  // angle theta from its centre; halving the edges and pushing the midpoints out gives tan theta' =
  // tan(theta) / 2.
  const double cos0 = std::sqrt((5.0 + 2.0 * std::sqrt(5.0)) / 15.0);
  const double tangent = std::ldexp(std::sqrt(1.0 - cos0 * cos0) / cos0, -subdivisions);
  const double s = std::sin(0.5 * std::atan(tangent));
  return 2.0 * radius * s * s;
}

double capsule_deviation(double radius, int segments) {
  require_positive(radius, "capsule", "radius");
  require_range(segments, 3, kMaxSegments, "capsule", "segments");
  // A trapezoid between two latitudes is at least r cos(pi/n) cos(pi/(4 rings)) away from the centre.
  return radius * (1.0 - std::cos(pi / segments) * std::cos(0.25 * pi / rings_per_cap(segments)));
}

double torus_deviation(double major_radius, double minor_radius, int major_segments, int minor_segments) {
  require_positive(major_radius, "torus", "major_radius");
  require_positive(minor_radius, "torus", "minor_radius");
  require_range(major_segments, 3, kMaxSegments, "torus", "major_segments");
  require_range(minor_segments, 3, kMaxSegments, "torus", "minor_segments");
  // Error of linear interpolation over a right triangle of the (u, v) grid, from the second derivatives.
  const double hu = 2.0 * pi / major_segments, hv = 2.0 * pi / minor_segments;
  return (hu * hu * (major_radius + minor_radius) + 2.0 * hu * hv * minor_radius + hv * hv * minor_radius) /
         8.0;
}

}  // namespace prehend::geometry
