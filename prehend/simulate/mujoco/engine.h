// The physics engine, seen from the rest of this room; nothing outside includes this header.
//
// MuJoCo reports errors through a log handler and would end the process; here every call that may fail runs
// inside guarded(), which turns the engine's error into a SimulationError. Nothing is printed and no log file
// is written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <prehend/model/scene.h>
#include <prehend/simulate/simulation.h>

struct mjModel_;
struct mjData_;

namespace prehend::simulate {

struct DeleteModel {
  void operator()(mjModel_* model) const;
};
struct DeleteData {
  void operator()(mjData_* data) const;
};

// Where a joint of the scene lives among the engine's coordinates; -1 when it has none (rigid, or not
// simulated).
struct JointAddress {
  int position{-1};  // first of its coordinates
  int velocity{-1};  // first of its degrees of freedom
  int positions{0};  // how many of each
  int velocities{0};
};

struct EngineModel {
  std::unique_ptr<mjModel_, DeleteModel> model;
  std::vector<int> body_ids;             // engine's body of each body of the scene
  std::vector<model::BodyIndex> bodies;  // and back, by the engine's body id
  std::vector<model::GeomRef> geoms;     // by the engine's geom id
  std::vector<JointAddress> joints;      // by JointIndex
  std::vector<std::string> notes;        // how the engine's physics differs from the scene
};

// Throws SimulationError when the engine refuses the scene, with the engine's reason.
EngineModel build_engine_model(const model::Scene& scene, const SimulationOptions& options);

// model::call_engine() whose error is a SimulationError.
void guarded(void (*function)(void*), void* argument);

}  // namespace prehend::simulate
