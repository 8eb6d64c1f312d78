#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/geometry/polygon2.h>
#include <prehend/stability/mending/closure.h>

namespace prehend::stability {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Stands for "as wide as you like": points and what else cannot miss.
constexpr double kWide = 1e3;  // [m]

struct Tangents {
  Vector3d u, v;
  explicit Tangents(const Vector3d& n) {
    u = n.unitOrthogonal();
    v = n.cross(u);
  }
};

geometry::Polygon2 flattened(const FlatFeature& flat, const math::Pose& X_WB, const Tangents& t,
                             const Vector3d& origin, bool reversed) {
  geometry::Polygon2 polygon;
  for (const std::vector<Vector3d>& loop : flat.loops) {
    geometry::Loop2 points;
    for (const Vector3d& p : loop) {
      const Vector3d d = X_WB * p - origin;
      points.emplace_back(t.u.dot(d), t.v.dot(d));
    }
    if (reversed) std::reverse(points.begin(), points.end());
    polygon.loops.push_back(std::move(points));
  }
  return polygon;
}

// The smallest extent of the first loop over directions square to its sides.
double least_width(const geometry::Polygon2& polygon) {
  double least = std::numeric_limits<double>::infinity();
  const geometry::Loop2& loop = polygon.loops.front();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector2d side = loop[(i + 1) % loop.size()] - loop[i];
    if (!(side.norm() > 1e-9)) continue;
    const Vector2d across(-side.y() / side.norm(), side.x() / side.norm());
    double low = 0.0, high = 0.0;
    for (const Vector2d& p : loop) {
      low = std::min(low, across.dot(p - loop[i]));
      high = std::max(high, across.dot(p - loop[i]));
    }
    least = std::min(least, high - low);
  }
  return least;
}

Vector2d middle(const geometry::Polygon2& polygon) {
  Vector2d sum = Vector2d::Zero();
  for (const Vector2d& p : polygon.loops.front()) sum += p;
  return sum / static_cast<double>(polygon.loops.front().size());
}

void add_row(ClosureRows& rows, double r, const math::Vector6d& J_a, const math::Vector6d& J_b) {
  rows.r[rows.count] = r;
  rows.J_a[rows.count] = J_a;
  rows.J_b[rows.count] = J_b;
  ++rows.count;
}

// r + axis . (turn of b - turn of a)
void add_tilt(ClosureRows& rows, double r, const Vector3d& axis) {
  math::Vector6d J;
  J << axis, Vector3d::Zero();
  add_row(rows, r, -J, J);
}

// gap + n . (v_b - v_a) at the point c
void add_gap(ClosureRows& rows, double gap, const PosedBody& a, const PosedBody& b) {
  math::Vector6d J_a, J_b;
  J_a << (rows.c - a.com()).cross(rows.n), rows.n;
  J_b << (rows.c - b.com()).cross(rows.n), rows.n;
  add_row(rows, gap, -J_a, J_b);
}

ClosureRows flats_rows(const FlatFeature& fa, const PosedBody& a, const FlatFeature& fb, const PosedBody& b) {
  ClosureRows rows;
  rows.n = a.X_WB.q() * fa.n;
  const Vector3d m = -(b.X_WB.q() * fb.n);
  if (!(m.dot(rows.n) > 0.8)) return rows;
  const Vector3d p_a = a.X_WB * fa.p, p_b = b.X_WB * fb.p;
  const Tangents t(rows.n);
  const geometry::Polygon2 outline_b = flattened(fb, b.X_WB, t, p_b, true);
  const geometry::BooleanResult shared = geometry::intersect(flattened(fa, a.X_WB, t, p_b, false), outline_b);
  Vector2d at = middle(outline_b);
  rows.width = -1.0;
  if (shared.is_closed && !shared.polygon.is_empty()) {
    rows.width = least_width(shared.polygon);
    at = middle(shared.polygon);
  }
  Vector3d c = p_b + at.x() * t.u + at.y() * t.v;
  c -= rows.n.dot(c - p_a) * rows.n;
  rows.c = c;
  const Vector3d turn = m.cross(rows.n);
  add_tilt(rows, -t.u.dot(turn), t.u);
  add_tilt(rows, -t.v.dot(turn), t.v);
  // Along n from a's plane to b's.
  add_gap(rows, m.dot(p_b - c) / m.dot(rows.n), a, b);
  return rows;
}

