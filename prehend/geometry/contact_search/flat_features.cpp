#include <algorithm>
#include <cmath>

#include <prehend/geometry/contact_search/flat_features.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::geometry {
namespace {

using Eigen::Vector2d;
using math::cross;

}  // namespace

bool holds(const Polygon2& polygon, const Vector2d& x, double margin) {
  return contains(polygon, x) || distance_to_boundary(polygon, x) <= margin;
}

std::vector<std::array<double, 2>> clip_line(const Vector2d& p, const Vector2d& q, const Polygon2& polygon,
                                             double margin) {
  const Vector2d way = q - p;
  const double length = way.norm();
  std::vector<double> cuts{0.0, 1.0};
  for (const Loop2& loop : polygon.loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vector2d& start = loop[i];
      const Vector2d side = loop[(i + 1) % loop.size()] - start;
      const double area = cross(way, side);
      if (std::abs(area) <= 1e-12 * length * side.norm()) {  // alongside: its ends cut
        for (const Vector2d& end : {start, Vector2d(start + side)})
          cuts.push_back(way.dot(end - p) / (length * length));
        continue;
      }
      const double t = cross(start - p, side) / area, s = cross(start - p, way) / area;
      if (s >= -1e-12 && s <= 1.0 + 1e-12) cuts.push_back(t);
    }
  }
  std::erase_if(cuts, [](double t) { return !(t >= 0.0 && t <= 1.0); });
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::array<double, 2>> parts;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (!holds(polygon, p + 0.5 * (cuts[i] + cuts[i + 1]) * way, margin)) continue;
    if (!parts.empty() && parts.back()[1] >= cuts[i]) {
      parts.back()[1] = cuts[i + 1];
    } else {
      parts.push_back({cuts[i], cuts[i + 1]});
    }
  }
  // A line that meets the outline in one point, as the side of a can meets the corner of a board.
  if (parts.empty()) {
    for (const double t : cuts) {
      if (holds(polygon, p + t * way, margin)) return {{t, t}};
    }
  }
  return parts;
}

std::vector<std::array<double, 2>> shared_part(const FlatFeature& line, const FlatFeature& other, double sine,
                                               double margin) {
  const Vector2d way = line.q - line.p, side = other.q - other.p;
  const double length = way.norm(), side_length = side.norm();
  const double area = cross(way, side);
  if (std::abs(area) <= sine * length * side_length) {
    double low = way.dot(other.p - line.p) / (length * length),
           high = way.dot(other.q - line.p) / (length * length);
    if (low > high) std::swap(low, high);
    low = std::max(low, 0.0);
    high = std::min(high, 1.0);
    if (high < low - margin / length) return {};
    return {{std::min(low, high), std::max(low, high)}};
  }
  const double t = cross(other.p - line.p, side) / area, s = cross(other.p - line.p, way) / area;
  const double slack_t = margin / length, slack_s = margin / side_length;
  if (t < -slack_t || t > 1.0 + slack_t || s < -slack_s || s > 1.0 + slack_s) return {};
  const double at = std::clamp(t, 0.0, 1.0);
  return {{at, at}};
}

}  // namespace prehend::geometry
