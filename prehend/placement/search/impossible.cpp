#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/placement/search/impossible.h>

namespace prehend::placement {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Vector3d;

// Directions that are compared for the least width of the object; of a finer hull no proof is tried.
constexpr std::size_t kMostEdges = 300;

std::vector<const PreparedGeom*> touchable(const Problem& problem) {
  std::vector<const PreparedGeom*> list;
  for (const PreparedGeom& other : problem.others) {
    if (!problem.may_touch[other.ref.body]) continue;
    if (std::any_of(problem.own.begin(), problem.own.end(),
                    [&](const PreparedGeom& own) { return problem.friction(own, other) >= 0.0; }))
      list.push_back(&other);
  }
  return list;
}

AlignedBox3d box_of(const PreparedGeom& geom) {
  AlignedBox3d box;
  for (const Vector3d& v : geom.polyhedron.vertices()) box.extend(geom.X_WG * v);
  if (geom.round) {
    const double more = geometry::facet_depth(geom.polyhedron.mesh(), *geom.round);
    box.extend(Vector3d(box.min().array() - more));
    box.extend(Vector3d(box.max().array() + more));
  }
  return box;
}

// Points of the object, none outside it.
std::vector<Vector3d> object_points(const Problem& problem) {
  std::vector<Vector3d> points;
  for (const PreparedGeom& geom : problem.own) {
    for (const Vector3d& v : geom.polyhedron.vertices()) points.push_back(geom.X_BG * v);
  }
  return points;
}

// [m] Least width over all directions: between a face and a vertex, or two edges. 0: not known.
double least_width(const geometry::TriangleMesh& hull) {
  std::vector<Vector3d> edges, directions;
  const auto at = [&](int i) { return hull.vertices[static_cast<std::size_t>(i)]; };
  const auto add = [](std::vector<Vector3d>& list, Vector3d d) {
    if (!(d.norm() > 1e-12)) return;
    d.normalize();
    if (std::none_of(list.begin(), list.end(),
                     [&](const Vector3d& o) { return std::abs(o.dot(d)) > 1.0 - 1e-9; }))
      list.push_back(d);
  };
  for (const Eigen::Vector3i& t : hull.triangles) {
    add(directions, (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])));
    for (int k = 0; k < 3; ++k) add(edges, at(t[(k + 1) % 3]) - at(t[k]));
    if (edges.size() > kMostEdges) return 0.0;
  }
  double least = std::numeric_limits<double>::infinity();
  const auto width = [&](const Vector3d& d) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vector3d& v : hull.vertices) {
      low = std::min(low, d.dot(v));
      high = std::max(high, d.dot(v));
    }
    least = std::min(least, high - low);
  };
  for (const Vector3d& d : directions) width(d);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      const Vector3d d = edges[i].cross(edges[j]);
      if (d.norm() > 1e-9) width(d.normalized());
    }
  }
  return least;
}

std::string in_region(const Problem& problem, const std::vector<const PreparedGeom*>& supports) {
  const AxisBox& region = *problem.options.region;
  const AlignedBox3d box(region.lower.array() - 1e-6, region.upper.array() + 1e-6);
  if (std::none_of(supports.begin(), supports.end(),
                   [&](const PreparedGeom* g) { return box.intersects(box_of(*g)); }))
    return "no body that may be touched reaches into the region";
  const Vector3d sides = region.upper - region.lower;
  const geometry::HullResult& hull = problem.own_hull;
  if (hull.status != geometry::HullStatus::ok) return {};
  double volume = 0.0;
  for (const PreparedGeom& geom : problem.own)
    volume = std::max(volume, geometry::mass_properties(geom.polyhedron.mesh()).volume);
  if (volume > sides.prod() * (1.0 + 1e-9)) return "the object has more volume than the region";
  const auto& v = hull.mesh.vertices;
  double longest = 0.0;
  for (std::size_t i = 0; i < v.size() && v.size() <= 2000; ++i) {
    for (std::size_t j = i + 1; j < v.size(); ++j) longest = std::max(longest, (v[i] - v[j]).norm());
  }
  char text[160];
  if (longest > sides.norm() * (1.0 + 1e-9)) {
    std::snprintf(text, sizeof text, "the object is %.4g m long and the region's diagonal %.4g m", longest,
                  sides.norm());
    return text;
  }
  const double width = least_width(hull.mesh);
  if (width > sides.minCoeff() * (1.0 + 1e-9)) {
    std::snprintf(text, sizeof text,
                  "the object is at least %.4g m wide in every direction and the region %.4g m", width,
                  sides.minCoeff());
    return text;
  }
  return {};
}

