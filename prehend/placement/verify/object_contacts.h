// Where the object touches at a pose, and how deep it reaches into anything.
#pragma once

#include <span>
#include <vector>

#include <prehend/placement/planning/problem.h>

namespace prehend::placement {

// [m] What a placement may penetrate or miss by.
inline constexpr double kTouch = 1e-6;

struct ObjectContacts {
  std::vector<model::SceneInterface> interfaces;  // between the object and others, within the tolerance
  double depth{0.0};                              // [m] of the deepest overlap beyond the tolerance
  model::BodyIndex deepest;                       // with this body; invalid: none
};

// Contact search of geometry/contact.h over the true surfaces, with this tolerance [m]; overlaps are measured by geometry/proximity.h.
class ObjectContactSearch {
 public:
  explicit ObjectContactSearch(const Problem& problem);
  ObjectContacts at(const math::Pose& X_WO, double tolerance = kTouch) const;
  // [m] Least distance to a body, conservative by the depth of facets below round surfaces; negative when they overlap.
  double distance(const math::Pose& X_WO, model::BodyIndex body) const;
  // Scene contacts with those of the object among them, for stability::build_contact_system.
  model::SceneContacts together(const ObjectContacts& own) const;

 private:
  struct Shapes;
  void find_nested(const math::Pose& X_WO, double tolerance, ObjectContacts& result) const;
  const Problem& problem_;
  std::shared_ptr<Shapes> shapes_;
};

}  // namespace prehend::placement
