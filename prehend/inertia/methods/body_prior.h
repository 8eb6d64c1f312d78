// What is assumed of a body before it is moved: a mixture of Gaussians on its parameters per unit of mass.
//
// With a shape. The density is homogeneous but for three kinds of surprise, all of unknown size:
//   parts    each labelled part has a density of its own, relative spread s_p;
//   field    the density wanders through the object: a Gaussian process of relative spread s_g with the kernel
//            1 / (1 + d^2 / 2 l^2) (all scales from l down), so that no moment is ever certain;
//   surface  the shape itself is off: an affine distortion that moves its ends by e of the side they end.
// Sizes are averaged over a grid, each as likely as the data find it. One component that knows nothing of the shape stays in
// the mixture: should the shape be wrong, it wins. Without a shape such components alone: a ball with wild densities, put where the centre of mass is found.
//
// Cost: points squared for the field (points are gathered into at most `nodes` cells first): about 1 ms, once.
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
