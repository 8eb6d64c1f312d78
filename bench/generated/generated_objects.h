// Random hand tools with exact inertia, for tuning and trials of estimators: nothing measured, nothing copied.
//
// A tool is made of boxes and cylinders of common materials: hammers, screwdrivers, wrenches, clamps, plates with a
// slider, and chains of random pieces. Its inertia is the sum of closed forms. What an observer knows of it (`shape`) is
// a little wrong, as it would be from a scan: stretched, sheared, turned and shifted by a fraction of the size,
// neighbouring parts sometimes taken for one, points near a border sometimes given to the wrong part.
#pragma once

#include <string>

#include <prehend/inertia/shape.h>
#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>
#include <prehend/math/random.h>

namespace prehend::inertia {

struct GeneratedObjectOptions {
  // Share of tools made of one material throughout (half of a workshop is all steel). In [0, 1].
  double one_material{0.5};
  // Chance that the observer takes two neighbouring parts for one. In [0, 1].
  double merged_parts{0.15};
  // Share of points, drawn at random, that carry the label of the nearest other part. In [0, 0.5].
  double wrong_labels{0.02};
  // How far off the observer's surface is along each axis, standard deviation relative to that side of the box: half a
  // percent of its length, and of its thickness. In [0, 0.1].
  double surface_error{0.005};
  // Points that stand for the volume, about; at least 8 a part. In [50, 100000].
  int points{400};

  // Throws std::invalid_argument naming the field, its value and its bounds.
  void validate() const;
};

struct GeneratedObject {
  std::string name;            // kind and materials
  math::SpatialInertia truth;  // in O
  Shape shape;                 // in O, as observed
  math::Pose X_SO;             // how it is held: object in the sensor's frame
};

GeneratedObject generate_object(math::RandomStream& stream, const GeneratedObjectOptions& options = {});

}  // namespace prehend::inertia
