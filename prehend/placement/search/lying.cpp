#include <algorithm>
#include <cmath>
#include <tuple>

#include <Eigen/Geometry>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/angles.h>
#include <prehend/math/interrupt.h>
#include <prehend/placement/search/lying.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using model::BodyIndex;

// [m] The last part of the way in (the design's).
constexpr double kWayIn = 0.2;
// The object likes to keep a fiftieth of its size from what it does not touch, 5 mm at most: hands and cameras are not exact.
constexpr double kLikedGapShare = 0.02, kLikedGap = 0.005;
// Where nothing balances: free points from which the object is slid until it does, and first and last step, in the size of its outline.
constexpr std::size_t kMostBalanced = 3;
constexpr double kFirstSlide = 0.1, kLastSlide = 2e-3;
// Free points that are moved away from what is in the way.
constexpr std::size_t kMostEased = 24;
// Convex pieces of the object, above which it counts with its hull: free space costs that much for every yaw (an Allen key of 4530 triangles: 10 ms a yaw).
constexpr std::size_t kMostPieces = 64;
// [m] From bodies that must not be touched: above what counts as touching.
constexpr double kNotTouching = 1e-5;

ConvexPart box_part(const Vector3d& lower, const Vector3d& upper) {
  return hull_part(
      geometry::transformed(geometry::make_box(upper - lower), math::Pose::translation(0.5 * (lower + upper)))
          .vertices);
}

ConvexPart turned(const ConvexPart& part, const Eigen::Matrix3d& R, const Vector3d& p) {
  ConvexPart moved = part;
  for (Vector3d& x : moved.points) x = R * x + p;
  return moved;
}

Corners2 scaled2(const Corners2& polygon, const Vector2d& centre, double share) {
  Corners2 scaled;
  for (const Vector2d& p : polygon) scaled.push_back(centre + share * (p - centre));
  return scaled;
}

Vector2d nearest2(const Corners2& polygon, const Vector2d& p) {
  if (polygon.size() >= 3 && depth2(polygon, p) >= 0.0) return p;
  Vector2d best = polygon.front();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d a = polygon[i], along = polygon[(i + 1) % polygon.size()] - a;
    const double length = along.squaredNorm();
    const Vector2d q = a + (length > 0.0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0.0) * along;
    if ((q - p).norm() < (best - p).norm()) best = q;
  }
  return best;
}

Vector2d rotated(const Vector2d& p, double yaw) { return Eigen::Rotation2Dd(yaw) * p; }

}  // namespace

Parts::Parts(const Problem& problem) : problem_(problem) {
  for (std::size_t g = 0; g < problem.others.size(); ++g) {
    const PreparedGeom& geom = problem.others[g];
    if (std::all_of(problem.own.begin(), problem.own.end(),
                    [&](const PreparedGeom& own) { return problem.friction(own, geom) < 0.0; }))
      continue;
    if (geom.round || geom.is_box) {
      for (ConvexPart& part : convex_parts(geom, geom.X_WG, static_cast<int>(g))) {
        scene_hulls_.push_back(std::move(part));
        scene_hulls_.back().is_whole = true;
      }
      continue;
    }
    geometry::HullResult hull = geom.hull();
    for (Vector3d& v : hull.mesh.vertices) v = geom.X_WG * v;
    std::vector<Vector3d> points;
    if (hull.status != geometry::HullStatus::ok) {
      for (const Vector3d& v : geom.polyhedron.vertices()) points.push_back(geom.X_WG * v);
    }
    scene_hulls_.push_back(points.empty() ? hull_part(hull) : hull_part(points));
    scene_hulls_.back().geom = static_cast<int>(g);
    scene_hulls_.back().body = geom.ref.body;
    scene_hulls_.back().X_PS = geom.X_WG;
    scene_hulls_.back().is_whole = is_convex_shape(geom.polyhedron.mesh(), hull);
  }
  std::vector<Vector3d> points;
  for (std::size_t g = 0; g < problem.own.size(); ++g) {
    const PreparedGeom& geom = problem.own[g];
    if (geom.round) {
      for (const ConvexPart& part : convex_parts(geom, geom.X_BG, static_cast<int>(g)))
        points.insert(points.end(), part.points.begin(), part.points.end());
    } else {
      for (const Vector3d& v : geom.polyhedron.vertices()) points.push_back(geom.X_BG * v);
    }
  }
  const bool has_round = std::any_of(problem.own.begin(), problem.own.end(),
                                     [](const PreparedGeom& geom) { return geom.round != nullptr; });
  const bool is_known = !has_round && problem.own_hull.status == geometry::HullStatus::ok;
  object_hulls_.push_back(is_known ? hull_part(problem.own_hull) : hull_part(points));
  object_size_ = object_hulls_.front().box().diagonal().norm();
  for (const AxisBox& box : problem.options.keep_out) kept_out_.push_back(box_part(box.lower, box.upper));
}

