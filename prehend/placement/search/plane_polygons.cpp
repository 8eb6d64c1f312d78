#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/placement/search/plane_polygons.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;

double turn(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

Vector2d outward(const Vector2d& along) { return Vector2d(along.y(), -along.x()).normalized(); }

}  // namespace

Corners2 hull2(Corners2 points) {
  if (points.size() < 2) return points;
  std::sort(points.begin(), points.end(), [](const Vector2d& a, const Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  Vector2d low = points.front(), high = points.front();
  for (const Vector2d& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double extent = (high - low).norm();
  const double near = 1e-12 * extent;
  points.erase(std::unique(points.begin(), points.end(),
                           [&](const Vector2d& a, const Vector2d& b) { return (a - b).norm() <= near; }),
               points.end());
  if (points.size() < 3) return points;
  Corners2 hull(2 * points.size());
  std::size_t k = 0;
  const auto add = [&](const Vector2d& p, std::size_t least) {
    while (k >= least && turn(hull[k - 1] - hull[k - 2], p - hull[k - 1]) <= near * (p - hull[k - 2]).norm())
      --k;
    hull[k++] = p;
  };
  for (const Vector2d& p : points) add(p, 2);
  const std::size_t lower = k + 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], lower);
  hull.resize(k - 1);
  return hull;
}

Corners2 sum2(const Corners2& a, const Corners2& b) {
  if (a.empty() || b.empty()) return {};
  if (a.size() < 3 || b.size() < 3) {
    Corners2 all;
    for (const Vector2d& p : a) {
      for (const Vector2d& q : b) all.push_back(p + q);
    }
    return hull2(std::move(all));
  }
  const auto lowest = [](const Corners2& polygon) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < polygon.size(); ++i) {
      if (polygon[i].y() < polygon[best].y() ||
          (polygon[i].y() == polygon[best].y() && polygon[i].x() < polygon[best].x()))
        best = i;
    }
    return best;
  };
  const std::size_t a0 = lowest(a), b0 = lowest(b);
  Corners2 sum;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const Vector2d& p = a[(a0 + i) % a.size()];
    const Vector2d& q = b[(b0 + j) % b.size()];
    sum.push_back(p + q);
    const double side = turn(a[(a0 + i + 1) % a.size()] - p, b[(b0 + j + 1) % b.size()] - q);
    if (j >= b.size() || (i < a.size() && side > 0.0)) {
      ++i;
    } else if (i >= a.size() || side < 0.0) {
      ++j;
    } else {
      ++i;
      ++j;
    }
  }
  return sum;
}

namespace {

Eigen::AlignedBox2d box2(const Corners2& polygon) {
  Eigen::AlignedBox2d box;
  for (const Vector2d& p : polygon) box.extend(p);
  return box;
}

}  // namespace

Corners2 clip2(const Corners2& a, const Corners2& b) {
  // Most pairs of outlines are apart, or one holds the other: their boxes show it at a hundredth of what clipping rims of 64 sides costs.
  const Eigen::AlignedBox2d box_a = box2(a), box_b = box2(b);
  if (((box_a.max() - box_b.min()).array() < -1e-9).any() ||
      ((box_b.max() - box_a.min()).array() < -1e-9).any())
    return {};
  if (a.size() >= 3 && b.size() >= 3 && box_a.sizes().prod() > box_b.sizes().prod()) return clip2(b, a);
  if (b.size() < 3) {
    if (a.size() >= 3) return clip2(b, a);
    // Segments and points: where one is a point, or they cross.
    if (a.size() == 2 && b.size() == 2) {
      const Vector2d u = a[1] - a[0], v = b[1] - b[0];
      const double det = turn(u, v);
      if (std::abs(det) <= 1e-9 * u.norm() * v.norm()) return {};
      const double s = turn(b[0] - a[0], v) / det, t = turn(b[0] - a[0], u) / det;
      if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return {};
      return {a[0] + s * u};
    }
    return {};
  }
  Corners2 kept = a;
  for (std::size_t i = 0; i < b.size() && !kept.empty(); ++i) {
    const Vector2d n = outward(b[(i + 1) % b.size()] - b[i]);
    const double offset = n.dot(b[i]);
    const double middle = n.dot(box_a.center()) - offset;
    if (middle < -0.5 * box_a.diagonal().norm()) continue;
    if (middle > 0.5 * box_a.diagonal().norm() + 1e-9) return {};
    if (std::all_of(kept.begin(), kept.end(), [&](const Vector2d& p) { return n.dot(p) <= offset; }))
      continue;
    Corners2 next;
    const std::size_t sides = kept.size() < 3 ? kept.size() - 1 : kept.size();
    if (kept.size() == 1) {
      if (n.dot(kept[0]) <= offset + 1e-12) next.push_back(kept[0]);
    }
    for (std::size_t k = 0; k < sides; ++k) {
      const Vector2d& p = kept[k];
      const Vector2d& q = kept[(k + 1) % kept.size()];
      const double dp = n.dot(p) - offset, dq = n.dot(q) - offset;
      if (dp <= 0.0) next.push_back(p);
      if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) next.push_back(p + dp / (dp - dq) * (q - p));
      if (kept.size() == 2 && dq <= 0.0) next.push_back(q);
    }
    kept = std::move(next);
  }
  return kept;
}

