#include <algorithm>
#include <cmath>

#include <prehend/math/angles.h>
#include <prehend/placement/search/free_translations.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// [m] Free points keep this far off outlines, so that rounding does not touch.
constexpr double kOff = 1e-9;
// [m] Points this deep inside an outline still count as free; what is taken of a line begins at half of that, so that its ends are free however
// flat the line crosses the outline.
constexpr double kDeepestFree = 0.5 * kOff;
// Outlines whose crossings are looked at; beyond, only feet are.
constexpr std::size_t kMostSides = 400;

// Of pairs with more heights than this (fine meshes), slabs between few heights are taken instead of slices at all: a little too much is blocked, in a hundredth of
// the time.
constexpr std::size_t kMostHeights = 60;
constexpr int kSlabs = 16;

}  // namespace

Corners2 PlanePart::slice(double height) const {
  Corners2 corners;
  constexpr double near = 1e-10;
  for (const Vector3d& p : points) {
    if (std::abs(p.z() - height) <= near) corners.push_back(p.head<2>());
  }
  for (const auto& edge : *edges) {
    const Vector3d& p = points[static_cast<std::size_t>(edge[0])];
    const Vector3d& q = points[static_cast<std::size_t>(edge[1])];
    if ((p.z() - height > near && q.z() - height < -near) ||
        (p.z() - height < -near && q.z() - height > near))
      corners.push_back((p + (height - p.z()) / (q.z() - p.z()) * (q - p)).head<2>());
  }
  return hull2(std::move(corners));
}

Corners2 PlanePart::slab(double from, double to) const {
  Corners2 corners = slice(from);
  const Corners2 above = slice(to);
  corners.insert(corners.end(), above.begin(), above.end());
  for (const Vector3d& p : points) {
    if (p.z() >= from && p.z() <= to) corners.push_back(p.head<2>());
  }
  return hull2(std::move(corners));
}

PlanePart plane_part(const ConvexPart& part, const SupportPlane& plane) {
  PlanePart flat;
  flat.edges = &part.edges;
  flat.low = std::numeric_limits<double>::infinity();
  flat.high = -flat.low;
  flat.lower.setConstant(flat.low);
  flat.upper.setConstant(flat.high);
  for (const Vector3d& p : part.points) {
    flat.points.emplace_back(plane.u.dot(p), plane.v.dot(p), plane.n.dot(p) - plane.d);
    flat.low = std::min(flat.low, flat.points.back().z());
    flat.high = std::max(flat.high, flat.points.back().z());
    flat.lower = flat.lower.cwiseMin(flat.points.back().head<2>());
    flat.upper = flat.upper.cwiseMax(flat.points.back().head<2>());
  }
  return flat;
}

void FreeTranslations::exclude(const PlanePart& P, const PlanePart& Q, double gap) {
  // P stretched by the gap up and down: its slices at the ends are those of its lowest and highest points.
  const double low = std::max(P.low - gap, Q.low), high = std::min(P.high + gap, Q.high);
  if (high - low <= kOff) return;
  std::vector<double> heights{low, high};
  const auto add = [&](double h) {
    if (h > low && h < high) heights.push_back(h);
  };
  for (const Vector3d& p : P.points) {
    add(p.z() - gap);
    add(p.z() + gap);
  }
  for (const Vector3d& q : Q.points) add(q.z());
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end(), [](double a, double b) { return b - a < 1e-9; }),
                heights.end());
  Corners2 all;
  const bool is_fine = heights.size() > kMostHeights;
  for (int k = 0; is_fine && k < kSlabs; ++k) {
    const double from = low + (high - low) * k / kSlabs, to = low + (high - low) * (k + 1) / kSlabs;
    Corners2 negative = Q.slab(from, to);
    for (Vector2d& q : negative) q = -q;
    const Corners2 sum =
        sum2(P.slab(std::clamp(from - gap, P.low, P.high), std::clamp(to + gap, P.low, P.high)),
             hull2(std::move(negative)));
    all.insert(all.end(), sum.begin(), sum.end());
  }
  if (is_fine) heights.clear();
  for (const double h : heights) {
    Corners2 negative = Q.slice(h);
    for (Vector2d& q : negative) q = -q;
    const Corners2 own = P.slice(std::clamp(h, P.low, P.high));
    Corners2 scene = own;
    if (gap > 0.0) {  // the widest slice within the gap
      for (const double other : {h - gap, h + gap}) {
        const Corners2 shifted = P.slice(std::clamp(other, P.low, P.high));
        scene.insert(scene.end(), shifted.begin(), shifted.end());
      }
      scene = hull2(std::move(scene));
    }
    const Corners2 sum = sum2(scene, hull2(std::move(negative)));
    all.insert(all.end(), sum.begin(), sum.end());
  }
  Outline outline{grown2(hull2(std::move(all)), gap), {}, {}};
  if (outline.corners.size() < 3) return;
  outline.lower = outline.upper = outline.corners.front();
  for (const Vector2d& c : outline.corners) {
    outline.lower = outline.lower.cwiseMin(c);
    outline.upper = outline.upper.cwiseMax(c);
  }
  blocked_.push_back(std::move(outline));
}

void FreeTranslations::bound(const Vector2d& a, double b) {
  const double length = a.norm();
  if (length < 1e-12) {
    if (b < 0.0) bounds_.push_back({Vector2d::Zero(), -1.0});
    return;
  }
  bounds_.push_back({a / length, b / length});
}

