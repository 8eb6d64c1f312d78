// Pushes in a CSV table: body,x,y,z,dx,dy,dz (world frame, metres; the direction may have any length).
#pragma once

#include <string>
#include <vector>

#include <prehend/stability/robustness.h>

namespace prehend::stability {

// Every push is checked against the scene (push_check.h); throws model::InputError with the line of the first that is
// none. `contact_tolerance` [m].
std::vector<Push> read_pushes(const std::string& path, const model::Scene& scene, double contact_tolerance);
std::vector<Push> parse_pushes(std::string_view bytes, const std::string& name, const model::Scene& scene,
                               double contact_tolerance);

// The pushes with their answers, a table that read_pushes() reads again; an unbounded value is an empty cell, bodies
// that move are apart by spaces.
std::string answers_csv(const RobustnessResult& result);

}  // namespace prehend::stability
