// A modular test object like that of source N, 3.1.4: a printed plate with holes, some filled with weights.
//
// The source gives densities (PLA as printed 491, ABS 1321, steel 7847 kg/m^3), the weights (steel 101 g, ABS 17 g) and the
// names of eight configurations; the plate and the places are ours. Inertia is the sum of closed forms: plate, less the
// holes, plus the weights, which fill their holes (101 g of steel and 17 g of ABS have the same volume to 0.02 %).
#pragma once

#include <string>
#include <vector>

#include "identification_trial.h"
#include <prehend/inertia/shape.h>
#include <prehend/math/pose.h>

namespace prehend::reproduce {

struct ModularObject {
  std::string name;
  math::SpatialInertia truth_O;
  inertia::Shape shape;  // the outline alone: where weights are is not seen
  math::Pose X_SO;
  Truth truth;  // in the sensor's frame
};

std::vector<ModularObject> modular_objects();

}  // namespace prehend::reproduce
