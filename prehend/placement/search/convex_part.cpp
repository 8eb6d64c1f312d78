#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Geometry>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/geometry/tetrahedra.h>
#include <prehend/math/angles.h>
#include <prehend/placement/search/convex_part.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// Sides around of the polytope around a round part: 16 add 2 % to a radius, which free space beside it loses.
constexpr int kSidesAround = 16;
// Above this many triangles a non-convex mesh counts with its hull: cutting it up would take longer than the answer may.
constexpr std::size_t kMostTrianglesCut = 6000;
// Above this many triangles of a hull its edges and normals are not compared with each other: descents, which alone read them, take seconds then.
constexpr std::size_t kMostTrianglesCompared = 1500;
// Relative volume by which the hull of two joined pieces may exceed them.
constexpr double kConvexVolume = 1e-7;

geometry::TriangleMesh around(const geometry::RoundShape& round) {
  const Vector3d& s = round.size();
  const double flat = std::cos(math::kPi / kSidesAround);
  switch (round.kind()) {
    case geometry::RoundKind::cylinder:
      return geometry::make_cylinder(s[0] / flat, 2.0 * s[1], kSidesAround);
    case geometry::RoundKind::capsule: {
      geometry::TriangleMesh mesh = geometry::make_capsule(s[0], 2.0 * s[1], kSidesAround);
      const double grow = s[0] / (s[0] - geometry::capsule_deviation(s[0], kSidesAround));
      return geometry::make_capsule(s[0] * grow, 2.0 * s[1], kSidesAround);
    }
    case geometry::RoundKind::sphere:
      return geometry::make_icosphere(s[0] * s[0] / (s[0] - geometry::sphere_deviation(s[0], 1)), 1);
    case geometry::RoundKind::ellipsoid:
      return geometry::make_ellipsoid(s / (1.0 - geometry::sphere_deviation(1.0, 1)), 1);
    case geometry::RoundKind::turned:  // kept as meshes here
      break;
  }
  return {};
}

ConvexPart part_of_hull(const geometry::TriangleMesh& mesh) {
  ConvexPart part;
  part.points = mesh.vertices;
  // Edges between coplanar triangles are none; they would only repeat what others say.
  std::vector<Vector3d> normals;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Eigen::Vector3i& tri = mesh.triangles[t];
    const Vector3d a = mesh.vertices[static_cast<std::size_t>(tri[0])];
    const Vector3d b = mesh.vertices[static_cast<std::size_t>(tri[1])];
    const Vector3d c = mesh.vertices[static_cast<std::size_t>(tri[2])];
    normals.push_back((b - a).cross(c - a).stableNormalized());
  }
  const std::vector<std::array<int, 3>> sides = sorted_sides(mesh);
  for (std::size_t s = 0, next = 0; s < sides.size(); s = next) {
    const std::array<int, 2> edge{sides[s][0], sides[s][1]};
    while (next < sides.size() && sides[next][0] == edge[0] && sides[next][1] == edge[1]) ++next;
    if (next == s + 2 && normals[static_cast<std::size_t>(sides[s][2])].dot(
                             normals[static_cast<std::size_t>(sides[s + 1][2])]) > 1.0 - 1e-13)
      continue;
    part.edges.push_back(edge);
    if (mesh.triangles.size() > kMostTrianglesCompared) continue;
    const Vector3d along =
        (mesh.vertices[static_cast<std::size_t>(edge[1])] - mesh.vertices[static_cast<std::size_t>(edge[0])])
            .stableNormalized();
    if (std::none_of(part.edge_directions.begin(), part.edge_directions.end(),
                     [&](const Vector3d& other) { return std::abs(other.dot(along)) > 1.0 - 1e-12; }))
      part.edge_directions.push_back(along);
  }
  if (mesh.triangles.size() > kMostTrianglesCompared) {
    part.face_normals = std::move(normals);
    return part;
  }
  for (const Vector3d& n : normals) {
    if (std::none_of(part.face_normals.begin(), part.face_normals.end(),
                     [&](const Vector3d& other) { return other.dot(n) > 1.0 - 1e-12; }))
      part.face_normals.push_back(n);
  }
  return part;
}

}  // namespace

std::vector<std::array<int, 3>> sorted_sides(const geometry::TriangleMesh& mesh) {
  // Into buckets by the smaller end; what is left to sort in one is short.
  std::vector<int> begin(mesh.vertices.size() + 1, 0);
  const auto low = [](const Eigen::Vector3i& tri, int k) { return std::min(tri[k], tri[(k + 1) % 3]); };
  for (const Eigen::Vector3i& tri : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++begin[static_cast<std::size_t>(low(tri, k)) + 1];
  }
  for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
  std::vector<int> fill = begin;
  std::vector<std::array<int, 3>> sides(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Eigen::Vector3i& tri = mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const int i = low(tri, k), j = std::max(tri[k], tri[(k + 1) % 3]);
      sides[static_cast<std::size_t>(fill[static_cast<std::size_t>(i)]++)] = {i, j, static_cast<int>(t)};
    }
  }
  for (std::size_t v = 0; v + 1 < begin.size(); ++v)
    std::sort(sides.begin() + begin[v], sides.begin() + begin[v + 1]);
  return sides;
}

bool is_convex_shape(const geometry::TriangleMesh& mesh, const geometry::HullResult& hull) {
  if (hull.status != geometry::HullStatus::ok) return false;
  const double own = geometry::mass_properties(mesh).volume;
  return std::abs(geometry::mass_properties(hull.mesh).volume - own) <= 1e-6 * std::abs(own);
}

bool is_cut_up(const geometry::TriangleMesh& mesh, const geometry::HullResult& hull) {
  return mesh.triangles.size() <= kMostTrianglesCut || is_convex_shape(mesh, hull);
}

