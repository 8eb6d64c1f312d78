// Points that stand for a contact interface.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/contact.h>
#include <prehend/math/random.h>

namespace prehend::stability {

// `count` points spread over the faces, edges and points of the interface: each next one is the farthest, from the
// points chosen before, of ten random candidates (source N, 4.5.1). Interfaces that consist of fewer separate points
// give those. [m]
std::vector<Eigen::Vector3d> sample_interface(const geometry::ContactInterface& interface, int count,
                                              math::RandomStream& random);

// Two tangents and the normal, a right-handed frame; the tangents depend on the normal alone.
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n_W);

}  // namespace prehend::stability
