// The most probable body under one Gaussian of the prior: the inner problem of likelihood.h.
//
// Coordinates z in which the prior is standard normal, phi = mass (mean + L z); data as a quadratic log likelihood;
// nu log det J of the pseudo inertia. Convex; damped Newton from the unconstrained answer, or from the mean where that is
// no body. The evidence is Laplace's. Cost: a few microseconds a step.
#pragma once

#include <array>

#include <Eigen/Core>

#include <prehend/inertia/methods/body_prior.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

// One component of the prior in coordinates of its own; J where the mean's pseudo inertia is the identity.
struct BodyChart {
  explicit BodyChart(const PriorComponent& component);
  Eigen::Matrix4d J(const math::Vector10d& z) const;

  math::Vector10d mean;
  math::Matrix10d L;
  std::array<Eigen::Matrix4d, 10> J_of;  // of the columns of L
  double log_weight{0.0};
};

// Log likelihood -d^T H d / 2 + g^T d, d = phi - origin. The origin lies near all answers: about zero, sums of noise-free
// recordings would cancel to nothing.
struct BodyInformation {
  math::Matrix10d H{math::Matrix10d::Zero()};
  math::Vector10d g{math::Vector10d::Zero()};
  math::Vector10d origin{math::Vector10d::Zero()};
};

struct BodyAnswer {
  math::Vector10d phi{math::Vector10d::Zero()};
  math::Matrix10d covariance{math::Matrix10d::Zero()};
  double log_evidence{0.0};
  int steps{0};
};

BodyAnswer most_probable_body(const BodyChart& chart, const BodyInformation& data, double mass, double nu);

// The component's body moved by `shift` [m].
PriorComponent moved(const PriorComponent& component, const Eigen::Vector3d& shift);

}  // namespace prehend::inertia
