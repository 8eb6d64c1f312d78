// Moments of weighted points: what a shape known by points alone weighs, and where.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/shape.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

// The points as masses proportional to their volumes, scaled to 1 kg. `indices` chooses points; empty weight gives a zero inertia.
math::SpatialInertia unit_mass_of_points(const std::vector<Eigen::Vector3d>& points,
                                         const std::vector<double>& volumes, std::span<const int> indices);
math::SpatialInertia unit_mass_of_points(const std::vector<Eigen::Vector3d>& points,
                                         const std::vector<double>& volumes);

// Sum of volumes [m^3].
double total_volume(const Shape& shape);

}  // namespace prehend::inertia
