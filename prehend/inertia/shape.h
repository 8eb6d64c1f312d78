// What is known of the object's shape, in its own frame O: points with volumes, parts, and a box.
//
// Read from a mesh (closed: filled with points on a grid) or a cloud (its points, each with its volume where the file
// has them). Labelled clouds and sets of meshes have parts: homogeneous pieces whose masses are the unknowns of `hps`.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/math/inertia.h>

namespace prehend::inertia {

// A piece of one density. Its parameters scale with its mass.
struct Part {
  std::string name;                   // label of the cloud or name of the mesh file
  double volume{0.0};                 // [m^3]
  math::SpatialInertia of_unit_mass;  // in O, mass 1 kg
};

struct Shape {
  std::vector<Eigen::Vector3d> points;  // [m] in O, inside the object or on its surface
  std::vector<double> volumes;          // [m^3] one per point; all equal where the source had none
  std::vector<int> labels;              // part of each point, index into parts; empty without parts
  std::vector<Part> parts;
  math::SpatialInertia of_unit_mass;  // the homogeneous object, in O, mass 1 kg
  Eigen::AlignedBox3d box;            // [m] in O
  std::vector<std::string> notes;     // sentences: scaled, closed by hull, ...
};

}  // namespace prehend::inertia