const std::vector<ConvexPart>& Parts::scene(bool exact) {
  if (!exact) return scene_hulls_;
  if (!has_scene_parts_) {
    has_scene_parts_ = true;
    for (const ConvexPart& hull : scene_hulls_) {
      if (hull.is_whole) {
        scene_parts_.push_back(hull);
        continue;
      }
      const PreparedGeom& geom = problem_.others[static_cast<std::size_t>(hull.geom)];
      for (ConvexPart& part : convex_parts(geom, geom.X_WG, hull.geom))
        scene_parts_.push_back(std::move(part));
    }
  }
  return scene_parts_;
}

const std::vector<ConvexPart>& Parts::object(bool exact) {
  if (!exact) return object_hulls_;
  if (!has_object_parts_) {
    has_object_parts_ = true;
    for (std::size_t g = 0; g < problem_.own.size(); ++g) {
      for (ConvexPart& part : convex_parts(problem_.own[g], problem_.own[g].X_BG, static_cast<int>(g)))
        object_parts_.push_back(std::move(part));
    }
    is_simplified_ = object_parts_.size() > kMostPieces ||
                     std::any_of(problem_.own.begin(), problem_.own.end(), [](const PreparedGeom& geom) {
                       return !geom.round && !geom.is_box && !is_cut_up(geom.polyhedron.mesh(), geom.hull());
                     });
    if (object_parts_.size() > kMostPieces) object_parts_ = object_hulls_;
  }
  return object_parts_;
}

Lying::Lying(const Problem& problem, Parts& parts, const LoadPolygons& loads, const Slot& slot, bool exact)
    : problem_(problem), loads_(loads), slot_(slot) {
  math::check_interrupt();
  const SupportPlane& plane = *slot.plane;
  const RestingFace& face = *slot.face;
  R_WO_ = face.orientation(plane.n, plane.u, slot.yaw);
  for (const Corners2& feature : face.features) {
    features_.emplace_back();
    for (const Vector2d& p : feature) features_.back().push_back(rotated(p, slot.yaw));
  }
  for (const Vector2d& p : face.hull) hull_.push_back(rotated(p, slot.yaw));
  com_ = rotated(face.com, slot.yaw);
  lean_ = -face.height / plane.n.dot(problem.up_W) * plane.flat(problem.up_W);
  gap_ = std::max(problem.options.clearance, problem.options.pose_error);
  wanted_gap_ = std::min(kLikedGap, kLikedGapShare * parts.object_size());
  collect_obstacles(parts, exact);
  if (problem.options.region) bound_region();
}

math::Pose Lying::pose(const Vector2d& t) const {
  const SupportPlane& plane = *slot_.plane;
  // Points of the face have -n_O along the plane's normal at -face.d.
  return math::Pose(R_WO_, plane.lifted(t) + slot_.face->d * plane.n);
}

Vector2d Lying::com_on_plane(const Vector2d& t) const { return com_ + lean_ + t; }

