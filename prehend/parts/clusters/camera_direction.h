// Where a cloud was seen from, when it shows one side only.
//
// A camera sees every point it gives: of some directions the one from which most points are visible. Visible are the corners on the
// upper side of the hull of (u, v, h - k (u^2 + v^2)), u, v across the direction and h along it (Katz, Tal and Basri 2007, with the
// camera far away). Cost: hulls of 300 points, some 60 of them.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::parts {

// Unit, from the points towards the camera.
Eigen::Vector3d camera_direction(const std::vector<Eigen::Vector3d>& points);

}  // namespace prehend::parts
