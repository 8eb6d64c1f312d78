#include <numeric>

#include <prehend/inertia/methods/shape_moments.h>

namespace prehend::inertia {

math::SpatialInertia unit_mass_of_points(const std::vector<Eigen::Vector3d>& points,
                                         const std::vector<double>& volumes, std::span<const int> indices) {
  double weight = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  for (const int i : indices) {
    weight += volumes[i];
    first += volumes[i] * points[i];
  }
  math::SpatialInertia body;
  if (!(weight > 0.0)) return body;
  body.mass = 1.0;
  body.com = first / weight;
  // About the centroid, so that a shape far from its frame loses nothing.
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const int i : indices) {
    const Eigen::Vector3d d = points[i] - body.com;
    second += volumes[i] / weight * d * d.transpose();
  }
  body.I_com = second.trace() * Eigen::Matrix3d::Identity() - second;
  return body;
}

math::SpatialInertia unit_mass_of_points(const std::vector<Eigen::Vector3d>& points,
                                         const std::vector<double>& volumes) {
  std::vector<int> all(points.size());
  std::iota(all.begin(), all.end(), 0);
  return unit_mass_of_points(points, volumes, all);
}

double total_volume(const Shape& shape) {
  return std::accumulate(shape.volumes.begin(), shape.volumes.end(), 0.0);
}

}  // namespace prehend::inertia
