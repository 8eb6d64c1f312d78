// The solid inside a cloud of points on its surface, without normals.
//
// Points lie on a surface where their neighbourhoods are flat. The solid is where a Gauss integral over that surface,
//   chi(x) = sum_i K(x, p_i) . mu_i,   K(x, p) = (p - x) / (4 pi |p - x|^3),
// exceeds its mean over the points. The area vectors mu_i are the least that give chi = 1/2 at every point, softened (Lin 2022, "Surface Reconstruction
// from Point Clouds without Normals by Parametrizing the Gauss Formula"). Holes are closed smoothly. On boxes and most recorded tools radii of
// gyration are within 2 % and centres within 2 mm. Cost: some 50 ms.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::inertia {

struct SolidFill {
  std::vector<Eigen::Vector3d> points;  // [m] inside, evenly spread; none where no solid was found
  double volume{0.0};                   // [m^3]
};

// Whether most points have flat neighbourhoods; false below 300 points, which tell too little.
bool lies_on_surface(const std::vector<Eigen::Vector3d>& points);

// About `wanted` points inside; fewer where the solid is a small part of its box.
SolidFill fill_surface(const std::vector<Eigen::Vector3d>& points, int wanted);

}  // namespace prehend::inertia