double ConvexPart::support(const Vector3d& d) const {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Vector3d& p : points) farthest = std::max(farthest, d.dot(p));
  return farthest;
}

Vector3d ConvexPart::true_support(const Vector3d& d) const {
  if (round) return X_PS * round->support(X_PS.q().conjugate() * d);
  const Vector3d* best = &points.front();
  double farthest = d.dot(*best);
  for (const Vector3d& p : points) {
    const double along = d.dot(p);
    if (along > farthest) {
      farthest = along;
      best = &p;
    }
  }
  return *best;
}

Eigen::AlignedBox3d ConvexPart::box() const {
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : points) box.extend(p);
  return box;
}

ConvexPart hull_part(const geometry::HullResult& hull) { return part_of_hull(hull.mesh); }

ConvexPart hull_part(const std::vector<Vector3d>& points) {
  const geometry::HullResult hull = geometry::convex_hull(points);
  if (hull.status == geometry::HullStatus::ok) return part_of_hull(hull.mesh);
  ConvexPart part;  // flat: every pair of points may be an edge
  part.points = points;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(points.size()); ++j) part.edges.push_back({i, j});
  }
  return part;
}

std::vector<ConvexPart> convex_parts(const PreparedGeom& geom, const math::Pose& X, int index) {
  const geometry::TriangleMesh mesh =
      geometry::transformed(geom.round ? around(*geom.round) : geom.polyhedron.mesh(), X);
  std::vector<ConvexPart> parts;
  geometry::HullResult hull;
  if (geom.round) {
    hull = geometry::convex_hull(mesh.vertices);
  } else if (!geom.is_box) {
    hull = geom.hull();
    for (Vector3d& v : hull.mesh.vertices) v = X * v;
  }
  if (geom.is_box) {
    parts.push_back(part_of_hull(mesh));
  } else if (geom.round || is_convex_shape(mesh, hull) || mesh.triangles.size() > kMostTrianglesCut) {
    if (hull.status == geometry::HullStatus::ok) parts.push_back(part_of_hull(hull.mesh));
  } else {
    for (const std::vector<Vector3d>& piece : convex_pieces(mesh)) parts.push_back(hull_part(piece));
    if (parts.empty() && hull.status == geometry::HullStatus::ok) parts.push_back(part_of_hull(hull.mesh));
  }
  for (ConvexPart& part : parts) {
    part.geom = index;
    part.body = geom.ref.body;
    part.round = geom.round;
    part.X_PS = X;
  }
  return parts;
}

namespace {

// A union of tetrahedra that is convex.
struct Piece {
  std::vector<int> corners;
  double volume{0.0};  // [m^3]
  std::set<int> neighbours;
};

std::vector<Piece> single_tetrahedra(const geometry::Tetrahedra& tets) {
  std::vector<Piece> pieces(tets.tetrahedra.size());
  for (std::size_t t = 0; t < pieces.size(); ++t) {
    const Eigen::Vector4i& tet = tets.tetrahedra[t];
    pieces[t].corners = {tet[0], tet[1], tet[2], tet[3]};
    const auto at = [&](int k) { return tets.vertices[static_cast<std::size_t>(tet[k])]; };
    pieces[t].volume = std::abs((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0))) / 6.0;
    for (int k = 0; k < 4; ++k) {
      if (tets.neighbours[t][k] >= 0) pieces[t].neighbours.insert(tets.neighbours[t][k]);
    }
  }
  return pieces;
}

// Takes up the other where the union is convex.
bool join(Piece& grown, const Piece& other, const std::vector<Vector3d>& vertices) {
  std::vector<int> all = grown.corners;
  for (const int c : other.corners) {
    if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
  }
  std::vector<Vector3d> points;
  for (const int c : all) points.push_back(vertices[static_cast<std::size_t>(c)]);
  const double volume = grown.volume + other.volume;
  const geometry::SmallHull hull = geometry::small_hull(points);
  if (hull.volume > volume * (1.0 + kConvexVolume)) return false;
  grown.volume = volume;
  grown.corners.clear();
  for (const int k : hull.corners) grown.corners.push_back(all[static_cast<std::size_t>(k)]);
  grown.neighbours.insert(other.neighbours.begin(), other.neighbours.end());
  return true;
}

}  // namespace

std::vector<std::vector<Vector3d>> convex_pieces(const geometry::TriangleMesh& mesh) {
  geometry::TetrahedraOptions options;
  options.improvement_passes = 0;
  const geometry::Tetrahedra tets = geometry::tetrahedralize(mesh, options);
  if (tets.status != geometry::TetrahedraStatus::ok) return {};
  const std::vector<Piece> pieces = single_tetrahedra(tets);
  std::vector<std::size_t> order(pieces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pieces[a].volume > pieces[b].volume; });
  // Each piece in turn takes up neighbours while the union stays convex.
  std::vector<char> is_taken(pieces.size(), 0);
  std::vector<std::vector<Vector3d>> result;
  for (const std::size_t first : order) {
    if (is_taken[first]) continue;
    Piece grown = pieces[first];
    is_taken[first] = 1;
    bool has_grown = true;
    while (has_grown) {
      has_grown = false;
      const std::set<int> around = grown.neighbours;
      for (const int next : around) {
        const auto k = static_cast<std::size_t>(next);
        if (is_taken[k] || !join(grown, pieces[k], tets.vertices)) continue;
        is_taken[k] = 1;
        has_grown = true;
      }
    }
    std::vector<Vector3d> points;
    for (const int c : grown.corners) points.push_back(tets.vertices[static_cast<std::size_t>(c)]);
    result.push_back(std::move(points));
  }
  return result;
}

}  // namespace prehend::placement
