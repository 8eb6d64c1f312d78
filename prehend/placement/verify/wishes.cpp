#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/placement/verify/wishes.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

// [m] The last part of the way that --approach asks to be free (the design's).
constexpr double kWay = 0.2;
// Triangles of a non-convex mesh that are swept one by one, exactly; finer ones go along the way in steps of half a millimetre.
constexpr std::size_t kMostPrisms = 1500;
constexpr int kWaySteps = 400;

bool boxes_meet(const geometry::Aabb& a, const geometry::Aabb& b) {
  return (a.lower.array() <= b.upper.array() + kTouch).all() && (b.lower.array() <= a.upper.array() + kTouch).all();
}

geometry::TriangleMesh axis_box_mesh(const AxisBox& box) {
  return geometry::transformed(geometry::make_box(box.upper - box.lower),
                               math::Pose::translation(0.5 * (box.lower + box.upper)));
}

bool is_convex_mesh(const geometry::TriangleMesh& mesh) {
  const geometry::HullResult hull = geometry::convex_hull(mesh.vertices);
  if (hull.status != geometry::HullStatus::ok) return false;
  const double own = geometry::mass_properties(mesh).volume;
  return std::abs(geometry::mass_properties(hull.mesh).volume - own) <= 1e-6 * own;
}

}  // namespace

double reach(const Problem& problem, const math::Pose& X_WO, const Vector3d& d_W) {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const PreparedGeom& geom : problem.own) {
    const math::Pose X_WG = X_WO * geom.X_BG;
    const Vector3d d_G = X_WG.q().conjugate() * d_W;
    if (geom.round) {
      farthest = std::max(farthest, d_W.dot(X_WG * geom.round->support(d_G)));
    } else {
      for (const Vector3d& v : geom.polyhedron.vertices()) farthest = std::max(farthest, d_W.dot(X_WG.p()) + d_G.dot(v));
    }
  }
  return farthest;
}

Wishes::Wishes(const Problem& problem) : problem_(problem) {
  if (!problem.options.approach_W && !problem.options.grasps) return;
  for (const PreparedGeom& geom : problem.others) {
    const geometry::TriangleMesh mesh_W = geometry::transformed(geom.polyhedron.mesh(), geom.X_WG);
    obstacles_.push_back({&geom, geometry::ProximityShape(mesh_W), geometry::bounding_box(mesh_W.vertices),
                          geom.round ? geometry::facet_depth(geom.polyhedron.mesh(), *geom.round) : 0.0});
  }
}

Rejection Wishes::of_pose(const math::Pose& X_WO) const {
  const PlacementOptions& options = problem_.options;
  if (options.upright) {
    const double cosine = (X_WO.q() * Vector3d::UnitZ()).dot(problem_.up_W);
    if (std::acos(std::clamp(cosine, -1.0, 1.0)) > *options.upright + 1e-6) return Rejection::not_upright;
  }
  if (options.region) {
    for (int k = 0; k < 3; ++k) {
      if (reach(problem_, X_WO, Vector3d::Unit(k)) > options.region->upper[k] + 1e-9 ||
          -reach(problem_, X_WO, -Vector3d::Unit(k)) < options.region->lower[k] - 1e-9)
        return Rejection::outside_region;
    }
  }
  for (const AxisBox& box : options.keep_out) {
    const geometry::ProximityShape kept(axis_box_mesh(box));
    for (const PreparedGeom& geom : problem_.own) {
      const double depth = geom.round ? geometry::facet_depth(geom.polyhedron.mesh(), *geom.round) : 0.0;
      const geometry::ProximityShape own(geom.polyhedron.mesh());
      if (geometry::proximity(kept, math::Pose(), own, X_WO * geom.X_BG).distance - depth < -1e-9)
        return Rejection::in_keep_out;
    }
  }
  return Rejection::none;
}

