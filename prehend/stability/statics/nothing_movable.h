// One answer of all questions to a scene in which nothing can move.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <prehend/stability/contact_system.h>

namespace prehend::stability {

// What find_scene_contacts() says of a scene without any body that moves; also where all are too heavy
// (ContactSystemOptions::fixed_above).
inline constexpr char kNothingMovable[] = "no body of the scene is movable; name one with --movable";

// Whether nothing can move; the sentence is then among the problems, once.
inline bool nothing_moves(const ContactSystem& system, std::vector<std::string>& problems) {
  if (!system.bodies.empty()) return false;
  if (std::find(problems.begin(), problems.end(), kNothingMovable) == problems.end())
    problems.emplace_back(kNothingMovable);
  return true;
}

}  // namespace prehend::stability