ClosureRows flat_line_rows(const FlatFeature& fa, const PosedBody& a, const LineFeature& lb,
                           const PosedBody& b) {
  ClosureRows rows;
  rows.n = a.X_WB.q() * fa.n;
  rows.round = lb.radius > 0.0;
  const Vector3d p = b.X_WB * lb.p, q = b.X_WB * lb.q, d = (q - p).normalized();
  const Tangents t(rows.n);
  const geometry::Polygon2 outline = flattened(fa, a.X_WB, t, p, false);
  // The stretch of the line over the face, by samples: enough to say where the gap is measured and how much is shared.
  constexpr int kSamples = 17;
  int inside = 0;
  double sum = 0.0, within = 0.0;
  for (int k = 0; k < kSamples; ++k) {
    const double s = (k + 0.5) / kSamples;
    const Vector2d x(s * t.u.dot(q - p), s * t.v.dot(q - p));
    if (!geometry::contains(outline, x)) continue;
    ++inside;
    sum += s;
    within = std::max(within, geometry::distance_to_boundary(outline, x));
  }
  // Along the rim of the face, as where the body stands flush on the next face, it shares nothing with it.
  rows.width = inside == 0 ? -1.0 : std::min((q - p).norm() * inside / kSamples, within);
  const double s = inside == 0 ? 0.5 : sum / inside;
  const Vector3d axis_point = p + s * (q - p);
  rows.c = axis_point - lb.radius * rows.n;
  add_tilt(rows, rows.n.dot(d), d.cross(rows.n));
  add_gap(rows, rows.n.dot(rows.c - a.X_WB * fa.p), a, b);
  return rows;
}

ClosureRows flat_point_rows(const FlatFeature& fa, const PosedBody& a, const PointFeature& pb,
                            const PosedBody& b) {
  ClosureRows rows;
  rows.n = a.X_WB.q() * fa.n;
  rows.round = pb.radius > 0.0;
  const Vector3d centre = b.X_WB * pb.p;
  const Tangents t(rows.n);
  const geometry::Polygon2 outline = flattened(fa, a.X_WB, t, centre, false);
  const double inside = geometry::distance_to_boundary(outline, Vector2d::Zero());
  rows.width = geometry::contains(outline, Vector2d::Zero()) ? inside : -inside;
  rows.c = centre - pb.radius * rows.n;
  add_gap(rows, rows.n.dot(rows.c - a.X_WB * fa.p), a, b);
  return rows;
}

// Two points at the given radii from each other.
void close_points(ClosureRows& rows, const Vector3d& x, double radius_a, const Vector3d& y, double radius_b,
                  const PosedBody& a, const PosedBody& b) {
  const double distance = (y - x).norm();
  if (!(distance > 1e-9)) return;
  rows.n = (y - x) / distance;
  rows.round = true;
  rows.c = x + radius_a * rows.n;
  add_gap(rows, distance - radius_a - radius_b, a, b);
}

