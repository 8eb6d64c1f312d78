// What a camera would have given of a cloud: the points it sees, and noise.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace prehend::generated {

// Indices of the points seen from far away in a direction (from the cloud to the camera), without hidden ones (Katz, Tal and Basri
// 2007: points are mirrored at a sphere around the camera, and the corners of their hull are seen). About a third of a closed surface.
std::vector<int> seen_points(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& to_camera);

// Indices of points thinned along a direction by chance: all at one end, one of `ratio` at the other, evenly falling in between.
std::vector<int> uneven_points(const std::vector<Eigen::Vector3d>& points, double ratio, std::uint64_t seed);

// Each coordinate with a normal error of `share` of the diagonal.
std::vector<Eigen::Vector3d> with_noise(const std::vector<Eigen::Vector3d>& points, double share,
                                        std::uint64_t seed);

}  // namespace prehend::generated
