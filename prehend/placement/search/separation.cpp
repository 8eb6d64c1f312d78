#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/placement/search/separation.h>

namespace prehend::placement {
namespace {

using Eigen::Vector3d;

enum class AxisKind { none, scene_face, object_face, edges };

struct Axis {
  double gap{-std::numeric_limits<double>::infinity()};
  Vector3d n{Vector3d::Zero()};  // from the scene's part to the object's
  AxisKind kind{AxisKind::none};
};

double lowest(const std::vector<Vector3d>& points, const Vector3d& n) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vector3d& p : points) least = std::min(least, n.dot(p));
  return least;
}

double highest(const std::vector<Vector3d>& points, const Vector3d& n) { return -lowest(points, -n); }

// Of the true surface, where there is one.
Vector3d farthest(const MovedPart& moved, const Vector3d& n) {
  if (moved.part->round) return moved.X_WS * moved.part->round->support(moved.X_WS.q().conjugate() * n);
  const Vector3d* best = &moved.points_W.front();
  for (const Vector3d& p : moved.points_W) {
    if (n.dot(p) > n.dot(*best)) best = &p;
  }
  return *best;
}

Axis widest_axis(const MovedPart& scene, const MovedPart& object) {
  Axis best;
  const auto offer = [&](const Vector3d& n, AxisKind kind, double bonus) {
    const double gap = lowest(object.points_W, n) - highest(scene.points_W, n);
    if (gap > best.gap + bonus) best = {gap, n, kind};
  };
  for (const Vector3d& n : scene.normals_W) offer(n, AxisKind::scene_face, 0.0);
  for (const Vector3d& n : object.normals_W) offer(-n, AxisKind::object_face, 1e-9);
  for (const Vector3d& a : scene.edges_W) {
    for (const Vector3d& b : object.edges_W) {
      Vector3d n = a.cross(b);
      const double length = n.norm();
      if (length < 1e-6) continue;
      n /= length;
      // Faces are preferred where both tell the same: they hold more than a point.
      offer(n, AxisKind::edges, 1e-7);
      offer(-n, AxisKind::edges, 1e-7);
    }
  }
  return best;
}

math::Vector6d rate_of(const Vector3d& n, const Vector3d& p, const Vector3d& centre) {
  return (math::Vector6d() << (p - centre).cross(n), n).finished();
}

// Points of a part that face along n, its true surface included.
std::vector<Vector3d> facing(const MovedPart& moved, const Vector3d& n) {
  if (!moved.part->round) return moved.points_W;
  const geometry::RoundFeature f = moved.part->round->feature(moved.X_WS.q().conjugate() * n, 0.05);
  if (f.kind == geometry::RoundFeature::Kind::line) return {moved.X_WS * f.p, moved.X_WS * f.q};
  if (f.kind == geometry::RoundFeature::Kind::disc) {
    std::vector<Vector3d> rim;
    const Vector3d axis = moved.X_WS.q() * f.q, u = axis.unitOrthogonal(), v = axis.cross(u);
    for (int i = 0; i < 8; ++i) {
      const double angle = 0.25 * math::kPi * i;
      rim.push_back(moved.X_WS * f.p + f.radius * (std::cos(angle) * u + std::sin(angle) * v));
    }
    return rim;
  }
  return {farthest(moved, n)};
}

// The point where two edges that touch along n cross: between the ends of each that lie outermost.
Vector3d crossing(const MovedPart& scene, const MovedPart& object, const Vector3d& n) {
  const auto outermost = [](const std::vector<Vector3d>& points, const Vector3d& d) {
    const double far = highest(points, d);
    std::vector<Vector3d> ends;
    for (const Vector3d& p : points) {
      if (d.dot(p) > far - 1e-7) ends.push_back(p);
    }
    return ends;
  };
  const std::vector<Vector3d> a = outermost(scene.points_W, n), b = outermost(object.points_W, -n);
  if (a.size() < 2 || b.size() < 2) return b.size() == 1 ? b.front() : a.front();
  const Vector3d u = a[1] - a[0], v = b[1] - b[0], w = b[0] - a[0];
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), det = uu * vv - uv * uv;
  if (det < 1e-18) return b.front();
  const double t = std::clamp((uv * u.dot(w) - uu * v.dot(w)) / det, 0.0, 1.0);
  return b[0] + t * v;
}

// The way from a convex part to a point outside it, or the shortest way out.
struct Nearest {
  double distance{0.0};          // [m] negative inside
  Vector3d n{Vector3d::Zero()};  // out of the part
};

