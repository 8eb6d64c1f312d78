// What is believed of a body before it is moved: a mixture of Gaussians on its parameters per unit of mass.
//
// With a shape. The density is homogeneous but for three kinds of surprise, all of unknown size:
//   parts    each labelled part has a density of its own, relative spread s_p;
//   field    the density wanders through the object: a Gaussian process of relative spread s_g with the kernel
//            1 / (1 + d^2 / 2 l^2) (all scales from l down), so that no moment is ever certain;
//   surface  the shape itself is off: an affine distortion that moves its ends by e of the side they end.
// The ten parameters are linear in the density, so each surprise gives a 10 x 10 covariance C, and
//   phi / m ~ N(mean, s_p^2 C_parts + s_g^2 C_field + e^2 C_surface),   mean: the homogeneous object;
// the mass is free. Sizes are not chosen but averaged over a grid, each as likely as the data find it (likelihood.h): a
// homogeneous tool is soon seen to be one, and a hammer's head is not forced to weigh what its handle does. One
// component that knows nothing of the shape stays in the mixture: should the shape be wrong, it wins, and that shows.
// Without a shape these alone: a ball with wild densities, put where the centre of mass is found.
//
// Cost: points squared for the field (points are gathered into at most `nodes` cells first): about 1 ms, once.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/shape.h>
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>

namespace prehend::inertia {

using Matrix10d = Eigen::Matrix<double, 10, 10>;

struct BodyPriorOptions {
  // Relative spreads of part densities: from "all steel" to steel beside rubber. Positive, rising.
  std::vector<double> part_spreads{0.02, 0.06, 0.2, 0.5, 1.2};
  // Relative spreads of the density inside: from cast metal to a case with a motor in it. Positive, rising.
  std::vector<double> field_spreads{0.01, 0.05, 0.2, 0.8};
  // Errors of the surface, and of where it is held, along each axis relative to that side of the box. Positive, rising.
  // Generated tools that are off by 0.005, some labels wrong and some parts merged, need 0.01 for a true 95 %.
  std::vector<double> surface_errors{0.01};
  // Belief in the smallest of the part spreads, and of the field spreads: half of all tools are of one material
  // throughout. The others share the rest. In (0, 1).
  double uniform_share{0.5};
  // Borders of parts are never quite right: this share of their spread is added to the field's. In [0, 1].
  double label_leak{0.1};
  // Reach of the density field relative to the longest side of the box. Positive.
  double field_reach{0.3};
  // Cells for the field. In [8, 2000].
  int nodes{160};
  // Share of belief that the shape is plainly wrong (another object, millimetres for metres). In (0, 1).
  double wrong_shape{1e-4};
  // [m] Radii of bodies of which nothing is known but that a robot holds them. Positive, rising.
  std::vector<double> generic_radii{0.3};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

// One Gaussian for phi / m. The mean has mass 1 and a positive definite pseudo inertia; covariance has no mass row.
struct PriorComponent {
  math::Vector10d mean{math::Vector10d::Zero()};
  Matrix10d covariance{Matrix10d::Zero()};
  double log_weight{0.0};
  bool knows_shape{false};
};

struct BodyPrior {
  std::vector<PriorComponent> components;
};

BodyPrior prior_of_shape(const Shape& shape, const math::Pose& X_SO, const BodyPriorOptions& options = {});
BodyPrior prior_without_shape(const BodyPriorOptions& options = {});

// `object` with the parts of `labelled` (same frame): each point takes the label of the nearest labelled point. For a
// precise shape from one file and parts from a scan.
Shape with_parts_of(const Shape& object, const Shape& labelled);

}  // namespace prehend::inertia
