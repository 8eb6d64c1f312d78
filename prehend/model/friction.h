// Which geoms may touch, and with which friction coefficient: MuJoCo's rules.
//
// Friction of a pair, first match: an explicit geom pair; an explicit body pair; the geom of higher priority;
// otherwise the larger of the two sliding coefficients. A pair whose contact dimension is 1 (that of the
// higher priority, or else the larger of the two) is frictionless: 0.
#pragma once

#include <prehend/model/scene.h>

namespace prehend::model {

// [-] Coulomb coefficient. Cost: linear in the number of explicit pairs.
double pair_friction(const Scene& scene, GeomRef a, GeomRef b);

// False for geoms of one body, of two fixed bodies, of an excluded body pair, of a body and its joint parent
// (unless that parent is the world), and where contype and conaffinity do not match; an explicit geom pair is
// always true. An explicit body pair names friction alone.
bool may_touch(const Scene& scene, GeomRef a, GeomRef b);

}  // namespace prehend::model
