#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/placement/search/convex_part.h>
#include <prehend/placement/search/resting_face.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// [m] What lies this close to the face's plane lies in it.
constexpr double kFlush = 2e-7;

Vector3d farthest_of(const PreparedGeom& geom, const Vector3d& d_O) {
  const Vector3d d_G = geom.X_BG.q().conjugate() * d_O;
  if (geom.round) return geom.X_BG * geom.round->support(d_G);
  const Vector3d* best = &geom.polyhedron.vertices().front();
  for (const Vector3d& v : geom.polyhedron.vertices()) {
    if (d_G.dot(v) > d_G.dot(*best)) best = &v;
  }
  return geom.X_BG * *best;
}

class FaceFeatures {
 public:
  explicit FaceFeatures(RestingFace& face) : face_(face) {}

  void add(const PreparedGeom& geom) {
    if (geom.round) {
      add_round(geom);
    } else {
      add_flat(geom);
    }
  }

 private:
  Vector2d flat(const Vector3d& p_O) const { return {face_.u_O.dot(p_O), face_.v_O.dot(p_O)}; }
  bool is_in(const Vector3d& p_O) const { return std::abs(face_.n_O.dot(p_O) - face_.d) <= kFlush; }

  void add_flat(const PreparedGeom& geom) {
    const geometry::Polyhedron& shape = geom.polyhedron;
    std::set<int> used;
    const auto place = [&](int v) { return geom.X_BG * shape.vertices()[static_cast<std::size_t>(v)]; };
    for (geometry::FaceIndex f(0); f < shape.faces().size(); ++f) {
      const geometry::PolyhedronFace& own = shape.faces()[f];
      if (own.loop_count == 0 || (geom.X_BG.q() * own.normal).dot(face_.n_O) < 1.0 - 1e-6) continue;
      const auto loop = shape.corners(f, 0);
      if (!std::all_of(loop.begin(), loop.end(), [&](auto v) { return is_in(place(v.value())); })) continue;
      for (const auto v : loop) used.insert(v.value());
      if (own.is_convex) {
        Corners2 corners;
        for (const auto v : loop) corners.push_back(flat(place(v.value())));
        face_.features.push_back(hull2(std::move(corners)));
        continue;
      }
      for (const int t : shape.face_triangles(f)) {
        const Eigen::Vector3i& triangle = shape.mesh().triangles[static_cast<std::size_t>(t)];
        face_.features.push_back(
            hull2({flat(place(triangle[0])), flat(place(triangle[1])), flat(place(triangle[2]))}));
        for (int k = 0; k < 3; ++k) used.insert(triangle[k]);
      }
    }
    for (const geometry::PolyhedronEdge& edge : shape.edges()) {
      const int a = edge.start.value(), b = edge.end.value();
      if (!is_in(place(a)) || !is_in(place(b)) || (used.count(a) > 0 && used.count(b) > 0)) continue;
      face_.features.push_back({flat(place(a)), flat(place(b))});
      used.insert(a);
      used.insert(b);
    }
    for (int v = 0; v < static_cast<int>(shape.vertices().size()); ++v) {
      if (used.count(v) == 0 && is_in(place(v))) face_.features.push_back({flat(place(v))});
    }
  }

  void add_round(const PreparedGeom& geom) {
    if (!is_in(farthest_of(geom, face_.n_O))) return;
    const geometry::RoundFeature feature = geom.round->feature(geom.X_BG.q().conjugate() * face_.n_O, 1e-7);
    const Vector2d p = flat(geom.X_BG * feature.p);
    if (feature.kind == geometry::RoundFeature::Kind::disc) {
      Corners2 disc;
      for (int i = 0; i < 64; ++i) {
        const double angle = 2.0 * math::kPi * i / 64;
        disc.push_back(p + feature.radius * Vector2d(std::cos(angle), std::sin(angle)));
      }
      face_.features.push_back(std::move(disc));
    } else if (feature.kind == geometry::RoundFeature::Kind::line) {
      face_.features.push_back({p, flat(geom.X_BG * feature.q)});
    } else {
      face_.features.push_back({p});
    }
  }

  RestingFace& face_;
};

