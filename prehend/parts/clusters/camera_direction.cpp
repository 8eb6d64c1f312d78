#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/geometry/house/small_hull.h>
#include <prehend/parts/clusters/camera_direction.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// About the middle, at a radius of one: some of the points, chosen by their distance from the middle, so that the choice turns with
// them.
std::vector<Vector3d> some_of(const std::vector<Vector3d>& points) {
  constexpr std::size_t kSome = 300;
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& p : points) middle += p / static_cast<double>(points.size());
  std::vector<double> distance;
  for (const Vector3d& p : points) distance.push_back((p - middle).norm());
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return distance[a] < distance[b]; });
  const double radius = std::max(1e-300, distance[order.back()]);
  std::vector<Vector3d> some;
  const std::size_t count = std::min(kSome, points.size());
  for (std::size_t k = 0; k < count; ++k)
    some.push_back((points[order[k * points.size() / count]] - middle) / radius);
  return some;
}

std::size_t visible_from(const std::vector<Vector3d>& points, const Vector3d& direction) {
  // Radii of the paraboloid and of the points are alike: a hollow is seen into as far as it is wide.
  constexpr double kBend = 5.0;
  const Vector3d u = direction.unitOrthogonal(), v = direction.cross(u);
  std::vector<Vector3d> bent;
  for (const Vector3d& p : points) {
    const double x = u.dot(p), y = v.dot(p);
    bent.emplace_back(x, y, direction.dot(p) - kBend * (x * x + y * y));
  }
  bent.emplace_back(0.0, 0.0, -100.0);  // below everything: the lower side is no more than this
  return geometry::small_hull(bent).corners.size();
}

}  // namespace

Vector3d camera_direction(const std::vector<Vector3d>& points) {
  const std::vector<Vector3d> some = some_of(points);
  Vector3d best = Vector3d::UnitX();
  std::size_t most = 0;
  const auto attempt = [&](const Vector3d& direction) {
    const std::size_t count = visible_from(some, direction);
    if (count > most) most = count, best = direction;
  };
  constexpr int kFirst = 42;  // some 30 degrees apart
  for (int k = 0; k < kFirst; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / kFirst, r = std::sqrt(1.0 - z * z), turn = 2.399963229728653 * k;
    attempt({r * std::cos(turn), r * std::sin(turn), z});
  }
  for (const double step : {0.27, 0.13}) {  // [rad]
    const Vector3d middle = best,
                   u = Vector3d::UnitX().cross(middle).norm() > 0.5
                           ? Vector3d::UnitX().cross(middle).normalized()
                           : Vector3d::UnitY().cross(middle).normalized(),
                   v = middle.cross(u);
    for (int k = 0; k < 6; ++k) {
      const double turn = 1.0471975511965976 * k;
      attempt((middle + step * (std::cos(turn) * u + std::sin(turn) * v)).normalized());
    }
  }
  return best;
}

}  // namespace prehend::parts