bool FreeTranslations::is_free(const Vector2d& t) const {
  for (const HalfPlane& half : bounds_) {
    if (half.a.dot(t) > half.b) return false;
  }
  for (const Outline& outline : blocked_) {
    if ((t.array() <= outline.lower.array()).any() || (t.array() >= outline.upper.array()).any()) continue;
    if (depth2(outline.corners, t) > kDeepestFree) return false;
  }
  return true;
}

std::vector<std::pair<double, double>> FreeTranslations::stretches(const Vector2d& t0, const Vector2d& along,
                                                                   double low, double high) const {
  for (const HalfPlane& half : bounds_) {
    const double rate = half.a.dot(along), room = half.b - half.a.dot(t0);
    if (std::abs(rate) < 1e-12) {
      if (room < 0.0) return {};
    } else if (rate > 0.0) {
      high = std::min(high, room / rate);
    } else {
      low = std::max(low, room / rate);
    }
  }
  std::vector<std::pair<double, double>> taken;
  for (const Outline& outline : blocked_) {
    double from = -std::numeric_limits<double>::infinity(), to = -from;
    for (std::size_t i = 0; i < outline.corners.size(); ++i) {
      const Vector2d& p = outline.corners[i];
      const Vector2d side = outline.corners[(i + 1) % outline.corners.size()] - p;
      const double length = side.norm();
      if (length < 1e-12) continue;
      const Vector2d out(side.y() / length, -side.x() / length);
      const double rate = out.dot(along), room = -0.5 * kDeepestFree - out.dot(t0 - p);
      if (std::abs(rate) < 1e-12) {
        if (room < 0.0) to = from;
      } else if (rate > 0.0) {
        to = std::min(to, room / rate);
      } else {
        from = std::max(from, room / rate);
      }
    }
    if (from < to) taken.emplace_back(from - 3.0 * kOff, to + 3.0 * kOff);
  }
  std::sort(taken.begin(), taken.end());
  std::vector<std::pair<double, double>> free;
  for (const auto& [from, to] : taken) {
    if (from > low && low <= high) free.emplace_back(low, std::min(from, high));
    low = std::max(low, to);
  }
  if (low <= high) free.emplace_back(low, high);
  return free;
}

double FreeTranslations::clearance(const Vector2d& t) const {
  double least = std::numeric_limits<double>::infinity();
  for (const HalfPlane& half : bounds_) least = std::min(least, half.b - half.a.dot(t));
  for (const Outline& outline : blocked_) {
    const Vector2d beside = (outline.lower - t).cwiseMax(t - outline.upper);
    least = std::min(least, std::max(beside.maxCoeff(), -depth2(outline.corners, t)));
  }
  return least;
}

Vector2d FreeTranslations::eased(Vector2d t, double wanted) const {
  double have = clearance(t);
  double step = wanted;
  for (int round = 0; round < 60 && have < wanted && step > 1e-7; ++round) {
    Vector2d best = t;
    double most = have;
    for (int k = 0; k < 8; ++k) {
      const double angle = 0.25 * math::kPi * k;
      const Vector2d next = t + step * Vector2d(std::cos(angle), std::sin(angle));
      const double clear = clearance(next);
      if (clear > most) {
        most = clear;
        best = next;
      }
    }
    if (most > have * (1.0 + 1e-3)) {
      t = best;
      have = most;
    } else {
      step *= 0.5;
    }
  }
  return t;
}

std::vector<Vector2d> FreeTranslations::near(const std::vector<Vector2d>& wanted, bool thorough) const {
  std::vector<Vector2d> found;
  for (const Vector2d& t : wanted) {
    if (is_free(t)) found.push_back(t);
  }
  if (!thorough) return found;
  struct Side {
    Vector2d p, q, n;  // outward
  };
  std::vector<Side> sides;
  for (const Outline& outline : blocked_) {
    for (std::size_t i = 0; i < outline.corners.size(); ++i) {
      const Vector2d& p = outline.corners[i];
      const Vector2d& q = outline.corners[(i + 1) % outline.corners.size()];
      if ((q - p).norm() < 1e-12) continue;
      sides.push_back({p, q, Vector2d(q.y() - p.y(), p.x() - q.x()).normalized()});
    }
  }
  for (const HalfPlane& half : bounds_) {
    if (half.a.isZero()) continue;
    const Vector2d along(-half.a.y(), half.a.x());
    sides.push_back({half.b * half.a - 1e3 * along, half.b * half.a + 1e3 * along, -half.a});
  }
  const auto offer = [&](const Vector2d& t) {
    if (is_free(t)) found.push_back(t);
  };
  for (const Vector2d& t : wanted) {
    if (is_free(t)) continue;
    for (const Side& side : sides) {
      const Vector2d along = side.q - side.p;
      const double s = std::clamp((t - side.p).dot(along) / along.squaredNorm(), 0.0, 1.0);
      offer(side.p + s * along + 4.0 * kOff * side.n);
    }
  }
  if (sides.size() > kMostSides) return found;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t j = i + 1; j < sides.size(); ++j) {
      const Vector2d a = sides[i].q - sides[i].p, b = sides[j].q - sides[j].p;
      const double det = a.x() * b.y() - a.y() * b.x();
      if (std::abs(det) <= 1e-12 * a.norm() * b.norm()) continue;
      const Vector2d c = sides[j].p - sides[i].p;
      const double s = (c.x() * b.y() - c.y() * b.x()) / det, r = (c.x() * a.y() - c.y() * a.x()) / det;
      if (s < 0.0 || s > 1.0 || r < 0.0 || r > 1.0) continue;
      offer(sides[i].p + s * a + 4.0 * kOff * (sides[i].n + sides[j].n));
    }
  }
  return found;
}

}  // namespace prehend::placement
