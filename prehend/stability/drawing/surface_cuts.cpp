#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <Eigen/Geometry>

#include <prehend/stability/drawing/surface_cuts.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

// Faces that meet at more than 20 degrees have a crease between them: cylinders of 18 sides and more are drawn smooth.
constexpr double kCosCrease = 0.9397;

using Place = std::tuple<double, double, double>;
using Edge = std::pair<int, int>;  // smaller first

Edge edge_of(int a, int b) { return a < b ? Edge{a, b} : Edge{b, a}; }

// For every vertex the first one at the same point. Middles of the same edge are equal to the last bit.
std::vector<int> place_ids(const std::vector<Vector3d>& points) {
  std::map<Place, int> first;
  std::vector<int> ids;
  ids.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Adding zero makes the two zeros one.
    const Place place{points[i].x() + 0.0, points[i].y() + 0.0, points[i].z() + 0.0};
    ids.push_back(first.try_emplace(place, static_cast<int>(i)).first->second);
  }
  return ids;
}

// Middles of cut edges: which place edges are cut, and the vertex in the middle of two vertices.
class Cuts {
 public:
  explicit Cuts(CutSurface& surface) : surface_(surface), place_(place_ids(surface.points)) {}

  bool add(int a, int b) { return cut_.try_emplace(edge(a, b), true).second; }
  bool has(int a, int b) const { return cut_.contains(edge(a, b)); }
  bool is_empty() const { return cut_.empty(); }
  std::size_t size() const { return cut_.size(); }

  int middle(int a, int b) {
    const auto [entry, is_new] = middle_.try_emplace(edge_of(a, b), static_cast<int>(surface_.points.size()));
    if (is_new) {
      const auto [point, normal] = surface_.middle(a, b);
      surface_.points.push_back(point);
      surface_.normals.push_back(normal);
      surface_.geom.push_back(surface_.geom[index(a)]);
      surface_.parents.emplace_back(a, b);
    }
    return entry->second;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Edge edge(int a, int b) const { return edge_of(place_[index(a)], place_[index(b)]); }

  CutSurface& surface_;
  std::vector<int> place_;
  std::map<Edge, bool> cut_;
  std::map<Edge, int> middle_;
};

// The place of the longest edge: it runs from that corner to the next.
int longest_edge(const CutSurface& surface, const Vector3i& t) {
  const auto length = [&](int k) {
    return (surface.points[static_cast<std::size_t>(t[k])] -
            surface.points[static_cast<std::size_t>(t[(k + 1) % 3])])
        .squaredNorm();
  };
  int longest = 0;
  for (int k = 1; k < 3; ++k) {
    if (length(k) > length(longest) * (1.0 + 1e-9)) longest = k;
  }
  return longest;
}

void cut_triangle(const Vector3i& t, Cuts& cuts, const CutSurface& surface, std::vector<Vector3i>& out) {
  std::array<bool, 3> cut{};
  int count = 0;
  for (int k = 0; k < 3; ++k) count += cut[static_cast<std::size_t>(k)] = cuts.has(t[k], t[(k + 1) % 3]);
  if (count == 0) {
    out.push_back(t);
    return;
  }
  if (count == 3) {
    const int ab = cuts.middle(t[0], t[1]), bc = cuts.middle(t[1], t[2]), ca = cuts.middle(t[2], t[0]);
    out.insert(out.end(), {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
    return;
  }
  // Turned so that the single cut edge is first, or the single whole edge last.
  std::size_t first = 0;
  while (count == 1 ? !cut[first] : cut[(first + 2) % 3]) ++first;
  const int a = t[static_cast<int>(first)], b = t[static_cast<int>((first + 1) % 3)],
            c = t[static_cast<int>((first + 2) % 3)];
  const int ab = cuts.middle(a, b);
  if (count == 1) {
    out.insert(out.end(), {{a, ab, c}, {ab, b, c}});
    return;
  }
  const int bc = cuts.middle(b, c);
  const auto distance = [&](int u, int v) {
    return (surface.points[static_cast<std::size_t>(u)] - surface.points[static_cast<std::size_t>(v)])
        .squaredNorm();
  };
  out.push_back({ab, b, bc});
  if (distance(a, bc) < distance(ab, c)) {
    out.insert(out.end(), {{a, ab, bc}, {a, bc, c}});
  } else {
    out.insert(out.end(), {{a, ab, c}, {ab, bc, c}});
  }
}

// Marks the longest edge of every triangle with a cut edge, until that is so everywhere.
void close_cuts(const CutSurface& surface, Cuts& cuts) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Vector3i& t : surface.triangles) {
      if (!cuts.has(t[0], t[1]) && !cuts.has(t[1], t[2]) && !cuts.has(t[2], t[0])) continue;
      const int k = longest_edge(surface, t);
      changed = cuts.add(t[k], t[(k + 1) % 3]) || changed;
    }
  }
}

}  // namespace

