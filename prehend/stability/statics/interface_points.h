// Points that stand for a contact interface.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/contact.h>
#include <prehend/math/random.h>

namespace prehend::stability {

// `count` points spread over the faces, edges and points of the interface: first the corners of its convex hull (the
// farthest of them, where there are more than `count`), then each next one is the farthest, from the points chosen
// before, of ten random candidates (source N, 4.5.1). The source does not speak of corners, but a body tips about the
// rim of the patch: inner points alone move every toppling axis inwards, which costs 2 % and more. Interfaces that
// consist of fewer separate points give those. [m]
std::vector<Eigen::Vector3d> sample_interface(const geometry::ContactInterface& interface, int count,
                                              math::RandomStream& random);

// Two tangents and the normal, a right-handed frame; the tangents depend on the normal alone.
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n_W);

}  // namespace prehend::stability