ClosureRows lines_rows(const LineFeature& la, const PosedBody& a, const LineFeature& lb, const PosedBody& b) {
  ClosureRows rows;
  const Vector3d p = a.X_WB * la.p, d = a.X_WB.q() * (la.q - la.p), p2 = b.X_WB * lb.p,
                 e = b.X_WB.q() * (lb.q - lb.p);
  const double length_a = d.norm(), length_b = e.norm();
  const Vector3d u = d / length_a, v = e / length_b, cross = u.cross(v);
  const bool parallel = cross.norm() < 0.2;
  if (parallel) {
    if (!(la.radius > 0.0) || !(lb.radius > 0.0)) return rows;
    // Side by side: the shared stretch along u.
    const double s0 = u.dot(p2 - p), s1 = u.dot(p2 + e - p);
    const double low = std::max(0.0, std::min(s0, s1)), high = std::min(length_a, std::max(s0, s1));
    rows.width = high - low;
    const Vector3d x = p + 0.5 * (low + high) * u;
    const Vector3d y = p2 + v * ((x - p2).dot(u) / v.dot(u));
    const Vector3d across = (y - x) - (y - x).dot(u) * u;
    if (!(across.norm() > 1e-9)) return rows;
    const Vector3d n = across.normalized();
    const Vector3d axis = (v.dot(u) > 0.0 ? v : Vector3d(-v));
    add_tilt(rows, n.dot(axis - u), u.cross(n));
    close_points(rows, x, la.radius, x + across, lb.radius, a, b);
    rows.n = n;
    return rows;
  }
  const Vector3d n = cross.normalized();
  const Vector3d w = p2 - p;
  // p + s u and p2 + t v are nearest.
  const double b_ = u.dot(v), denominator = 1.0 - b_ * b_;
  const double s = (u.dot(w) - b_ * v.dot(w)) / denominator, t = (b_ * u.dot(w) - v.dot(w)) / denominator;
  rows.width = std::min({s, length_a - s, t, length_b - t});
  const Vector3d x = p + s * u, y = p2 + t * v;
  const double side = n.dot(w) >= 0.0 ? 1.0 : -1.0;
  if (la.radius + lb.radius > 0.0) {
    rows.n = side * n;
    rows.round = true;
  } else {
    // Sharp edges: n looks out of a, away from both its faces.
    const Vector3d out =
        a.X_WB.q() * (la.normals[0] + la.normals[1]) - b.X_WB.q() * (lb.normals[0] + lb.normals[1]);
    rows.n = n.dot(out) >= 0.0 ? n : Vector3d(-n);
    const double slack = 0.1;
    for (int k = 0; k < 2; ++k) {
      if ((a.X_WB.q() * la.inwards[k]).dot(rows.n) > slack ||
          (b.X_WB.q() * lb.inwards[k]).dot(rows.n) < -slack)
        return rows;
    }
  }
  rows.c = x + la.radius * rows.n;
  add_gap(rows, rows.n.dot(y - x) - la.radius - lb.radius, a, b);
  return rows;
}

ClosureRows line_point_rows(const LineFeature& la, const PosedBody& a, const PointFeature& pb,
                            const PosedBody& b) {
  ClosureRows rows;
  const Vector3d p = a.X_WB * la.p, d = a.X_WB.q() * (la.q - la.p), y = b.X_WB * pb.p;
  const double s = d.dot(y - p) / d.squaredNorm();
  rows.width = std::min(s, 1.0 - s) * d.norm();
  close_points(rows, p + s * d, la.radius, y, pb.radius, a, b);
  if (rows.count == 0 || la.radius > 0.0) return rows;
  // A ball beside an edge touches a face instead unless it lies between both faces' normals.
  for (int k = 0; k < 2; ++k) {
    if ((a.X_WB.q() * la.inwards[k]).dot(rows.n) > 0.0) rows.count = 0;
  }
  return rows;
}

ClosureRows points_rows(const PointFeature& pa, const PosedBody& a, const PointFeature& pb,
                        const PosedBody& b) {
  ClosureRows rows;
  rows.width = kWide;
  close_points(rows, a.X_WB * pa.p, pa.radius, b.X_WB * pb.p, pb.radius, a, b);
  return rows;
}

class PairFinder {
 public:
  PairFinder(std::span<const PosedBody> bodies, const ClosureGate& gate, std::vector<PosedClosure>& found)
      : bodies_(bodies), gate_(gate), sine_(std::sin(std::min(gate.angle, 0.5))), found_(found) {}

  void find(int a, int b) {
    flats(a, b);
    flat_others(a, b);
    flat_others(b, a);
    lines(a, b);
    round_points(a, b);
    round_points(b, a);
    points(a, b);
  }

