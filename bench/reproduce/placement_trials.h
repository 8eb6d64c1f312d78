// Scenes in which a cube is placed, and one run of a planner on one of them: what tables 4.2, 4.3, 5.1, 5.3 and figure 5.12 of source N share.
//
// The source names its scenes and shows them, but prints no sizes: these are ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prehend/placement/placement.h>
#include <prehend/stability/robustness.h>

namespace prehend::reproduce {

struct PlacementScene {
  std::string name;
  model::Scene scene;
  model::BodyIndex object;
  std::vector<std::string> touch;  // all movable bodies: the cube rests on other objects
};
std::vector<PlacementScene> six_placement_scenes();       // Cube, Stack, Table, Pyramids, Sawteeth, Canyon
std::vector<PlacementScene> assembly_placement_scenes();  // Slant, Balance, Cantilever

struct PlacementTrial {
  bool is_found{false};
  double time{0.0};  // [s] of the processor
  long attempts{0};
  double min_sr{0.0}, robustness{0.0};  // [N]
  double volume{0.0};                   // [m^3]
};
// At most the source's 500 attempts, or 20 s.
PlacementTrial placement_trial(const PlacementScene& scene, placement::Planner planner,
                               placement::Objective objective, std::uint64_t seed);
// Algorithm 5, guided by this method's robustness.
PlacementTrial guided_trial(const PlacementScene& scene, stability::Method guide, std::uint64_t seed);

// Where the time of algorithm 5 goes, up to its first placement.
struct IterationTimes {
  long iterations{0};
  double propose{0.0}, verify{0.0};  // [s]
  IterationTimes& operator+=(const IterationTimes& other);
};
IterationTimes iteration_times(const PlacementScene& scene, std::uint64_t seed);

// A bowl of about so many vertices, to be put onto a floor.
PlacementScene bowl_scene(int vertices);

// Over runs; measures over those that found something.
struct PlacementMean {
  double time{0.0}, attempts{0.0}, success{0.0};  // [s], -, share
  double min_sr{0.0}, robustness{0.0}, volume{0.0};
};
PlacementMean mean_of(const std::vector<PlacementTrial>& trials);

}  // namespace prehend::reproduce