std::pair<Vector3d, Vector3d> CutSurface::middle(int a, int b) const {
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  const Vector3d point = 0.5 * (points[i] + points[j]), normal = (normals[i] + normals[j]).normalized();
  const auto g = static_cast<std::size_t>(geom[i]);
  if (geom[i] != geom[j] || g >= round.size() || !round[g]) return {point, normal};
  const math::Pose X_GB = round[g]->X_BG.inverse();
  Vector3d p_G = X_GB * point, n_G = X_GB.q() * normal;
  if (round[g]->shape.kind() != geometry::RoundKind::cylinder) {
    const double depth = round[g]->shape.distance(p_G, &n_G);
    p_G -= depth * n_G;
  } else {
    // A cap's middle stays, unless both ends lie on the rim; the bits must be those of the side's middle of the same edge.
    const double radius = round[g]->shape.size().x();
    const auto on_rim = [&](const Vector3d& p) {
      return (X_GB * p).head<2>().norm() > (1.0 - 1e-9) * radius;
    };
    const double from_axis = p_G.head<2>().norm();
    if (on_rim(points[i]) && on_rim(points[j]) && from_axis > 0.5 * radius) {
      p_G.head<2>() *= radius / from_axis;
      if (std::abs(n_G.z()) < 0.5) n_G = Vector3d(p_G.x(), p_G.y(), 0.0).normalized();
    }
  }
  return {round[g]->X_BG * p_G, round[g]->X_BG.q() * n_G};
}

std::vector<std::optional<RoundGeom>> round_geoms(const model::Body& body) {
  std::vector<std::optional<RoundGeom>> round;
  for (const model::Geom& geom : body.geoms) {
    const Vector3d& size = geom.shape.size;
    std::optional<RoundGeom>& entry = round.emplace_back();
    switch (geom.shape.kind) {
      case model::ShapeKind::sphere:
        entry = RoundGeom{geometry::RoundShape::sphere(size.x()), geom.X_BG};
        break;
      case model::ShapeKind::ellipsoid:
        entry = RoundGeom{geometry::RoundShape::ellipsoid(size), geom.X_BG};
        break;
      case model::ShapeKind::cylinder:
        entry = RoundGeom{geometry::RoundShape::cylinder(size.x(), size.y()), geom.X_BG};
        break;
      case model::ShapeKind::capsule:
        entry = RoundGeom{geometry::RoundShape::capsule(size.x(), size.y()), geom.X_BG};
        break;
      case model::ShapeKind::box:
      case model::ShapeKind::plane:
      case model::ShapeKind::mesh:
        break;
    }
  }
  return round;
}

CutSurface creased_surface(const model::Body& body) {
  CutSurface all;
  for (std::size_t g = 0; g < body.geoms.size(); ++g) {
    const CutSurface part = creased_surface(geometry::transformed(body.geoms[g].mesh, body.geoms[g].X_BG));
    const int first = static_cast<int>(all.points.size());
    all.points.insert(all.points.end(), part.points.begin(), part.points.end());
    all.normals.insert(all.normals.end(), part.normals.begin(), part.normals.end());
    all.geom.resize(all.points.size(), static_cast<int>(g));
    for (const Vector3i& t : part.triangles) all.triangles.emplace_back(t + Vector3i::Constant(first));
  }
  all.round = round_geoms(body);
  // True normals at the vertices, which lie on the true surface.
  for (std::size_t v = 0; v < all.points.size(); ++v) {
    const std::optional<RoundGeom>& round = all.round[static_cast<std::size_t>(all.geom[v])];
    if (!round || round->shape.kind() == geometry::RoundKind::cylinder) continue;
    Vector3d n_G;
    round->shape.distance(round->X_BG.inverse() * all.points[v], &n_G);
    all.normals[v] = round->X_BG.q() * n_G;
  }
  return all;
}

