// `unit=` of the functions that read meshes and clouds: "m", "cm", "mm", "in", or metres per unit as a number.
#pragma once

#include <string>
#include <variant>

#include <nanobind/stl/variant.h>

#include "bindings.h"
#include <prehend/model/mesh_file.h>

namespace prehend::python {

using LengthUnit = std::variant<double, std::string>;

// [m]
inline double metres(const LengthUnit& unit) {
  if (const auto* number = std::get_if<double>(&unit)) return *number;
  return model::length_unit(std::get<std::string>(unit));
}

}  // namespace prehend::python
