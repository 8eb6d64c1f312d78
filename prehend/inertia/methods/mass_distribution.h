// Where in the object could this mass be? The evenest distribution over its points that has the moments found.
//
// Ten parameters do not determine a density; many densities have them. This one stays nearest to the homogeneous object:
// min of sum (m_i - h_i)^2 / h_i over m_i >= 0 with the mass, first and second moments of the body, h_i the masses of the
// homogeneous object. Masses that would be negative are set to zero, those denser than osmium to its density, and the rest is solved again. A picture of the estimate,
// not a measurement; where the shape cannot have such moments (a plate, a wrong shape) the nearest are taken.
// Cost: one pass over the points and a 10 x 10 solve per round.
#pragma once

#include <vector>

#include <prehend/inertia/shape.h>
#include <prehend/math/inertia.h>

namespace prehend::inertia {

// [kg] one per point of the shape, of 0 to `greatest_density` [kg/m^3]; `body_O` in the shape's frame. Throws std::invalid_argument unless the body has a
// positive mass and the shape has points with volumes.
std::vector<double> evenest_masses(const Shape& shape, const math::SpatialInertia& body_O,
                                   double greatest_density = 22600.0);

}  // namespace prehend::inertia
