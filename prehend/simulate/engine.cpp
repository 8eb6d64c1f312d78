#include <csetjmp>
#include <cstring>
#include <mutex>

#include <mujoco/mujoco.h>

#include <prehend/simulate/engine.h>

namespace prehend::simulate {
namespace {

// What the handler needs to know about the call in progress on this thread. Plain data: it outlives a jump.
struct Guard {
  std::jmp_buf escape;
  char message[1024];
};
thread_local Guard* active_guard = nullptr;
thread_local std::vector<std::string> warnings;

void handle(const mjLogMessage* message) {
  if (message->level == mjLOG_ERROR && active_guard) {
    std::strncpy(active_guard->message, message->subject, sizeof active_guard->message - 1);
    active_guard->message[sizeof active_guard->message - 1] = '\0';
    std::longjmp(active_guard->escape, 1);
  }
  if (message->level == mjLOG_WARNING && warnings.size() < 100) warnings.emplace_back(message->subject);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] { mju_setLogHandler(&handle); });
}

}  // namespace

void DeleteModel::operator()(mjModel_* model) const { mj_deleteModel(model); }
void DeleteData::operator()(mjData_* data) const { mj_deleteData(data); }

void guarded(void (*function)(void*), void* argument) {
  install_handler();
  Guard guard;
  guard.message[0] = '\0';
  Guard* const outer = active_guard;
  if (setjmp(guard.escape) == 0) {
    active_guard = &guard;
    function(argument);
    active_guard = outer;
    return;
  }
  active_guard = outer;
  throw SimulationError(std::string("physics engine: ") + guard.message);
}

std::vector<std::string> take_engine_warnings() {
  std::vector<std::string> taken;
  taken.swap(warnings);
  return taken;
}

}  // namespace prehend::simulate