 private:
  void keep(const Closure& closure, const ClosureRows& rows, double least_width) {
    if (rows.count == 0 || std::abs(rows.gap()) > gate_.gap || !(rows.width > least_width)) return;
    for (int k = 0; k + 1 < rows.count; ++k) {
      if (std::abs(rows.r[k]) > sine_) return;
    }
    found_.push_back({closure, rows});
  }
  // Nearer than the gate by the distance of a plane from a ball.
  bool reaches(const FlatFeature& flat, const PosedBody& a, const Vector3d& p, double radius) const {
    const Vector3d d = p - a.X_WB * flat.p;
    const double height = (a.X_WB.q() * flat.n).dot(d);
    return height < radius + gate_.gap && height > -radius - gate_.gap &&
           d.norm() < radius + flat.radius + gate_.gap;
  }
  void flats(int a, int b) {
    const BodyFeatures &fa = *bodies_[a].features, &fb = *bodies_[b].features;
    for (std::size_t i = 0; i < fa.flats.size(); ++i) {
      const Vector3d n = bodies_[a].X_WB.q() * fa.flats[i].n;
      if (!reaches(fa.flats[i], bodies_[a], bodies_[b].com(), fb.radius)) continue;
      for (std::size_t k = 0; k < fb.flats.size(); ++k) {
        if (!((bodies_[b].X_WB.q() * fb.flats[k].n).dot(n) < -0.8)) continue;
        const double height = n.dot(bodies_[b].X_WB * fb.flats[k].p - bodies_[a].X_WB * fa.flats[i].p);
        if (std::abs(height) >
            gate_.gap + sine_ * std::min(fa.flats[i].radius, fb.flats[k].radius) +
                sine_ * (bodies_[b].X_WB * fb.flats[k].p - bodies_[a].X_WB * fa.flats[i].p).norm())
          continue;
        const Closure closure{ClosureKind::flats, a, b, static_cast<int>(i), static_cast<int>(k)};
        keep(closure, closure_rows(closure, bodies_), 0.0);
      }
    }
  }
  void flat_others(int a, int b) {
    const BodyFeatures &fa = *bodies_[a].features, &fb = *bodies_[b].features;
    for (std::size_t i = 0; i < fa.flats.size(); ++i) {
      const FlatFeature& flat = fa.flats[i];
      if (!reaches(flat, bodies_[a], bodies_[b].com(), fb.radius)) continue;
      const Vector3d n = bodies_[a].X_WB.q() * flat.n;
      const double offset = n.dot(bodies_[a].X_WB * flat.p);
      for (std::size_t k = 0; k < fb.lines.size(); ++k) {
        const LineFeature& line = fb.lines[k];
        const double h0 = n.dot(bodies_[b].X_WB * line.p) - offset - line.radius;
        const double h1 = n.dot(bodies_[b].X_WB * line.q) - offset - line.radius;
        if (std::abs(0.5 * (h0 + h1)) > gate_.gap + 0.5 * sine_ * (line.q - line.p).norm() ||
            std::abs(h1 - h0) > sine_ * (line.q - line.p).norm())
          continue;
        if (!(line.radius > 0.0) && ((bodies_[b].X_WB.q() * line.inwards[0]).dot(n) < -sine_ ||
                                     (bodies_[b].X_WB.q() * line.inwards[1]).dot(n) < -sine_))
          continue;
        const Closure closure{ClosureKind::flat_line, a, b, static_cast<int>(i), static_cast<int>(k)};
        keep(closure, closure_rows(closure, bodies_), 0.0);
      }
      for (std::size_t k = 0; k < fb.points.size(); ++k) {
        const PointFeature& point = fb.points[k];
        if (std::abs(n.dot(bodies_[b].X_WB * point.p) - offset - point.radius) > gate_.gap) continue;
        if (std::any_of(point.along.begin(), point.along.end(),
                        [&](const Vector3d& d) { return (bodies_[b].X_WB.q() * d).dot(n) < -sine_; }))
          continue;
        const Closure closure{ClosureKind::flat_point, a, b, static_cast<int>(i), static_cast<int>(k)};
        keep(closure, closure_rows(closure, bodies_), 0.0);
      }
    }
  }
  void lines(int a, int b) {
    const BodyFeatures &fa = *bodies_[a].features, &fb = *bodies_[b].features;
    for (std::size_t i = 0; i < fa.lines.size(); ++i) {
      const Vector3d middle_a = bodies_[a].X_WB * Vector3d(0.5 * (fa.lines[i].p + fa.lines[i].q));
      const double half_a = 0.5 * (fa.lines[i].q - fa.lines[i].p).norm() + fa.lines[i].radius;
      for (std::size_t k = 0; k < fb.lines.size(); ++k) {
        const double half_b = 0.5 * (fb.lines[k].q - fb.lines[k].p).norm() + fb.lines[k].radius;
        const Vector3d middle_b = bodies_[b].X_WB * Vector3d(0.5 * (fb.lines[k].p + fb.lines[k].q));
        if ((middle_b - middle_a).norm() > half_a + half_b + gate_.gap) continue;
        const Closure closure{ClosureKind::lines, a, b, static_cast<int>(i), static_cast<int>(k)};
        keep(closure, closure_rows(closure, bodies_), 0.0);
      }
    }
  }
  // Lines of a against balls of b, and round lines of a against corners of b.
  void round_points(int a, int b) {
    const BodyFeatures &fa = *bodies_[a].features, &fb = *bodies_[b].features;
    for (std::size_t i = 0; i < fa.lines.size(); ++i) {
      for (std::size_t k = 0; k < fb.points.size(); ++k) {
        if (!(fa.lines[i].radius + fb.points[k].radius > 0.0)) continue;
        const Closure closure{ClosureKind::line_point, a, b, static_cast<int>(i), static_cast<int>(k)};
        keep(closure, closure_rows(closure, bodies_), 0.0);
      }
    }
  }
  void points(int a, int b) {
    const BodyFeatures &fa = *bodies_[a].features, &fb = *bodies_[b].features;
    for (std::size_t i = 0; i < fa.points.size(); ++i) {
      for (std::size_t k = 0; k < fb.points.size(); ++k) {
        if (!(fa.points[i].radius > 0.0) || !(fb.points[k].radius > 0.0)) continue;
        const Closure closure{ClosureKind::points, a, b, static_cast<int>(i), static_cast<int>(k)};
        keep(closure, closure_rows(closure, bodies_), 0.0);
      }
    }
  }

