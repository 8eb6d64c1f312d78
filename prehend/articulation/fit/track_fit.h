// Joints of tracks without orientation: a point, a line, a circle, or anything. Not part of the public interface.
//
// Same likelihood as for poses, with positions alone: isotropic noise, states eliminated, robust weights. The line's maximum
// likelihood is its closed form (principal components); the circle's is Gauss-Newton over centre, normal and radius from the
// algebraic circle (Kasa) in the plane of least scatter, and in the plane across it, since a short arc has no plane.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/likelihood_fit.h>

namespace prehend::articulation {

// `type` one of rigid, prismatic, revolute, free. Noise is not less than `least` [m].
LikelihoodResult fit_track(model::JointType type, std::span<const Eigen::Vector3d> p, double length,
                           const LikelihoodSettings& settings, double least = 0.0);

}  // namespace prehend::articulation
