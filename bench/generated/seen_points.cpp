#include "seen_points.h"

#include <algorithm>
#include <cmath>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mesh.h>
#include <prehend/math/random.h>

namespace prehend::generated {

using Eigen::Vector3d;

std::vector<int> seen_points(const std::vector<Vector3d>& points, const Vector3d& to_camera) {
  const geometry::Aabb box = geometry::bounding_box(points);
  // Ten diagonals away: as good as parallel rays. A sphere of 100 times the distance leaves points on plane faces visible.
  const Vector3d camera = 0.5 * (box.lower + box.upper) + 10.0 * box.diagonal() * to_camera.normalized();
  double farthest = 0.0;
  for (const Vector3d& p : points) farthest = std::max(farthest, (p - camera).norm());
  const double sphere = 100.0 * farthest;
  std::vector<Vector3d> mirrored;
  for (const Vector3d& p : points) {
    const double distance = (p - camera).norm();
    mirrored.push_back((2.0 * sphere / distance - 1.0) * (p - camera) / farthest);
  }
  mirrored.push_back(Vector3d::Zero());
  const geometry::HullResult hull = geometry::convex_hull(mirrored);
  std::vector<int> seen;
  for (const int i : hull.point_of)
    if (i < std::ssize(points)) seen.push_back(i);
  std::sort(seen.begin(), seen.end());
  return seen;
}

std::vector<int> uneven_points(const std::vector<Vector3d>& points, double ratio, std::uint64_t seed) {
  math::RandomStream random(seed);
  const Vector3d along = random.unit_vector();
  double low = along.dot(points[0]), high = low;
  for (const Vector3d& p : points) low = std::min(low, along.dot(p)), high = std::max(high, along.dot(p));
  std::vector<int> kept;
  for (int i = 0; i < std::ssize(points); ++i)
    if (random.uniform() < std::pow(ratio, (low - along.dot(points[i])) / (high - low))) kept.push_back(i);
  return kept;
}

std::vector<Vector3d> with_noise(const std::vector<Vector3d>& points, double share, std::uint64_t seed) {
  math::RandomStream random(seed);
  const double size = share * geometry::bounding_box(points).diagonal();
  std::vector<Vector3d> noisy = points;
  for (Vector3d& p : noisy)
    for (int k = 0; k < 3; ++k) p[k] += size * random.normal();
  return noisy;
}

}  // namespace prehend::generated
