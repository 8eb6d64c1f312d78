// Prior on the inertial parameters of a body per unit of mass: a mixture of Gaussians.
//
// With a shape, the density is homogeneous except for three deviations of unknown size:
//   parts    each labelled part has a density of its own, relative spread s_p;
//   field    the density varies: a Gaussian process of relative spread s_g with the kernel 1 / (1 + d^2 / 2 l^2);
//   surface  the shape is wrong by an affine distortion, which moves its ends by e times its side (thin ones by more).
// Sizes are averaged over a grid, weighted by the data; scans may be hollow. One component ignores the shape and prevails
// where it is wrong. Without a shape there are only such components: a ball of wild density at the estimated centre of mass.
//
// Cost: quadratic in points for the field (at most `nodes` cells), 1 ms, once.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>

namespace prehend::inertia {

// One Gaussian for phi / m. The mean has mass 1 and a positive definite pseudo inertia; covariance has no mass row.
struct PriorComponent {
  math::Vector10d mean{math::Vector10d::Zero()};
  math::Matrix10d covariance{math::Matrix10d::Zero()};
  double log_weight{0.0};
  bool knows_shape{false};
};

struct BodyPrior {
  std::vector<PriorComponent> components;
};

BodyPrior prior_of_shape(const Shape& shape, const math::Pose& X_SO, const BodyPriorOptions& options = {});
BodyPrior prior_without_shape(const BodyPriorOptions& options = {});

}  // namespace prehend::inertia