  std::span<const PosedBody> bodies_;
  ClosureGate gate_;
  double sine_;
  std::vector<PosedClosure>& found_;
};

}  // namespace

ClosureRows closure_rows(const Closure& closure, std::span<const PosedBody> bodies) {
  const PosedBody &a = bodies[static_cast<std::size_t>(closure.a)],
                  &b = bodies[static_cast<std::size_t>(closure.b)];
  const auto i = static_cast<std::size_t>(closure.feature_a), k = static_cast<std::size_t>(closure.feature_b);
  switch (closure.kind) {
    case ClosureKind::flats:
      return flats_rows(a.features->flats[i], a, b.features->flats[k], b);
    case ClosureKind::flat_line:
      return flat_line_rows(a.features->flats[i], a, b.features->lines[k], b);
    case ClosureKind::flat_point:
      return flat_point_rows(a.features->flats[i], a, b.features->points[k], b);
    case ClosureKind::lines:
      return lines_rows(a.features->lines[i], a, b.features->lines[k], b);
    case ClosureKind::line_point:
      return line_point_rows(a.features->lines[i], a, b.features->points[k], b);
    case ClosureKind::points:
      break;
  }
  return points_rows(a.features->points[i], a, b.features->points[k], b);
}

void find_closures(int a, int b, std::span<const PosedBody> bodies, const ClosureGate& gate,
                   std::vector<PosedClosure>& found) {
  PairFinder(bodies, gate, found).find(a, b);
}

}  // namespace prehend::stability
