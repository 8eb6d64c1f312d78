#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/parts/shapes/leaf_extents.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

const std::array<Vector3d, 13>& cube_directions() {
  static const std::array<Vector3d, 13> directions = [] {
    std::array<Vector3d, 13> list;
    std::size_t count = 0;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = 0; z <= 1; ++z)
          if (z > 0 || y > 0 || (y == 0 && x > 0)) list[count++] = Vector3d(x, y, z).normalized();
    return list;
  }();
  return directions;
}

}  // namespace

LeafExtents::LeafExtents(const std::vector<Vector3d>& points, const std::vector<int>& leaf_of, int leaves) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::array<Range, kDirections> nothing;
  nothing.fill({kFar, -kFar});
  ranges_.assign(leaves, nothing);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (leaf_of[i] < 0) continue;
    const Projections along = projections_of(points[i]);
    for (int d = 0; d < kDirections; ++d) {
      Range& range = ranges_[leaf_of[i]][d];
      range.low = std::min(range.low, along[d]);
      range.high = std::max(range.high, along[d]);
    }
  }
}

LeafExtents::Projections LeafExtents::projections_of(const Vector3d& place) {
  Projections along;
  const std::array<Vector3d, kDirections>& directions = cube_directions();
  for (int d = 0; d < kDirections; ++d) along[d] = directions[d].dot(place);
  return along;
}

double LeafExtents::outside(const Projections& along, int leaf) const {
  double most = 0.0;
  const std::array<Range, kDirections>& ranges = ranges_[leaf];
  for (int d = 0; d < kDirections; ++d)
    most = std::max({most, ranges[d].low - along[d], along[d] - ranges[d].high});
  return most;
}

double LeafExtents::beyond(const Vector3d& place, int leaf) const {
  return outside(projections_of(place), leaf);
}

int LeafExtents::leaf_around(const Vector3d& place, int own, const std::array<int, 4>& others,
                             double margin) const {
  if (std::all_of(others.begin(), others.end(), [own](int other) { return other == own || other < 0; }))
    return own;
  const Projections along = projections_of(place);
  double least = outside(along, own) - margin;
  int best = own;
  for (const int other : others) {
    if (least <= 0.0) break;  // nothing is less than inside
    if (other < 0 || other == own || other == best) continue;
    if (const double distance = outside(along, other); distance < least) least = distance, best = other;
  }
  return best;
}

}  // namespace prehend::parts
