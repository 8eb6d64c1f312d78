// Lets a scene come to rest: where do the bodies end up, and did they stay where they were put?
//
// The scene is simulated until every body has been slower than a threshold for a while, or until time runs
// out. A scene that only sinks into its soft contacts by the engine's own compliance counts as settled and
// unmoved.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/scene.h>
#include <prehend/simulate/simulation.h>

namespace prehend::simulate {

struct SettleOptions {
  SimulationOptions simulation;
  // [s] Give up after this much simulated time.
  double max_time{5.0};
  // [s] Everything must have been slow for this long, so that the turning point of a swing does not count.
  double rest_time{0.2};
  // Slow means: no point of a body within its bounding sphere moves faster than this many of its own sizes
  // per second. Relative, so that a scene in millimetres settles like one in metres.
  double rest_speed{0.02};
  // A body that fell further than this many scene sizes has left; waiting for it is pointless.
  double fall_limit{20.0};

  // For questions of statics: contacts of 5 ms. The engine's contacts yield in proportion to the square of their time constant:
  // 0.2 mm
  // by default, more than the contact tolerance of 0.1 mm; 0.01 mm with these.
  static SettleOptions for_statics();

  void validate() const;
};

enum class SettleStatus { still_moving, settled, fell, exploded };
const char* to_string(SettleStatus status);

struct BodyMotion {
  model::BodyIndex body;
  double distance{0.0};  // [m] how far the body's centre of mass ended from where it began
  double angle{0.0};     // [rad] between the orientations
};

struct SettleResult {
  SettleStatus status{SettleStatus::still_moving};
  std::string message;              // why, when not settled
  double time{0.0};                 // [s] simulated
  model::Scene scene;               // bodies where they ended
  std::vector<BodyMotion> motions;  // of the movable bodies
  std::vector<std::string> notes;   // of the simulation
  std::string brief_report() const;
};

// Never throws for what the physics does; throws std::invalid_argument for bad options, SimulationError when
// the engine refuses the scene.
SettleResult settle(const model::Scene& scene, const SettleOptions& options = {});

}  // namespace prehend::simulate