bool is_convex(const PreparedGeom& geom) {
  if (geom.round || geom.is_box) return true;
  const geometry::HullResult& hull = geom.hull();
  if (hull.status != geometry::HullStatus::ok) return false;
  const double own = geometry::mass_properties(geom.polyhedron.mesh()).volume;
  return std::abs(geometry::mass_properties(hull.mesh).volume - own) <= 1e-6 * own;
}

// [g] At which an object slides off a face of that normal; negative: it does not stay.
double slide_margin(const Vector3d& n, const Vector3d& up, double mu) {
  const double cosine = n.dot(up);
  if (!(cosine > 0.0)) return -1.0;
  const double slope = std::sqrt(std::max(0.0, 1.0 - cosine * cosine)) / cosine;
  return (mu - slope) / (1.0 + mu * slope);
}

// Two convex bodies touch in one plane: a convex object on one convex geom lies on a face of it, or balances on an edge or a point.
std::string too_steep(const Problem& problem, const std::vector<const PreparedGeom*>& supports) {
  if (problem.own.size() != 1) return {};
  const auto& own_round = problem.own.front().round;
  const bool has_no_flat_face = own_round && own_round->kind() != geometry::RoundKind::cylinder;
  for (const PreparedGeom* geom : supports) {
    const double mu =
        problem.friction(problem.own.front(), *geom) * (1.0 - problem.options.intervals.friction);
    const auto holds = [&](const Vector3d& n_G) {
      return slide_margin(geom->X_WG.q() * n_G, problem.up_W, mu) >=
             std::max(problem.options.margin, 1e-6) * (1.0 - 1e-6);
    };
    if (has_no_flat_face && (geom->round || is_convex(*geom)))
      continue;  // it touches in a point or a line: it balances
    if (geom->round) {
      if (geom->round->kind() == geometry::RoundKind::cylinder &&
          (holds(Vector3d::UnitZ()) || holds(-Vector3d::UnitZ())))
        return {};
      continue;
    }
    if (!is_convex(*geom)) return {};
    for (const geometry::PolyhedronFace& face : geom->polyhedron.faces()) {
      if (holds(face.normal)) return {};
    }
  }
  if (!is_convex(problem.own.front())) return {};
  AlignedBox3d own;
  for (const Vector3d& p : object_points(problem)) own.extend(p);
  const double size = 1.001 * own.diagonal().norm();  // above its diameter, round or not
  for (std::size_t i = 0; i < supports.size(); ++i) {
    for (std::size_t j = i + 1; j < supports.size(); ++j) {
      if (box_of(*supports[i]).exteriorDistance(box_of(*supports[j])) <= size) return {};
    }
  }
  return has_no_flat_face ? "the object has no flat face and balances on whatever it touches, and no two "
                            "bodies can be touched at once"
                          : "every face that may be touched is too steep for its friction, and no two bodies "
                            "can be touched at once";
}

}  // namespace

std::string why_impossible(const Problem& problem) {
  const std::vector<const PreparedGeom*> supports = touchable(problem);
  if (supports.empty()) return "there is nothing that the object may touch";
  if (problem.options.region) {
    std::string why = in_region(problem, supports);
    if (!why.empty()) return why;
  }
  return too_steep(problem, supports);
}

}  // namespace prehend::placement
