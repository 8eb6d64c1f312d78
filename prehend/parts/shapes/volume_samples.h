// Points with volumes that reproduce volume, centroid and second moments of tetrahedra, and of solids known by these numbers.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <prehend/parts/segmentation.h>

namespace prehend::parts {

// The rule of degree 2 on a tetrahedron: a quarter of the volume at each of four points, point k nearest to corner k.
std::array<Eigen::Vector3d, 4> degree_two_points(const std::array<Eigen::Vector3d, 4>& corners);

// What a solid's samples have to reproduce.
struct SolidMoments {
  double volume{0.0};  // [m^3]
  Eigen::Vector3d centroid{Eigen::Vector3d::Zero()};
  Eigen::Matrix3d covariance{
      Eigen::Matrix3d::Zero()};  // [m^2] second moments about the centroid over the volume
};

// Points of equal volume moved by the affine map nearest to none after which they reproduce the moments; where they are too few or
// too flat, the four corners of a tetrahedron that does. Leaves are 0.
std::vector<VolumeSample> samples_with_moments(const std::vector<Eigen::Vector3d>& points,
                                               const SolidMoments& moments);

}  // namespace prehend::parts