void Lying::collect_obstacles(Parts& parts, bool exact) {
  const SupportPlane& plane = *slot_.plane;
  const Vector3d at0 = plane.d * plane.n + slot_.face->d * plane.n;
  std::vector<ConvexPart> own;
  Corners2 seen;
  for (const ConvexPart& part : parts.object(exact)) {
    ConvexPart moved = turned(part, R_WO_, at0);
    for (const Vector3d& x : moved.points) {
      seen.push_back(plane.flat(x));
      tall_ = std::max(tall_, plane.n.dot(x) - plane.d);
    }
    if (problem_.options.approach_W) {  // with its way in
      std::vector<Vector3d> swept = moved.points;
      for (const Vector3d& x : moved.points)
        swept.push_back(x - kWayIn * problem_.options.approach_W->normalized());
      moved = hull_part(swept);
    }
    own.push_back(std::move(moved));
  }
  outline_ = hull2(std::move(seen));
  for (const Vector2d& p : outline_) outline_size_ = std::max(outline_size_, (p - outline_.front()).norm());
  std::vector<ConvexPart> hand;
  if (slot_.grasp >= 0) {
    const Grasps& grasps = *problem_.options.grasps;
    for (const GripperBox& box : grasps.gripper) {
      const math::Pose X_OB = grasps.X_OG[static_cast<std::size_t>(slot_.grasp)] * box.X_G;
      hand.push_back(turned(
          hull_part(geometry::transformed(geometry::make_box(2.0 * box.half), X_OB).vertices), R_WO_, at0));
    }
  }
  const auto exclude = [&](const ConvexPart& scene, const std::vector<ConvexPart>& moving, double gap,
                           double above) {
    const PlanePart P = plane_part(scene, plane);
    // The polytope around a round part reaches above what it carries.
    const double high = scene.round ? plane.n.dot(scene.true_support(plane.n)) - plane.d : P.high;
    if (high <= above) return;
    for (const ConvexPart& part : moving) free_.exclude(P, plane_part(part, plane), gap);
  };
  for (const ConvexPart& part : parts.scene(exact)) {
    const bool may_touch = problem_.may_touch[part.body];
    const bool carries =
        may_touch && (plane.carries_by(part.body) || (slot_.beside && slot_.beside->carries_by(part.body)));
    // What stands above the plane is in the way; what stays below is not, unless it comes closer than it may.
    const double near =
        may_touch ? problem_.options.clearance : std::max(problem_.options.clearance, kNotTouching);
    exclude(part, own, carries ? problem_.options.pose_error : std::max(near, problem_.options.pose_error),
            carries || (may_touch && near == 0.0) ? 1e-7 : -near);
    exclude(part, hand, 0.0, -std::numeric_limits<double>::infinity());
  }
  for (const ConvexPart& part : parts.kept_out())
    exclude(part, own, 0.0, -std::numeric_limits<double>::infinity());
}

void Lying::bound_region() {
  const SupportPlane& plane = *slot_.plane;
  const math::Pose X_WO = pose(Vector2d::Zero());
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) {
      const Vector3d d_W = sign * Vector3d::Unit(k);
      double farthest = -std::numeric_limits<double>::infinity();
      for (const PreparedGeom& geom : problem_.own) {
        const math::Pose X_WG = X_WO * geom.X_BG;
        const Vector3d d_G = X_WG.q().conjugate() * d_W;
        if (geom.round) {
          farthest = std::max(farthest, d_W.dot(X_WG * geom.round->support(d_G)));
        } else {
          for (const Vector3d& v : geom.polyhedron.vertices())
            farthest = std::max(farthest, d_W.dot(X_WG.p()) + d_G.dot(v));
        }
      }
      const double limit =
          sign > 0.0 ? problem_.options.region->upper[k] : -problem_.options.region->lower[k];
      free_.bound(plane.flat(d_W), limit - farthest + 5e-10);
    }
  }
}

Lying::Base Lying::base_at(const Vector2d& t) const {
  Corners2 touched;
  std::vector<BodyIndex> bodies;
  for (const SupportRegion& region : slot_.plane->regions) {
    const std::size_t before = touched.size();
    for (const Corners2& feature : features_) {
      Corners2 moved = feature;
      for (Vector2d& p : moved) p += t;
      const Corners2 common = clip2(moved, region.corners);
      touched.insert(touched.end(), common.begin(), common.end());
    }
    if (touched.size() > before && std::find(bodies.begin(), bodies.end(), region.body) == bodies.end())
      bodies.push_back(region.body);
  }
  return {hull2(std::move(touched)), std::move(bodies)};
}

