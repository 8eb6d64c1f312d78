#include <algorithm>
#include <cmath>

#include <prehend/knot/curve/respacing.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;

using math::cross;

// Inside or on the rim, whichever way round the triangle is.
bool in_triangle(const Vector2d& p, const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const double u = cross(b - a, p - a), v = cross(c - b, p - b), w = cross(a - c, p - c);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

}  // namespace

std::vector<int> path_of(const PlaneRope& rope) {
  std::vector<int> path{rope.segments.front().front()};
  for (const std::vector<int>& segment : rope.segments)
    path.insert(path.end(), segment.begin() + 1, segment.end());
  return path;
}

std::array<int, 2> strand_through(const PlaneRope& rope, int passage) {
  const std::vector<int>& before = rope.segments[static_cast<std::size_t>(passage) - 1];
  const std::vector<int>& after = rope.segments[static_cast<std::size_t>(passage)];
  return {before[before.size() - 2], after[1]};
}

PlaneRope respaced(const PlaneRope& rope, double spacing, int least_inner) {
  const auto least_edges = [least_inner](const std::vector<int>& segment) {
    return static_cast<std::size_t>(segment.front() == segment.back() ? 2 * least_inner + 2
                                                                      : least_inner + 1);
  };
  std::vector<Vector2d> points = rope.points;
  std::vector<bool> dropped(points.size(), false);
  std::vector<std::vector<int>> segments = rope.segments;
  for (std::vector<int>& segment : segments) {
    for (std::size_t k = 1; k + 1 < segment.size() && segment.size() > least_edges(segment) + 1;) {
      const int i = segment[k], before = segment[k - 1], after = segment[k + 1];
      const auto at = [&points](int p) { return points[static_cast<std::size_t>(p)]; };
      bool drop = (at(i) - at(before)).norm() + (at(after) - at(i)).norm() < 1.1 * spacing;
      for (int p = 0; drop && p < static_cast<int>(points.size()); ++p) {
        if (p == i || p == before || p == after || dropped[static_cast<std::size_t>(p)]) continue;
        drop = !in_triangle(at(p), at(before), at(i), at(after));
      }
      if (!drop) {
        ++k;
        continue;
      }
      dropped[static_cast<std::size_t>(i)] = true;
      segment.erase(segment.begin() + static_cast<std::ptrdiff_t>(k));
      ++k;  // no two neighbours in one go, so that curves keep their shape
    }
  }
  for (std::vector<int>& segment : segments) {
    std::vector<int> divided{segment.front()};
    const double least = std::ceil(double(least_edges(segment)) / double(segment.size() - 1));
    for (std::size_t k = 1; k < segment.size(); ++k) {
      const Vector2d from = points[static_cast<std::size_t>(segment[k - 1])];
      const Vector2d to = points[static_cast<std::size_t>(segment[k])];
      const double parts = std::max(least, std::ceil((to - from).norm() / spacing - 0.4));
      for (double j = 1; j < parts; ++j) {
        divided.push_back(static_cast<int>(points.size()));
        points.push_back(from + (to - from) * (j / parts));
        dropped.push_back(false);
      }
      divided.push_back(segment[k]);
    }
    segment = divided;
  }
  // Close the gaps in the numbers.
  PlaneRope result;
  std::vector<int> number(points.size(), -1);
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (dropped[p]) continue;
    number[p] = static_cast<int>(result.points.size());
    result.points.push_back(points[p]);
  }
  for (std::vector<int>& segment : segments) {
    for (int& p : segment) p = number[static_cast<std::size_t>(p)];
  }
  result.segments = std::move(segments);
  return result;
}

}  // namespace prehend::knot
