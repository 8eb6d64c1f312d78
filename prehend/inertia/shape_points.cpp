// Few points for many, and the hull test.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <Eigen/Dense>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/sampling.h>
#include <prehend/inertia/methods/shape_moments.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {
namespace {

void validate(const PointSetOptions& options) {
  if (!(options.density > 0.0) || !std::isfinite(options.density))
    throw std::invalid_argument("PointSetOptions.density is " + std::to_string(options.density) +
                                " 1/m^3, must be positive");
  if (options.min_points < 1 || options.min_points > 10000)
    throw std::invalid_argument("PointSetOptions.min_points is " + std::to_string(options.min_points) +
                                ", must be in [1, 10000]");
  if (options.max_points < options.min_points || options.max_points > 10000)
    throw std::invalid_argument("PointSetOptions.max_points is " + std::to_string(options.max_points) +
                                ", must be in [min_points, 10000]");
}

int nearest(const std::vector<Eigen::Vector3d>& centres, const Eigen::Vector3d& p) {
  int best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const double d = (centres[k] - p).squaredNorm();
    if (d < distance) {
      distance = d;
      best = static_cast<int>(k);
    }
  }
  return best;
}

}  // namespace

Shape resample_points(const Shape& shape, const PointSetOptions& options) {
  validate(options);
  const int available = static_cast<int>(shape.points.size());
  if (available <= options.keep_up_to) return shape;
  const double volume = total_volume(shape);
  const int by_density = static_cast<int>(std::min(1e6, std::ceil(options.density * volume)));
  const int count = std::min(std::clamp(by_density, options.min_points, options.max_points), available);

  // Starting from the point farthest from the centroid keeps the extremities in the set.
  int start = 0;
  for (int i = 1; i < available; ++i)
    if ((shape.points[i] - shape.of_unit_mass.com).squaredNorm() >
        (shape.points[start] - shape.of_unit_mass.com).squaredNorm())
      start = i;
  std::vector<Eigen::Vector3d> centres;
  for (const int i : geometry::farthest_point_sampling(shape.points, count, start))
    centres.push_back(shape.points[i]);

  std::vector<int> cell(available, -1);
  for (int round = 0; round < 30; ++round) {
    bool changed = false;
    std::vector<Eigen::Vector3d> sum(count, Eigen::Vector3d::Zero());
    std::vector<double> weight(count, 0.0);
    for (int i = 0; i < available; ++i) {
      const int k = nearest(centres, shape.points[i]);
      changed |= k != cell[i];
      cell[i] = k;
      sum[k] += shape.volumes[i] * shape.points[i];
      weight[k] += shape.volumes[i];
    }
    for (int k = 0; k < count; ++k)
      if (weight[k] > 0.0) centres[k] = sum[k] / weight[k];
    if (!changed) break;
  }

  Shape few = shape;
  few.points.clear();
  few.volumes.clear();
  few.labels.clear();
  std::vector<int> chosen(count, -1);
  std::vector<double> weight(count, 0.0);
  for (int i = 0; i < available; ++i) {
    const int k = cell[i];
    weight[k] += shape.volumes[i];
    if (chosen[k] < 0 ||
        (shape.points[i] - centres[k]).squaredNorm() < (shape.points[chosen[k]] - centres[k]).squaredNorm())
      chosen[k] = i;
  }
  for (int k = 0; k < count; ++k) {
    if (chosen[k] < 0) continue;
    few.points.push_back(shape.points[chosen[k]]);
    few.volumes.push_back(weight[k]);
    if (!shape.labels.empty()) few.labels.push_back(shape.labels[chosen[k]]);
  }
  return few;
}

bool is_in_hull(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& p, double tolerance) {
  if (points.empty() || !p.allFinite()) return false;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& q : points) mean += q / static_cast<double>(points.size());
  double extent = 0.0;
  for (const Eigen::Vector3d& q : points) extent = std::max(extent, (q - mean).norm());
  const double slack = 2.0 * tolerance * extent;
  const geometry::HullResult hull = geometry::convex_hull(points);
  if (hull.status == geometry::HullStatus::ok) {
    for (const Eigen::Vector3i& t : hull.mesh.triangles) {
      const Eigen::Vector3d a = hull.mesh.vertices[t[0]];
      const Eigen::Vector3d n = (hull.mesh.vertices[t[1]] - a).cross(hull.mesh.vertices[t[2]] - a);
      // Slivers of the triangulated hull lie in faces whose larger triangles decide.
      if (n.norm() > 1e-12 * extent * extent && n.dot(p - a) > slack * n.norm()) return false;
    }
    return true;
  }
  // A flat set: thicken it across its plane or line, where the point must lie within the slack anyway.
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& q : points) spread += (q - mean) * (q - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
  const int flat = hull.status == geometry::HullStatus::coplanar    ? 1
                   : hull.status == geometry::HullStatus::collinear ? 2
                                                                     : 3;
  for (int k = 0; k < flat; ++k)
    if (std::abs(axes.eigenvectors().col(k).dot(p - mean)) > std::max(slack, 1e-9 * extent)) return false;
  if (flat == 3) return true;
  std::vector<Eigen::Vector3d> thick;
  for (const Eigen::Vector3d& q : points)
    for (int corner = 0; corner < (1 << flat); ++corner) {
      Eigen::Vector3d moved = q;
      for (int k = 0; k < flat; ++k)
        moved += ((corner >> k) & 1 ? extent : -extent) * axes.eigenvectors().col(k);
      thick.push_back(moved);
    }
  return is_in_hull(thick, p, tolerance);
}

}  // namespace prehend::inertia