double depth2(const Corners2& polygon, const Vector2d& p) {
  if (polygon.empty()) return -std::numeric_limits<double>::infinity();
  if (polygon.size() == 1) return -(p - polygon[0]).norm();
  if (polygon.size() == 2) {
    const Vector2d u = polygon[1] - polygon[0];
    const double s = std::clamp((p - polygon[0]).dot(u) / u.squaredNorm(), 0.0, 1.0);
    return -(p - polygon[0] - s * u).norm();
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d& q = polygon[i];
    const Vector2d along = polygon[(i + 1) % polygon.size()] - q;
    const double length = along.norm();
    if (length > 0.0) least = std::min(least, turn(along, p - q) / length);
  }
  return least;
}

Corners2 grown2(const Corners2& polygon, double distance) {
  if (distance == 0.0) return polygon;
  if (polygon.size() < 3) {
    return sum2(polygon,
                {{-distance, -distance}, {distance, -distance}, {distance, distance}, {-distance, distance}});
  }
  Corners2 grown;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d& before = polygon[(i + polygon.size() - 1) % polygon.size()];
    const Vector2d n = outward(polygon[i] - before);
    const Vector2d m = outward(polygon[(i + 1) % polygon.size()] - polygon[i]);
    const double cosine = n.dot(m);
    if (cosine > -0.2) {
      grown.push_back(polygon[i] + distance / (1.0 + cosine) * (n + m));
    } else {  // a sharp corner is cut square, still outside the rounded one
      const Vector2d tangent =
          (n + m).norm() > 1e-9 ? Vector2d((n + m).normalized()) : Vector2d(-n.y(), n.x());
      grown.push_back(polygon[i] + distance * (n + tangent));
      grown.push_back(polygon[i] + distance * (m + tangent));
    }
  }
  return hull2(std::move(grown));
}

double area2(const Corners2& polygon) {
  double twice = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    twice += turn(polygon[i], polygon[(i + 1) % polygon.size()]);
  return 0.5 * twice;
}

Vector2d centroid2(const Corners2& polygon) {
  Vector2d mean = Vector2d::Zero();
  for (const Vector2d& p : polygon) mean += p / static_cast<double>(polygon.size());
  const double area = area2(polygon);
  if (polygon.size() < 3 || !(area > 0.0)) return mean;
  Vector2d sum = Vector2d::Zero();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d p = polygon[i] - mean, q = polygon[(i + 1) % polygon.size()] - mean;
    sum += turn(p, q) * (p + q) / 6.0;
  }
  return mean + sum / area;
}

std::vector<double> longest_sides(const std::vector<const Corners2*>& polygons, std::size_t most) {
  std::vector<std::pair<double, double>> sides;  // length, angle
  for (const Corners2* polygon : polygons) {
    for (std::size_t i = 0; i < polygon->size() && polygon->size() > 1; ++i) {
      const Vector2d along = (*polygon)[(i + 1) % polygon->size()] - (*polygon)[i];
      sides.emplace_back(along.norm(), std::atan2(along.y(), along.x()));
    }
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first + 1e-12; });
  std::vector<double> angles;
  for (const auto& [length, angle] : sides) {
    if (angles.size() >= most) break;
    if (std::none_of(angles.begin(), angles.end(), [&, a = angle](double known) {
          return std::abs(std::remainder(known - a, math::kPi)) < 1e-6;
        }))
      angles.push_back(angle);
  }
  return angles;
}

}  // namespace prehend::placement
