#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>
#include <prehend/placement/search/support_plane.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// [m] Faces this close to one plane carry together: a fifth of what a placement may miss by.
constexpr double kLevel = 2e-7;
// Work that pairs and triples of parts may take.
constexpr std::size_t kMostPairs = 400, kMostTriples = 400;

// Largest friction of the object on a geom, at the lower end of its interval; negative: they never touch.
double friction_on(const Problem& problem, const PreparedGeom& other) {
  double mu = -1.0;
  for (const PreparedGeom& own : problem.own) mu = std::max(mu, problem.friction(own, other));
  return mu < 0.0 ? mu : mu * (1.0 - problem.options.intervals.friction);
}

bool holds_vertical(const Vector3d& n, const Vector3d& up, double mu) {
  const double cosine = n.dot(up);
  return cosine > 0.0 && std::sqrt(std::max(0.0, 1.0 - cosine * cosine)) <= mu * cosine + 1e-12;
}

SupportPlane make_plane(const Vector3d& n, double d) {
  SupportPlane plane;
  plane.n = n;
  plane.d = d;
  // The world's x as far as it lies in the plane, so that yaws mean the same on all.
  const Vector3d along = std::abs(n.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  plane.u = (along - n.dot(along) * n).normalized();
  plane.v = n.cross(plane.u);
  return plane;
}

SupportPlane& plane_at(std::vector<SupportPlane>& planes, const Vector3d& n, double d) {
  for (SupportPlane& plane : planes) {
    if (plane.n.dot(n) > 1.0 - 1e-13 && std::abs(plane.d - d) <= kLevel) return plane;
  }
  planes.push_back(make_plane(n, d));
  planes.back().mu = std::numeric_limits<double>::infinity();
  return planes.back();
}

void add_face(const PreparedGeom& geom, geometry::FaceIndex f, SupportPlane& plane) {
  const geometry::Polyhedron& shape = geom.polyhedron;
  const geometry::PolyhedronFace& face = shape.faces()[f];
  const auto add = [&](auto&& vertices) {
    SupportRegion region;
    region.body = geom.ref.body;
    for (const auto v : vertices)
      region.corners.push_back(plane.flat(geom.X_WG * shape.vertices()[static_cast<std::size_t>(v)]));
    region.corners = hull2(std::move(region.corners));
    plane.regions.push_back(std::move(region));
  };
  if (face.is_convex) {
    std::vector<int> corners;
    for (const geometry::VertexIndex v : shape.corners(f, 0)) corners.push_back(v.value());
    add(corners);
  } else {
    for (const int t : shape.face_triangles(f)) {
      const Eigen::Vector3i& triangle = shape.mesh().triangles[static_cast<std::size_t>(t)];
      add(std::vector<int>{triangle[0], triangle[1], triangle[2]});
    }
  }
  plane.area += face.area;
}

void add_cap(const PreparedGeom& geom, const Vector3d& n_W, SupportPlane& plane) {
  const geometry::RoundFeature disc = geom.round->feature(geom.X_WG.q().conjugate() * n_W, 1e-9);
  SupportRegion region;
  region.body = geom.ref.body;
  const Vector2d centre = plane.flat(geom.X_WG * disc.p);
  for (int i = 0; i < 64; ++i) {
    const double angle = 2.0 * math::kPi * i / 64;
    region.corners.push_back(centre + disc.radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  plane.regions.push_back(std::move(region));
  plane.area += math::kPi * disc.radius * disc.radius;
}

// Faces that `wanted` says of a normal and a friction.
template <typename Wanted>
std::vector<SupportPlane> planes_of(const Problem& problem, const Wanted& wanted) {
  std::vector<SupportPlane> planes;
  for (const PreparedGeom& geom : problem.others) {
    if (!problem.may_touch[geom.ref.body]) continue;
    const double mu = friction_on(problem, geom);
    if (mu < 0.0) continue;
    if (geom.round) {
      if (geom.round->kind() != geometry::RoundKind::cylinder) continue;
      for (const double sign : {-1.0, 1.0}) {
        const Vector3d n = geom.X_WG.q() * Vector3d(0, 0, sign);
        if (!wanted(n, mu)) continue;
        SupportPlane& plane = plane_at(planes, n, n.dot(geom.X_WG * geom.round->support({0, 0, sign})));
        plane.mu = std::min(plane.mu, mu);
        add_cap(geom, n, plane);
      }
      continue;
    }
    for (geometry::FaceIndex f(0); f < geom.polyhedron.faces().size(); ++f) {
      const geometry::PolyhedronFace& face = geom.polyhedron.faces()[f];
      const Vector3d n = geom.X_WG.q() * face.normal;
      if (face.loop_count == 0 || !wanted(n, mu)) continue;
      SupportPlane& plane = plane_at(planes, n, n.dot(geom.X_WG * (face.normal * face.offset)));
      plane.mu = std::min(plane.mu, mu);
      add_face(geom, f, plane);
    }
  }
  std::stable_sort(planes.begin(), planes.end(),
                   [](const SupportPlane& a, const SupportPlane& b) { return a.area > b.area; });
  return planes;
}

}  // namespace

bool SupportPlane::carries_by(model::BodyIndex body) const {
  return std::any_of(regions.begin(), regions.end(), [&](const SupportRegion& r) { return r.body == body; });
}

std::vector<SupportPlane> face_planes(const Problem& problem) {
  return planes_of(problem,
                   [&](const Vector3d& n, double mu) { return holds_vertical(n, problem.up_W, mu); });
}

std::vector<SupportPlane> upward_planes(const Problem& problem) {
  // Walls are vertical up to the rounding of their file.
  return planes_of(problem, [&](const Vector3d& n, double) { return n.dot(problem.up_W) > -1e-9; });
}

namespace {

// The part's surface in a plane that it touches from below.
Corners2 touched_feature(const ConvexPart& part, const SupportPlane& plane) {
  Corners2 corners;
  if (part.round) {
    const geometry::RoundFeature feature = part.round->feature(part.X_PS.q().conjugate() * plane.n, 1e-7);
    corners.push_back(plane.flat(part.X_PS * feature.p));
    if (feature.kind == geometry::RoundFeature::Kind::line)
      corners.push_back(plane.flat(part.X_PS * feature.q));
    if (feature.kind == geometry::RoundFeature::Kind::disc) {
      const Vector2d centre = corners.front();
      corners.clear();
      for (int i = 0; i < 64; ++i) {
        const double angle = 2.0 * math::kPi * i / 64;
        corners.push_back(centre + feature.radius * Vector2d(std::cos(angle), std::sin(angle)));
      }
    }
    return corners;
  }
  for (const Vector3d& p : part.points) {
    if (std::abs(plane.n.dot(p) - plane.d) <= kLevel) corners.push_back(plane.flat(p));
  }
  return hull2(std::move(corners));
}

// Planes n . x = d that touch all of the given parts from above, found by turning a first guess until the touched points lie in it.
class Bridges {
 public:
  Bridges(const Problem& problem, const std::vector<ConvexPart>& parts) : problem_(problem), parts_(parts) {}

  void add(std::vector<int> chosen, Vector3d n) {
    n = turned(chosen, n);
    if (n.isZero()) return;
    double mu = std::numeric_limits<double>::infinity(), low = mu, high = -mu;
    for (const int k : chosen) {
      const double along = n.dot(part(k).true_support(n));
      low = std::min(low, along);
      high = std::max(high, along);
      mu = std::min(mu, friction_on(problem_, problem_.others[static_cast<std::size_t>(part(k).geom)]));
    }
    if (high - low > kLevel || !holds_vertical(n, problem_.up_W, mu)) return;
    for (const SupportPlane& known : planes) {
      if (known.n.dot(n) > 1.0 - 1e-12 && std::abs(known.d - high) <= kLevel) return;
    }
    SupportPlane plane = make_plane(n, high);
    plane.mu = mu;
    // Whatever else touches this plane from below carries, too.
    for (const ConvexPart& other : parts_) {
      if (other.geom < 0 || !problem_.may_touch[other.body]) continue;
      if (std::abs(n.dot(other.true_support(n)) - high) > kLevel) continue;
      Corners2 corners = touched_feature(other, plane);
      if (!corners.empty()) plane.regions.push_back({std::move(corners), other.body});
    }
    Corners2 all;
    for (const SupportRegion& region : plane.regions)
      all.insert(all.end(), region.corners.begin(), region.corners.end());
    plane.area = area2(hull2(std::move(all)));
    planes.push_back(std::move(plane));
  }

  std::vector<SupportPlane> planes;

 private:
  const ConvexPart& part(int k) const { return parts_[static_cast<std::size_t>(k)]; }

  // Zero where the iteration does not settle.
  Vector3d turned(const std::vector<int>& chosen, Vector3d n) const {
    for (int round = 0; round < 60; ++round) {
      std::vector<Vector3d> touched;
      for (const int k : chosen) touched.push_back(part(k).true_support(n));
      Vector3d next = n;
      const Vector3d e = touched[1] - touched[0];
      if (e.norm() < 1e-9) return Vector3d::Zero();
      if (touched.size() == 2) {
        next = (n - n.dot(e) / e.squaredNorm() * e).normalized();
      } else {
        next = e.cross(touched[2] - touched[0]);
        if (next.norm() < 1e-12) return Vector3d::Zero();
        next.normalize();
        if (next.dot(n) < 0.0) next = -next;
      }
      const double change = (next - n).norm();
      n = next;
      if (change < 1e-15) break;
    }
    return n;
  }

  const Problem& problem_;
  const std::vector<ConvexPart>& parts_;
};

bool are_near(const ConvexPart& a, const ConvexPart& b, double reach) {
  return a.box().squaredExteriorDistance(b.box()) < reach * reach;
}

}  // namespace

std::vector<SupportPlane> bridging_planes(const Problem& problem, const std::vector<ConvexPart>& parts,
                                          double reach) {
  std::vector<int> touchable;
  for (int k = 0; k < static_cast<int>(parts.size()); ++k) {
    const ConvexPart& part = parts[static_cast<std::size_t>(k)];
    if (part.geom >= 0 && problem.may_touch[part.body]) touchable.push_back(k);
  }
  const auto near = [&](int i, int j) {
    return are_near(parts[static_cast<std::size_t>(i)], parts[static_cast<std::size_t>(j)], reach);
  };
  Bridges bridges(problem, parts);
  std::size_t pairs = 0, triples = 0;
  std::vector<std::pair<int, int>> near_pairs;
  for (std::size_t i = 0; i < touchable.size(); ++i) {
    math::check_interrupt();
    for (std::size_t j = i + 1; j < touchable.size(); ++j) {
      if (!near(touchable[i], touchable[j]) || ++pairs > kMostPairs) continue;
      near_pairs.emplace_back(touchable[i], touchable[j]);
      bridges.add({touchable[i], touchable[j]}, problem.up_W);
      // A plane on two parts may also lie on a whole edge of one: start from the edges' own planes.
      for (const auto& [a, b] :
           {std::pair(touchable[i], touchable[j]), std::pair(touchable[j], touchable[i])}) {
        const ConvexPart& edge_part = parts[static_cast<std::size_t>(a)];
        if (edge_part.round || edge_part.edges.size() > 40) continue;
        const Vector3d far = parts[static_cast<std::size_t>(b)].true_support(problem.up_W);
        for (const auto& edge : edge_part.edges) {
          const Vector3d p = edge_part.points[static_cast<std::size_t>(edge[0])];
          const Vector3d q = edge_part.points[static_cast<std::size_t>(edge[1])];
          Vector3d n = (q - p).cross(far - p);
          if (n.norm() < 1e-12) continue;
          n = n.normalized() * (n.dot(problem.up_W) < 0.0 ? -1.0 : 1.0);
          if (std::abs(n.dot(edge_part.true_support(n)) - n.dot(p)) > kLevel) continue;
          const Vector3d top = parts[static_cast<std::size_t>(b)].true_support(n);
          Vector3d better = (q - p).cross(top - p).normalized();
          if (better.dot(n) < 0.0) better = -better;
          bridges.add({a, b}, better);
        }
      }
    }
  }
  for (const auto& [i, j] : near_pairs) {
    math::check_interrupt();
    for (const int k : touchable) {
      if (k <= j || !near(i, k) || !near(j, k) || ++triples > kMostTriples) continue;
      bridges.add({i, j, k}, problem.up_W);
    }
  }
  std::stable_sort(bridges.planes.begin(), bridges.planes.end(),
                   [&](const SupportPlane& a, const SupportPlane& b) {
                     return a.n.dot(problem.up_W) > b.n.dot(problem.up_W);
                   });
  return std::move(bridges.planes);
}

}  // namespace prehend::placement
