// One contact interface between two bodies of a scene. scene_contacts.h finds them.
#pragma once

#include <prehend/geometry/contact_patch.h>
#include <prehend/model/body.h>

namespace prehend::model {

struct SceneInterface {
  BodyIndex body_a, body_b;          // body_a < body_b
  double friction{0.0};              // [-] Coulomb coefficient of this pair
  geometry::ContactInterface patch;  // normal from a to b, points, outlines; its body indices are internal
};

}  // namespace prehend::model