// Turns a facet of the hull of mesh vertices until it touches the true surfaces of the geoms it came from; zero: it is no face.
Vector3d true_normal(const Problem& problem, const std::vector<int>& geoms, Vector3d n) {
  if (std::none_of(geoms.begin(), geoms.end(),
                   [&](int g) { return problem.own[static_cast<std::size_t>(g)].round != nullptr; }))
    return n;
  if (geoms.size() == 1) {
    const PreparedGeom& geom = problem.own[static_cast<std::size_t>(geoms[0])];
    const geometry::RoundFeature feature = geom.round->feature(geom.X_BG.q().conjugate() * n, 1e-3);
    return feature.kind == geometry::RoundFeature::Kind::disc ? Vector3d(geom.X_BG.q() * feature.q)
                                                              : Vector3d::Zero();
  }
  for (int round = 0; round < 60; ++round) {
    std::vector<Vector3d> touched;
    for (const int g : geoms) touched.push_back(farthest_of(problem.own[static_cast<std::size_t>(g)], n));
    const Vector3d e = touched[1] - touched[0];
    if (e.norm() < 1e-9) return Vector3d::Zero();
    Vector3d next = (n - n.dot(e) / e.squaredNorm() * e).normalized();
    if (touched.size() > 2) {
      next = e.cross(touched[2] - touched[0]);
      if (next.norm() < 1e-12) return Vector3d::Zero();
      next = next.normalized() * (next.dot(n) < 0.0 ? -1.0 : 1.0);
    }
    const double change = (next - n).norm();
    n = next;
    if (change < 1e-15) break;
  }
  return n;
}

RestingFace make_face(const Problem& problem, const Vector3d& n) {
  RestingFace face;
  face.n_O = n;
  face.d = -std::numeric_limits<double>::infinity();
  for (const PreparedGeom& geom : problem.own) face.d = std::max(face.d, n.dot(farthest_of(geom, n)));
  face.u_O = n.unitOrthogonal();
  face.v_O = face.u_O.cross(n);
  FaceFeatures features(face);
  for (const PreparedGeom& geom : problem.own) features.add(geom);
  Corners2 all;
  for (const Corners2& feature : face.features) all.insert(all.end(), feature.begin(), feature.end());
  face.hull = hull2(std::move(all));
  const Vector3d com = problem.body().inertia.com;
  face.com = {face.u_O.dot(com), face.v_O.dot(com)};
  face.height = face.d - n.dot(com);
  face.steadiness = depth2(face.hull, face.com) / std::max(face.height, 1e-12);
  return face;
}

}  // namespace

Eigen::Matrix3d RestingFace::orientation(const Vector3d& n, const Vector3d& u, double yaw) const {
  // (u_O, v_O, -n_O) is right-handed: v_O = u_O x n_O = (-n_O) x u_O.
  Eigen::Matrix3d from_O, to_W;
  from_O << u_O.transpose(), v_O.transpose(), -n_O.transpose();
  const Vector3d x = std::cos(yaw) * u + std::sin(yaw) * n.cross(u);
  to_W << x, n.cross(x), n;
  return to_W * from_O;
}

namespace {

// A facet of less than this share of the hull's surface on which the object does not stand is one of a round or scanned surface.
constexpr double kSmallFacet = 1e-3;

struct Facet {
  Vector3d n{Vector3d::Zero()};    // of its largest triangle, which knows it best
  double area{0.0}, largest{0.0};  // [m^2]
  std::vector<int> triangles;      // of the hull
};

// Triangles of the object's hull that lie in one plane, joined across their edges.
std::vector<Facet> hull_facets(const geometry::TriangleMesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  std::vector<Vector3d> normals(count);
  std::vector<double> twice(count);  // [m^2] the area
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int t) {
    while (parent[static_cast<std::size_t>(t)] != t)
      t = parent[static_cast<std::size_t>(t)] =
          parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(t)])];
    return t;
  };
  for (std::size_t t = 0; t < count; ++t) {
    const Eigen::Vector3i& tri = mesh.triangles[t];
    const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(tri[k])]; };
    normals[t] = (at(1) - at(0)).cross(at(2) - at(0));
    twice[t] = normals[t].norm();
  }
  const std::vector<std::array<int, 3>> sides = sorted_sides(mesh);
  for (std::size_t s = 1; s < sides.size(); ++s) {
    if (sides[s][0] != sides[s - 1][0] || sides[s][1] != sides[s - 1][1]) continue;
    const auto a = static_cast<std::size_t>(sides[s - 1][2]), b = static_cast<std::size_t>(sides[s][2]);
    if (normals[a].dot(normals[b]) > (1.0 - 1e-11) * twice[a] * twice[b])
      parent[static_cast<std::size_t>(root(sides[s][2]))] = root(sides[s - 1][2]);
  }
  std::vector<Facet> facets;
  std::vector<int> facet_of(count, -1);  // by root, in the order of the roots
  for (std::size_t t = 0; t < count; ++t) {
    if (parent[t] == static_cast<int>(t)) {
      facet_of[t] = static_cast<int>(facets.size());
      facets.emplace_back();
    }
  }
  for (std::size_t t = 0; t < count; ++t) {
    const double area = 0.5 * twice[t];
    if (!(area > 0.0)) continue;
    Facet& facet =
        facets[static_cast<std::size_t>(facet_of[static_cast<std::size_t>(root(static_cast<int>(t)))])];
    facet.area += area;
    facet.triangles.push_back(static_cast<int>(t));
    if (area > facet.largest) {
      facet.largest = area;
      facet.n = normals[t] / twice[t];
    }
  }
  std::erase_if(facets, [](const Facet& facet) { return !(facet.area > 0.0); });
  return facets;
}