bool Wishes::clears(const geometry::TriangleMesh& mesh_W, double own_depth,
                    const std::vector<bool>* touched) const {
  const geometry::Aabb box = geometry::bounding_box(mesh_W.vertices);
  std::optional<geometry::ProximityShape> shape;
  for (const Obstacle& obstacle : obstacles_) {
    if (!boxes_meet(box, obstacle.box_W)) continue;
    if (!shape) shape.emplace(mesh_W);
    const double apart = geometry::proximity(obstacle.shape, math::Pose(), *shape, math::Pose()).distance;
    // Touched round bodies lie on their true surface, which their facets do not reach.
    const bool is_touched = touched && (*touched)[obstacle.geom->ref.body];
    if (apart - (is_touched ? 0.0 : obstacle.facet_depth + own_depth) < -kTouch) return false;
  }
  return true;
}

bool Wishes::way_is_free(const math::Pose& X_WO, const std::vector<bool>& touched) const {
  const Vector3d back_W = -kWay * problem_.options.approach_W->normalized();
  for (const PreparedGeom& geom : problem_.own) {
    const geometry::TriangleMesh mesh_W = geometry::transformed(geom.polyhedron.mesh(), X_WO * geom.X_BG);
    const double depth = geom.round ? geometry::facet_depth(geom.polyhedron.mesh(), *geom.round) : 0.0;
    const auto swept_is_free = [&](const std::vector<Vector3d>& points) {
      std::vector<Vector3d> both = points;
      for (const Vector3d& p : points) both.push_back(p + back_W);
      const geometry::Aabb box = geometry::bounding_box(both);
      if (std::none_of(obstacles_.begin(), obstacles_.end(),
                       [&](const Obstacle& o) { return boxes_meet(box, o.box_W); }))
        return true;
      const geometry::HullResult hull = geometry::convex_hull(both);
      return hull.status != geometry::HullStatus::ok || clears(hull.mesh, depth, &touched);
    };
    if (geom.round || is_convex_mesh(mesh_W)) {
      if (!swept_is_free(mesh_W.vertices)) return false;
    } else if (mesh_W.triangles.size() <= kMostPrisms) {
      for (const Eigen::Vector3i& t : mesh_W.triangles) {
        if (!swept_is_free({mesh_W.vertices[static_cast<std::size_t>(t[0])],
                            mesh_W.vertices[static_cast<std::size_t>(t[1])],
                            mesh_W.vertices[static_cast<std::size_t>(t[2])]}))
          return false;
      }
    } else {
      for (int step = 0; step <= kWaySteps; ++step) {
        if (!clears(geometry::transformed(mesh_W, math::Pose::translation(back_W * step / kWaySteps)), depth,
                    &touched))
          return false;
      }
    }
  }
  return true;
}

Rejection Wishes::of_neighbours(const math::Pose& X_WO, const std::vector<bool>& touched,
                                const ObjectContactSearch& search) const {
  for (model::BodyIndex b(0); b < touched.size(); ++b) {
    if (touched[b] && !problem_.may_touch[b]) return Rejection::touches_other;
  }
  if (problem_.options.clearance > 0.0) {
    for (model::BodyIndex b(0); b < touched.size(); ++b) {
      if (b == problem_.object || touched[b] || problem_.scene.bodies[b].geoms.empty()) continue;
      if (search.distance(X_WO, b) < problem_.options.clearance) return Rejection::too_close;
    }
  }
  if (problem_.options.approach_W && !way_is_free(X_WO, touched)) return Rejection::approach;
  return Rejection::none;
}

std::vector<int> Wishes::free_grasps(const math::Pose& X_WO) const {
  std::vector<int> free;
  const Grasps& grasps = *problem_.options.grasps;
  for (std::size_t g = 0; g < grasps.X_OG.size(); ++g) {
    const math::Pose X_WH = X_WO * grasps.X_OG[g];
    if (std::all_of(grasps.gripper.begin(), grasps.gripper.end(), [&](const GripperBox& box) {
          return clears(geometry::transformed(geometry::make_box(2.0 * box.half), X_WH * box.X_G), 0.0, nullptr);
        }))
      free.push_back(static_cast<int>(g));
  }
  return free;
}

}  // namespace prehend::placement
