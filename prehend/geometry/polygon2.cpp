#include <algorithm>
#include <limits>
#include <numeric>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;

using math::cross;

}  // namespace

double signed_area(const Loop2& loop) {
  double twice = 0.0;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) twice += cross(loop[i] - loop[0], loop[i + 1] - loop[0]);
  return 0.5 * twice;
}

double area(const Polygon2& polygon) {
  double sum = 0.0;
  for (const Loop2& loop : polygon.loops) sum += signed_area(loop);
  return sum;
}

double perimeter(const Polygon2& polygon) {
  double sum = 0.0;
  for (const Loop2& loop : polygon.loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) sum += (loop[(i + 1) % loop.size()] - loop[i]).norm();
  }
  return sum;
}

bool is_convex(const Polygon2& polygon) {
  if (polygon.loops.size() != 1 || polygon.loops[0].size() < 3) return false;
  const Loop2& loop = polygon.loops[0];
  const std::size_t n = loop.size();
  int quadrant_changes = 0;  // a star turns left everywhere too, but goes round more than once
  Vector2d last = loop[0] - loop[n - 1];
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2d next = loop[(i + 1) % n] - loop[i];
    if (cross(last, next) < 0.0) return false;
    quadrant_changes += (last.y() < 0.0) != (next.y() < 0.0);
    last = next;
  }
  return quadrant_changes <= 2 && signed_area(loop) > 0.0;
}

int winding_number(const Polygon2& polygon, const Vector2d& point) {
  int winding = 0;
  for (const Loop2& loop : polygon.loops) {
    const std::size_t n = loop.size();
    for (std::size_t i = 0, j = n - 1; i < n; j = i++) {
      const Vector2d &p = loop[j], &q = loop[i];
      if (p.y() <= point.y()) {
        if (q.y() > point.y() && cross(q - p, point - p) > 0.0) ++winding;
      } else if (q.y() <= point.y() && cross(q - p, point - p) < 0.0) {
        --winding;
      }
    }
  }
  return winding;
}

bool contains(const Polygon2& polygon, const Vector2d& point) { return winding_number(polygon, point) > 0; }

double distance_to_segment(const Vector2d& point, const Vector2d& start, const Vector2d& end) {
  const Vector2d along = end - start;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((point - start).dot(along) / length2, 0.0, 1.0) : 0.0;
  return (point - start - t * along).norm();
}

double distance_to_boundary(const Polygon2& polygon, const Vector2d& point) {
  double best = std::numeric_limits<double>::infinity();
  for (const Loop2& loop : polygon.loops) {
    for (std::size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
      best = std::min(best, distance_to_segment(point, loop[j], loop[i]));
    }
  }
  return best;
}

Vector2d interior_point(const Polygon2& polygon) {
  std::vector<double> levels;
  for (const Loop2& loop : polygon.loops) {
    for (const Vector2d& p : loop) levels.push_back(p.y());
  }
  std::sort(levels.begin(), levels.end());
  double y = levels.front(), step = 0.0;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (levels[i] - levels[i - 1] <= step) continue;
    step = levels[i] - levels[i - 1];
    y = 0.5 * (levels[i] + levels[i - 1]);
  }
  std::vector<double> crossings;
  for (const Loop2& loop : polygon.loops) {
    for (std::size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
      if ((loop[i].y() > y) == (loop[j].y() > y)) continue;
      crossings.push_back(loop[j].x() +
                          (y - loop[j].y()) / (loop[i].y() - loop[j].y()) * (loop[i].x() - loop[j].x()));
    }
  }
  std::sort(crossings.begin(), crossings.end());
  Vector2d best = polygon.loops.front().front();
  double widest = 0.0;
  for (std::size_t i = 1; i < crossings.size(); ++i) {
    const Vector2d middle(0.5 * (crossings[i] + crossings[i - 1]), y);
    if (crossings[i] - crossings[i - 1] <= widest || !contains(polygon, middle)) continue;
    widest = crossings[i] - crossings[i - 1];
    best = middle;
  }
  return best;
}

Polygon2 clip_to_half_plane(const Polygon2& polygon, const Vector2d& normal, double offset) {
  bool all_inside = true;
  Vector2d low = Vector2d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Loop2& loop : polygon.loops) {
    for (const Vector2d& p : loop) {
      all_inside = all_inside && normal.dot(p) <= offset;
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  }
  if (all_inside) return polygon;
  // A rectangle behind the line that covers whatever of the polygon lies there.
  const Vector2d n = normal.normalized(), u(-n.y(), n.x()), centre = 0.5 * (low + high);
  const double reach = (high - low).norm();
  const double depth = std::clamp(offset / normal.norm() - n.dot(centre), -2.0 * reach, 2.0 * reach);
  const Vector2d foot = centre + depth * n;
  Polygon2 behind;
  behind.loops = {{foot - reach * u - 4.0 * reach * n, foot + reach * u - 4.0 * reach * n, foot + reach * u,
                   foot - reach * u}};
  if (signed_area(behind.loops[0]) < 0.0) std::reverse(behind.loops[0].begin(), behind.loops[0].end());
  return intersect(polygon, behind).polygon;
}

Polygon2 simplified(const Polygon2& polygon, double distance) {
  Polygon2 result;
  for (Loop2 loop : polygon.loops) {
    for (bool changed = true; changed && loop.size() >= 3;) {
      changed = false;
      for (std::size_t i = 0; i < loop.size() && loop.size() >= 3; ++i) {
        const Vector2d& before = loop[(i + loop.size() - 1) % loop.size()];
        const Vector2d& after = loop[(i + 1) % loop.size()];
        if ((loop[i] - before).norm() > distance && distance_to_segment(loop[i], before, after) > distance)
          continue;
        loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
        --i;
      }
    }
    if (loop.size() >= 3) result.loops.push_back(std::move(loop));
  }
  return result;
}

std::vector<int> convex_hull(const std::vector<Vector2d>& points, double distance) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(points[a].x(), points[a].y()) < std::pair(points[b].x(), points[b].y());
  });
  if (points.size() < 2) return order;
  std::vector<int> hull;
  for (int side = 0; side < 2; ++side) {  // lower chain, then upper chain
    const std::size_t base = hull.size();
    for (const int i : order) {
      while (hull.size() >= base + 2) {
        const Vector2d &p = points[hull[hull.size() - 2]], &q = points[hull.back()];
        if (cross(q - p, points[i] - p) > distance * (points[i] - p).norm()) break;
        hull.pop_back();
      }
      hull.push_back(i);
    }
    hull.pop_back();  // the last point begins the other chain
    std::reverse(order.begin(), order.end());
  }
  return hull;
}

}  // namespace prehend::geometry