bool stands_on(const Facet& facet, const geometry::TriangleMesh& mesh, const Vector3d& com) {
  const auto corner = [&](int t, int k) -> const Vector3d& {
    return mesh.vertices[static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(t)][k])];
  };
  // What lies inside is no farther from one corner than another corner is: says no of most facets at once.
  const Vector3d& first = corner(facet.triangles.front(), 0);
  const Vector3d to_com = com - first;
  double farthest = 0.0;
  for (const int t : facet.triangles) {
    for (int k = 0; k < 3; ++k) farthest = std::max(farthest, (corner(t, k) - first).squaredNorm());
  }
  if ((to_com - facet.n.dot(to_com) * facet.n).squaredNorm() > 1.001 * farthest) return false;
  const Vector3d u = facet.n.unitOrthogonal(), v = facet.n.cross(u);
  Corners2 corners;
  for (const int t : facet.triangles) {
    for (int k = 0; k < 3; ++k) corners.emplace_back(u.dot(corner(t, k)), v.dot(corner(t, k)));
  }
  return depth2(hull2(std::move(corners)), {u.dot(com), v.dot(com)}) > 0.0;
}

// Geoms that its corners are of, ascending.
std::vector<int> geoms_of(const Facet& facet, const Problem& problem) {
  std::set<int> geoms;
  for (const int t : facet.triangles) {
    for (const int v : problem.own_hull.mesh.triangles[static_cast<std::size_t>(t)])
      geoms.insert(problem.own_hull_geom[static_cast<std::size_t>(v)]);
  }
  return {geoms.begin(), geoms.end()};
}

}  // namespace

std::vector<RestingFace> resting_faces(const Problem& problem, std::size_t most) {
  if (problem.own_hull.status != geometry::HullStatus::ok) return {};
  const geometry::TriangleMesh& hull = problem.own_hull.mesh;
  std::vector<Facet> facets = hull_facets(hull);
  double surface = 0.0;
  for (const Facet& facet : facets) surface += facet.area;
  std::erase_if(facets, [&](const Facet& f) {
    return f.area < kSmallFacet * surface && !stands_on(f, hull, problem.body().inertia.com);
  });
  std::stable_sort(facets.begin(), facets.end(),
                   [](const Facet& a, const Facet& b) { return a.area > b.area; });
  std::vector<RestingFace> faces;
  for (const Facet& facet : facets) {
    if (faces.size() >= 4 * most) break;
    const Vector3d n = true_normal(problem, geoms_of(facet, problem), facet.n);
    if (n.isZero() || std::any_of(faces.begin(), faces.end(),
                                  [&](const RestingFace& f) { return f.n_O.dot(n) > 1.0 - 1e-10; }))
      continue;
    RestingFace face = make_face(problem, n);
    if (face.hull.size() >= 3) faces.push_back(std::move(face));
  }
  std::stable_sort(faces.begin(), faces.end(),
                   [](const RestingFace& a, const RestingFace& b) { return a.steadiness > b.steadiness; });
  if (faces.size() > most) faces.resize(most);
  return faces;
}

}  // namespace prehend::placement