Nearest nearest_to(const MovedPart& part, const Vector3d& p_W) {
  Nearest nearest;
  if (part.part->round) {
    nearest.distance = part.part->round->distance(part.X_WS.inverse() * p_W, &nearest.n);
    nearest.n = part.X_WS.q() * nearest.n;
    return nearest;
  }
  nearest.distance = -std::numeric_limits<double>::infinity();
  std::vector<double> levels;
  for (const Vector3d& n : part.normals_W) {
    levels.push_back(highest(part.points_W, n));
    const double above = n.dot(p_W) - levels.back();
    if (above > nearest.distance) nearest = {above, n};
  }
  const Vector3d foot = p_W - nearest.distance * nearest.n;
  bool is_on_face = nearest.distance <= 0.0;
  for (std::size_t k = 0; k < levels.size() && !is_on_face; ++k) {
    if (part.normals_W[k].dot(foot) > levels[k] + 1e-12) break;
    is_on_face = k + 1 == levels.size();
  }
  if (is_on_face) return nearest;
  nearest.distance = std::numeric_limits<double>::infinity();
  for (const auto& edge : part.part->edges) {
    const Vector3d& a = part.points_W[static_cast<std::size_t>(edge[0])];
    const Vector3d along = part.points_W[static_cast<std::size_t>(edge[1])] - a;
    const double length2 = along.squaredNorm();
    const double share = length2 > 0.0 ? std::clamp((p_W - a).dot(along) / length2, 0.0, 1.0) : 0.0;
    const Vector3d way = p_W - a - share * along;
    if (way.norm() < nearest.distance) nearest = {way.norm(), way.stableNormalized()};
  }
  return nearest;
}

// Balls and capsules are points and lines with a radius: centres that decide how far such a part is from another.
std::vector<Vector3d> deciding_centres(const MovedPart& round, const MovedPart& other) {
  const geometry::RoundShape& shape = *round.part->round;
  if (shape.kind() == geometry::RoundKind::sphere) return {round.X_WS.p()};
  const Vector3d a = round.X_WS * Vector3d(0, 0, -shape.size()[1]),
                 b = round.X_WS * Vector3d(0, 0, shape.size()[1]);
  // The distance to a convex body is convex along the line.
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 40; ++k) {
    const double s = low + (high - low) / 3.0, t = high - (high - low) / 3.0;
    if (nearest_to(other, a + s * (b - a)).distance < nearest_to(other, a + t * (b - a)).distance) {
      high = t;
    } else {
      low = s;
    }
  }
  return {a, b, a + 0.5 * (low + high) * (b - a)};
}

bool is_thick_line(const MovedPart& moved) {
  return moved.part->round && (moved.part->round->kind() == geometry::RoundKind::sphere ||
                               moved.part->round->kind() == geometry::RoundKind::capsule);
}

}  // namespace

MovedPart moved_part(const ConvexPart& part, const math::Pose& X_WO) {
  MovedPart moved;
  moved.part = &part;
  const Eigen::Matrix3d R = X_WO.R();
  for (const Vector3d& p : part.points) {
    moved.points_W.push_back(R * p + X_WO.p());
    moved.box.extend(moved.points_W.back());
  }
  for (const Vector3d& n : part.face_normals) moved.normals_W.push_back(R * n);
  for (const Vector3d& e : part.edge_directions) moved.edges_W.push_back(R * e);
  moved.X_WS = X_WO * part.X_PS;
  return moved;
}

double gap_rows(const MovedPart& scene, const MovedPart& object, const Vector3d& centre, double range,
                int pair, std::vector<GapRow>& rows) {
  const double apart = std::sqrt(scene.box.squaredExteriorDistance(object.box));
  if (apart > range) return apart;
  if (is_thick_line(object) || is_thick_line(scene)) {
    const bool is_own = is_thick_line(object);
    const MovedPart &round = is_own ? object : scene, &other = is_own ? scene : object;
    const double r = round.part->round->size()[0];
    double closest = std::numeric_limits<double>::infinity();
    for (const Vector3d& c : deciding_centres(round, other)) {
      const Nearest nearest = nearest_to(other, c);
      closest = std::min(closest, nearest.distance - r);
      const Vector3d n = is_own ? nearest.n : Vector3d(-nearest.n);
      if (nearest.distance - r < range)
        rows.push_back({nearest.distance - r, rate_of(n, c - r * nearest.n, centre), pair});
    }
    return closest;
  }
  const Axis axis = widest_axis(scene, object);
  if (axis.kind == AxisKind::none || axis.gap > range) return axis.gap;
  if (axis.kind == AxisKind::edges && !scene.part->round && !object.part->round) {
    rows.push_back({axis.gap, rate_of(axis.n, crossing(scene, object, axis.n), centre), pair});
    return axis.gap;
  }
  // A polytope's own face decides the plane; where a round part has it, the other one does.
  const bool by_scene =
      axis.kind == AxisKind::scene_face ? !scene.part->round : object.part->round != nullptr;
  double least = std::numeric_limits<double>::infinity();
  if (by_scene) {
    const double level = axis.n.dot(farthest(scene, axis.n));
    for (const Vector3d& q : facing(object, -axis.n)) {
      const double gap = axis.n.dot(q) - level;
      least = std::min(least, gap);
      if (gap < range) rows.push_back({gap, rate_of(axis.n, q, centre), pair});
    }
  } else {
    const double level = axis.n.dot(farthest(object, -axis.n));
    for (const Vector3d& p : facing(scene, axis.n)) {
      const double gap = level - axis.n.dot(p);
      least = std::min(least, gap);
      if (gap < range) rows.push_back({gap, rate_of(axis.n, p, centre), pair});
    }
  }
  return least;
}

}  // namespace prehend::placement