Standing Lying::standing(const Vector2d& t) const {
  const SupportPlane& plane = *slot_.plane;
  const auto [base, bodies] = base_at(t);
  const Vector2d com = com_on_plane(t);
  const double inside = depth2(base, com);
  if (base.size() < 3 || inside <= 0.0) return {};
  const double cosine = plane.n.dot(problem_.up_W);
  const double slope = std::sqrt(std::max(0.0, 1.0 - cosine * cosine)) / cosine;
  const double slip = (plane.mu - slope) / (1.0 + plane.mu * slope);
  Standing standing;
  standing.inside = inside;
  standing.margin = std::min(slip, inside / std::max(slot_.face->height, 1e-9));
  // A push at the top, or down on what overhangs, turns it about a side of the base.
  double lever = 0.0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const Vector2d along = (base[(i + 1) % base.size()] - base[i]).normalized();
    const Vector2d out(along.y(), -along.x());
    double over = 0.0;
    for (const Vector2d& p : outline_) over = std::max(over, out.dot(p + t - base[i]));
    const double arm = std::max(tall_, over), own = out.dot(base[i] - com);
    lever = i == 0 ? own / arm : std::min(lever, own / arm);
  }
  standing.push = problem_.body().inertia.mass * problem_.gravity * std::min(slip, lever);
  // One movable body bears it only where its own supports allow.
  if (bodies.size() == 1 && problem_.is_movable(bodies.front())) {
    const Corners2& bearing = loads_.of(bodies.front(), plane);
    const double kept = bearing.empty() ? -1.0 : depth2(bearing, com);
    if (kept <= 0.0) return {};
    standing.margin = std::min(standing.margin, kept / std::max(tall_, 1e-9));
    standing.push = std::min(standing.push, problem_.body().inertia.mass * problem_.gravity * kept / tall_);
  }
  return standing;
}

bool Lying::stands_alike(const Vector2d& t) const {
  const SupportPlane& plane = *slot_.plane;
  if (plane.n.dot(problem_.up_W) < 1.0 - 1e-12) return false;
  return std::any_of(plane.regions.begin(), plane.regions.end(), [&](const SupportRegion& region) {
    return !problem_.is_movable(region.body) &&
           std::all_of(hull_.begin(), hull_.end(),
                       [&](const Vector2d& p) { return depth2(region.corners, p + t) > 0.0; });
  });
}

double Lying::estimate(const Vector2d& t) const {
  const Standing at = standing(t);
  if (!(at.margin > 0.0)) return -std::numeric_limits<double>::infinity();
  const Vector3d com_W = pose(t) * problem_.body().inertia.com;
  switch (problem_.options.objective) {
    case Objective::low:
      return -problem_.up_W.dot(com_W);
    case Objective::near:
      return -(com_W - problem_.options.near_W).norm();
    case Objective::first:
      return std::min(at.margin, 2.0 * problem_.options.margin + 0.1);
    case Objective::robust:
      break;
  }
  // Of places that are alike, the one on the wider base, then the one farther from the rim of its support.
  double inside = 0.0;
  for (const SupportRegion& region : slot_.plane->regions)
    inside = std::max(inside, depth2(region.corners, com_on_plane(t)));
  const double size = std::max(tall_, 1e-9);
  return at.push * (1.0 + 1e-2 * std::min(1.0, at.inside / size) + 1e-4 * std::min(1.0, inside / size));
}

