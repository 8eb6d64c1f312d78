// Velocities and accelerations that somebody computed from the log's own poses or velocities by differences of neighbouring rows.
//
// They repeat what the rows say, noise included: taken for measurements, they confirm the noise, and smoothed accelerations follow it.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::inertia {

// Whether `rates` are differences of `values` (central for any steps, forward or backward): to a tenth of the differences' own
// noise, which measured rates cannot know. False for fewer than 20 rows, and where times repeat.
bool is_difference_of(const std::vector<Eigen::Vector3d>& rates, const std::vector<Eigen::Vector3d>& values,
                      const std::vector<double>& t);

}  // namespace prehend::inertia
