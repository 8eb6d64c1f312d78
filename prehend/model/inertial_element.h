// Writes a body's inertia into a URDF or MJCF that exists already, and leaves everything else of the file as it is.
//
// The body's `<inertial>` element is filled in or made; names, comments and elements that we do not know stay. Use it
// to give an object's model the inertia that was identified: the inertia is in the frame of the link (URDF) or body (MJCF).
#pragma once

#include <string>

#include <prehend/math/inertia.h>

namespace prehend::model {

// The text of `path` with the inertia of `body` filled in. Throws InputError: not URDF or MJCF, no such body (the
// message lists those there are; with an empty name the file must have exactly one), an MJCF whose compiler computes
// inertias from geoms whatever is written. Throws std::invalid_argument when no body can have such an inertia.
std::string with_inertial(const std::string& path, const std::string& body,
                          const math::SpatialInertia& inertia);

}  // namespace prehend::model
