// Pushes all over the surfaces of what may move: the questions of a robustness map.
//
// Points are independent and uniform by area over all movable bodies together, each pushed along the inward normal of
// its triangle. Left out is what nobody can push: points inside a contact interface (covered by another body) and
// points inside another geom of the same body. The source maps whole surfaces; `covered` brings those points back.
//
// Cost: O(triangles + n (log triangles + corners of the interfaces of that body)).
#pragma once

#include <cstdint>
#include <vector>

#include <prehend/model/scene_contacts.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct SurfacePushOptions {
  int points{2000};  // as in the source's table 4.1; at least 1
  std::uint64_t seed{0};
  bool covered{false};  // also points inside contact interfaces
  // Bodies of at least this mass [kg] count as fixed, as in ContactSystemOptions; 0: none.
  double fixed_above{0.0};

  void validate() const;
};

// Fewer points only where nearly everything is covered. Throws std::invalid_argument when nothing may move, or all that may
// is covered.
std::vector<Push> surface_pushes(const model::Scene& scene, const model::SceneContacts& contacts,
                                 const SurfacePushOptions& options = {});
std::vector<Push> surface_pushes(const model::Scene& scene, const model::SceneContacts& contacts, int count,
                                 std::uint64_t seed = 0);

}  // namespace prehend::stability
