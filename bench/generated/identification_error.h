// How far estimated inertial parameters are from the truth, in numbers that do not depend on the object's size.
//
// e_m, e_c, e_I of source N, (3.15)-(3.17): relative to the mass, to the sides of the bounding box, and to the inertia of
// the full box (products: m a_i a_j / 12). e_I is shown about two points: the sensor's origin, as the source does, where a
// long lever makes every error of mass and centre count again; and about each body's own centre of mass. e_Rie, (3.29)-
// (3.31): the geodesic distance of the pseudo inertias, sqrt(sum log^2 lambda / 2); the source prints the sum of the
// eigenvalues themselves, which is not zero for equal bodies. The source's program cuts e_c to whole percents per axis
// before averaging: shown beside.
#pragma once

#include <array>
#include <optional>

#include <Eigen/Core>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

struct IdentificationError {
  double mass{0.0};                              // [%] e_m
  Eigen::Vector3d com{Eigen::Vector3d::Zero()};  // [%] per axis
  double com_mean{0.0};                          // [%] e_c
  double com_mean_truncated{0.0};  // [%] each axis cut to whole percents, as the source's program does
  std::array<double, 6> inertia_sensor{};  // [%] xx xy xz yy yz zz about the frame's origin
  double inertia_sensor_mean{0.0};         // [%] e_I, the source's convention
  std::array<double, 6> inertia_com{};     // [%] each about its own centre of mass
  double inertia_com_mean{0.0};            // [%]
  std::optional<double> riemannian;        // [-] e_Rie; absent: one of the two is no body
};

// All in one frame, usually the sensor's; `box_sides` [m] of the object's bounding box along that frame's axes. Throws
// std::invalid_argument unless the true mass and all sides are positive.
IdentificationError identification_error(const math::SpatialInertia& estimated,
                                         const math::SpatialInertia& truth, const Eigen::Vector3d& box_sides);

}  // namespace prehend::inertia
