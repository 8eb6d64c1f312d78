#include <mujoco/mujoco.h>

#include <prehend/model/house/engine_guard.h>
#include <prehend/simulate/mujoco/engine.h>

namespace prehend::simulate {

void DeleteModel::operator()(mjModel_* model) const { mj_deleteModel(model); }
void DeleteData::operator()(mjData_* data) const { mj_deleteData(data); }

void guarded(void (*function)(void*), void* argument) {
  try {
    model::call_engine(function, argument);
  } catch (const model::EngineError& error) {
    throw SimulationError(std::string("physics engine: ") + error.what());
  }
}

}  // namespace prehend::simulate
