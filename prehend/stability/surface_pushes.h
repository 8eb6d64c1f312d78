// The questions of a robustness map: points all over a scene's surface, pushed along the inward normal.
#pragma once

#include <cstdint>
#include <vector>

#include <prehend/stability/push.h>

namespace prehend::stability {

// `count` points, uniform by area over the surfaces of all movable bodies, but none where a body touches another:
// nothing can push there. Throws std::invalid_argument when there is no such surface.
std::vector<Push> surface_pushes(const model::Scene& scene, const model::SceneContacts& contacts, int count,
                                 std::uint64_t seed = 0);

}  // namespace prehend::stability
