// Which bodies of an unstable scene cannot stay where they are, and how they begin to move.
//
// A scene is unstable when some admissible motion lets weights sink; there are many such motions, and most of them move
// bodies that could well stay. Here: a smallest set of bodies that falls though everything else is held in place, then,
// with those held too, the next one, until the rest stands. What merely loses its support when they leave is not named.
//
// Cost: of the order of s log(n) resting problems, s the number of bodies that fall, n of all.
#pragma once

#include <vector>

#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {

struct Falling {
  // One twist per body of the system, about its origin: admissible, and the weights do work on it. The fastest body of each
  // set moves by 1 m/s, or 1 rad/s times the size. Empty when the system stands.
  std::vector<math::Vector6d> motion;
  std::vector<model::BodyIndex> bodies;
};

Falling find_falling(const ContactSystem& system, const LimitOptions& options = {});

// The system with some bodies held in place: they become ground. `is_held`: one per body.
ContactSystem with_bodies_held(const ContactSystem& system, const std::vector<bool>& is_held);

}  // namespace prehend::stability