double CutSurface::area() const {
  double sum = 0.0;
  for (const Vector3i& t : triangles) {
    const Vector3d& a = points[static_cast<std::size_t>(t[0])];
    sum +=
        0.5 *
        (points[static_cast<std::size_t>(t[1])] - a).cross(points[static_cast<std::size_t>(t[2])] - a).norm();
  }
  return sum;
}

CutSurface creased_surface(const geometry::TriangleMesh& mesh) {
  const std::vector<int> place = place_ids(mesh.vertices);
  const auto point = [&](int v) -> const Vector3d& { return mesh.vertices[static_cast<std::size_t>(v)]; };
  std::vector<std::pair<Vector3i, Vector3d>> triangles;  // with twice the area along the normal
  std::vector<std::vector<std::size_t>> around(mesh.vertices.size());
  for (const Vector3i& t : mesh.triangles) {
    const Vector3d normal = (point(t[1]) - point(t[0])).cross(point(t[2]) - point(t[0]));
    if (!(normal.norm() > 0.0)) continue;
    for (int k = 0; k < 3; ++k)
      around[static_cast<std::size_t>(place[static_cast<std::size_t>(t[k])])].push_back(triangles.size());
    triangles.emplace_back(t, normal);
  }
  CutSurface surface;
  std::map<std::tuple<int, long, long, long>, int> vertex_of;
  for (const auto& [t, normal] : triangles) {
    Vector3i corners;
    for (int k = 0; k < 3; ++k) {
      const int at = place[static_cast<std::size_t>(t[k])];
      Vector3d mean = Vector3d::Zero();
      for (const std::size_t other : around[static_cast<std::size_t>(at)]) {
        const Vector3d& theirs = triangles[other].second;
        if (theirs.dot(normal) >= kCosCrease * theirs.norm() * normal.norm()) mean += theirs;
      }
      mean.normalize();
      const auto rounded = [&](int axis) { return std::lround(1e6 * mean[axis]); };
      const auto [entry, is_new] = vertex_of.try_emplace({at, rounded(0), rounded(1), rounded(2)},
                                                         static_cast<int>(surface.points.size()));
      if (is_new) {
        surface.points.push_back(point(at));
        surface.normals.push_back(mean);
        surface.geom.push_back(0);
      }
      corners[k] = entry->second;
    }
    surface.triangles.push_back(corners);
  }
  return surface;
}

void cut_edges(const std::function<bool(int, int)>& is_cut, CutSurface& surface) {
  Cuts cuts(surface);
  for (const Vector3i& t : surface.triangles) {
    for (int k = 0; k < 3; ++k) {
      if (is_cut(t[k], t[(k + 1) % 3])) cuts.add(t[k], t[(k + 1) % 3]);
    }
  }
  if (cuts.is_empty()) return;
  close_cuts(surface, cuts);
  std::vector<Vector3i> triangles;
  triangles.reserve(2 * surface.triangles.size());
  for (const Vector3i& t : surface.triangles) cut_triangle(t, cuts, surface, triangles);
  surface.triangles = std::move(triangles);
}

void cut_long_edges(double length, int most, CutSurface& surface) {
  for (;;) {
    const std::size_t before = surface.points.size();
    CutSurface next = surface;
    cut_edges(
        [&](int a, int b) {
          return (next.points[static_cast<std::size_t>(a)] - next.points[static_cast<std::size_t>(b)])
                     .norm() > length;
        },
        next);
    if (next.points.size() == before || next.points.size() > static_cast<std::size_t>(most)) return;
    surface = std::move(next);
  }
}

}  // namespace prehend::stability