std::vector<Vector2d> Lying::wanted() const {
  const SupportPlane& plane = *slot_.plane;
  const Vector2d own = com_ + lean_;
  std::vector<Vector2d> goals;
  if (problem_.options.objective == Objective::near) {
    const Vector2d aim = plane.flat(problem_.options.near_W) + lean_;
    goals.push_back(aim);
    for (const SupportRegion& region : plane.regions) {  // or as near as the region allows
      const Vector2d middle = centroid2(region.corners);
      for (const double share : {0.5, 0.7, 0.8, 0.9, 0.95}) {
        const Corners2 inner = scaled2(region.corners, middle, share);
        goals.push_back(nearest2(inner, aim));
      }
    }
  }
  Corners2 everything;
  for (const SupportRegion& region : plane.regions)
    everything.insert(everything.end(), region.corners.begin(), region.corners.end());
  const double reach = 2.0 * std::max(tall_, (hull_.front() - com_).norm());
  // Across regions first: their middle carries from both sides.
  if (plane.regions.size() > 1 && plane.regions.size() <= 12) {
    for (std::size_t i = 0; i < plane.regions.size(); ++i) {
      for (std::size_t j = i + 1; j < plane.regions.size(); ++j) {
        const Vector2d a = centroid2(plane.regions[i].corners), b = centroid2(plane.regions[j].corners);
        goals.push_back(0.5 * (a + b));
      }
    }
    goals.push_back(centroid2(hull2(everything)));
  }
  for (const SupportRegion& region : plane.regions) {
    if (goals.size() > 60) break;
    const Vector2d middle = centroid2(region.corners);
    goals.push_back(middle);
    if (region.corners.size() < 3) {
      goals.insert(goals.end(), region.corners.begin(), region.corners.end());
      continue;
    }
    Vector2d low = region.corners.front(), high = low;
    for (const Vector2d& p : region.corners) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    if (problem_.is_movable(region.body)) {
      const Corners2& bearing = loads_.of(region.body, plane);
      if (!bearing.empty()) goals.push_back(centroid2(bearing));
    }
    // A grid, no wider than a few of the object's sizes about the middle.
    const Vector2d half = (0.5 * (high - low)).cwiseMin(Vector2d::Constant(3.0 * reach));
    constexpr int kGrid = 5;
    for (int i = 0; i < kGrid; ++i) {
      for (int j = 0; j < kGrid; ++j) {
        const Vector2d share((2.0 * i + 1.0) / kGrid - 1.0, (2.0 * j + 1.0) / kGrid - 1.0);
        const Vector2d p = middle + share.cwiseProduct(half);
        if (depth2(region.corners, p) > 0.0) goals.push_back(p);
      }
    }
  }
  for (Vector2d& goal : goals) goal -= own;  // as translations
  return goals;
}

std::vector<Vector2d> Lying::balanced(std::vector<Vector2d> starts) const {
  const auto depth = [&](const Vector2d& t) { return depth2(base_at(t).corners, com_on_plane(t)); };
  std::vector<std::pair<double, Vector2d>> ranked;
  for (const Vector2d& t : starts) ranked.emplace_back(depth(t), t);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (ranked.size() > kMostBalanced) ranked.resize(kMostBalanced);
  std::vector<Vector2d> found;
  for (auto& [best, t] : ranked) {
    if (!std::isfinite(best)) continue;
    for (double step = kFirstSlide * outline_size_; step > kLastSlide * outline_size_;) {
      Vector2d next = t;
      for (int k = 0; k < 8; ++k) {
        const Vector2d tried =
            t + step * Vector2d(std::cos(0.25 * math::kPi * k), std::sin(0.25 * math::kPi * k));
        if (!free_.is_free(tried)) continue;
        const double there = depth(tried);
        if (there > best) {
          best = there;
          next = tried;
        }
      }
      if (next == t) step *= 0.5;
      t = next;
    }
    if (best > 0.0) found.push_back(t);
  }
  return found;
}

std::vector<Vector2d> Lying::candidates(bool thorough) const {
  std::vector<std::pair<double, Vector2d>> ranked;
  const auto by_value = [](const auto& a, const auto& b) { return a.first > b.first; };
  const std::vector<Vector2d> free = free_.near(wanted(), thorough);
  const auto rank = [&](const std::vector<Vector2d>& places) {
    for (const Vector2d& t : places) {
      const double value = estimate(t);
      if (std::isfinite(value)) ranked.emplace_back(value, t);
    }
  };
  rank(free);
  if (ranked.empty() && thorough) rank(balanced(free));
  std::stable_sort(ranked.begin(), ranked.end(), by_value);
  if (ranked.size() > kMostEased) ranked.resize(kMostEased);
  for (auto& [value, t] : ranked) {
    const Vector2d eased = free_.eased(t, wanted_gap_);
    const double after = estimate(eased);
    if (std::isfinite(after)) std::tie(value, t) = std::pair(after, eased);
  }
  std::stable_sort(ranked.begin(), ranked.end(), by_value);
  std::vector<Vector2d> best;
  for (const auto& [value, t] : ranked) {
    if (std::none_of(best.begin(), best.end(),
                     [&, place = t](const Vector2d& other) { return (other - place).norm() < 1e-3; }))
      best.push_back(t);
  }
  return best;
}

}  // namespace prehend::placement
