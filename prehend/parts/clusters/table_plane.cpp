#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/parts/clusters/table_plane.h>

namespace prehend::parts {
namespace {

using Eigen::Vector3d;

// Shares of the points: on the plane at least, beyond it at most (strays), bare among those on it at least.
constexpr double kOnTable = 0.2, kBeyondTable = 0.01, kBare = 0.5;
// Spacings: of points on the plane from it, and of bare ones from all that stands on it.
constexpr double kOnPlane = 0.5, kBareBy = 2.0;
// Spacings that what stands on it rises at least: a ruler's one face is not the table of the other.
constexpr double kRises = 3.0;
constexpr int kTriples = 200, kDirections = 16;

struct Sides {
  int on{0}, above{0}, below{0};
};

Sides sides_of(const std::vector<Vector3d>& points, std::size_t stride, const Vector3d& normal, double offset,
               double near) {
  Sides sides;
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const double height = normal.dot(points[i]) - offset;
    sides.on += std::abs(height) <= near;
    sides.above += height > near;
    sides.below += height < -near;
  }
  return sides;
}

// Share of the points on the plane that lie outside everything above it, seen along the normal.
double bare_share(const std::vector<Vector3d>& points, const TablePlane& plane, double spacing) {
  const Vector3d u = plane.normal.unitOrthogonal(), v = plane.normal.cross(u);
  std::array<Vector3d, kDirections> along;
  std::array<double, kDirections> reach;
  reach.fill(-std::numeric_limits<double>::infinity());
  for (int k = 0; k < kDirections; ++k) {
    const double angle = 2.0 * math::kPi * k / kDirections;
    along[k] = std::cos(angle) * u + std::sin(angle) * v;
  }
  const auto height = [&plane](const Vector3d& p) { return plane.normal.dot(p) - plane.offset; };
  for (const Vector3d& p : points)
    if (height(p) > kOnPlane * spacing)
      for (int k = 0; k < kDirections; ++k) reach[k] = std::max(reach[k], along[k].dot(p));
  int on = 0, bare = 0;
  for (const Vector3d& p : points) {
    if (std::abs(height(p)) > kOnPlane * spacing) continue;
    bool is_bare = false;
    for (int k = 0; k < kDirections; ++k) is_bare = is_bare || along[k].dot(p) > reach[k] + kBareBy * spacing;
    ++on, bare += is_bare;
  }
  return on > 0 ? static_cast<double>(bare) / on : 0.0;
}

// Through the middle of its points, across their least spread.
void fit(const std::vector<Vector3d>& points, double near, TablePlane& plane) {
  Vector3d mean = Vector3d::Zero();
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  const auto is_on = [&](const Vector3d& p) { return std::abs(plane.normal.dot(p) - plane.offset) <= near; };
  plane.points = static_cast<int>(std::count_if(points.begin(), points.end(), is_on));
  for (const Vector3d& p : points)
    if (is_on(p)) mean += p / plane.points;
  for (const Vector3d& p : points)
    if (is_on(p)) spread += (p - mean) * (p - mean).transpose();
  const Vector3d normal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(0);
  plane.normal = normal.dot(plane.normal) < 0.0 ? Vector3d(-normal) : normal;
  plane.offset = plane.normal.dot(mean);
}

}  // namespace

std::optional<TablePlane> table_plane(const std::vector<Vector3d>& points, double spacing) {
  if (points.size() < 100 || !(spacing > 0.0)) return std::nullopt;
  math::RandomStream random(29);
  const auto any = [&] { return points[random.below(static_cast<std::uint32_t>(points.size()))]; };
  const std::size_t stride = 1 + points.size() / 2000;
  const double near = kOnPlane * spacing, count = std::ceil(static_cast<double>(points.size()) / stride);
  TablePlane best;
  int most = 0;
  for (int k = 0; k < kTriples; ++k) {
    const Vector3d a = any(), b = any(), c = any();
    Vector3d normal = (b - a).cross(c - a);
    if (normal.norm() < spacing * spacing) continue;
    normal.normalize();
    const Sides sides = sides_of(points, stride, normal, normal.dot(a), near);
    if (sides.on <= most || std::min(sides.above, sides.below) > kBeyondTable * count) continue;
    if (sides.below > sides.above) normal = -normal;
    most = sides.on;
    best = {normal, normal.dot(a), 0};
  }
  if (most < kOnTable * count) return std::nullopt;
  fit(points, near, best);
  double highest = 0.0;
  for (const Vector3d& p : points) highest = std::max(highest, best.normal.dot(p) - best.offset);
  if (highest < kRises * spacing || bare_share(points, best, spacing) < kBare) return std::nullopt;
  return best;
}

}  // namespace prehend::parts
