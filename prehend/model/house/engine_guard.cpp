#include <csetjmp>
#include <cstring>
#include <mutex>

#include <mujoco/mujoco.h>

#include <prehend/model/house/engine_guard.h>

namespace prehend::model {
namespace {

// Plain data: it outlives a jump.
struct Escape {
  std::jmp_buf target;
  char message[1024];
};
thread_local Escape* escape = nullptr;
thread_local int throwing = 0;
thread_local std::vector<std::string> warnings;

void handle(const mjLogMessage* message) {
  if (message->level == mjLOG_ERROR && escape) {
    std::strncpy(escape->message, message->subject, sizeof escape->message - 1);
    escape->message[sizeof escape->message - 1] = '\0';
    std::longjmp(escape->target, 1);
  }
  if (message->level == mjLOG_ERROR && throwing > 0) throw EngineError(message->subject);
  if (message->level == mjLOG_WARNING && warnings.size() < 100) warnings.emplace_back(message->subject);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] { mju_setLogHandler(&handle); });
}

}  // namespace

ThrowingEngine::ThrowingEngine() {
  install_handler();
  ++throwing;
}
ThrowingEngine::~ThrowingEngine() { --throwing; }

void call_engine(void (*function)(void*), void* argument) {
  install_handler();
  Escape here;
  here.message[0] = '\0';
  Escape* const outer = escape;
  if (setjmp(here.target) == 0) {
    escape = &here;
    function(argument);
    escape = outer;
    return;
  }
  escape = outer;
  throw EngineError(here.message);
}

std::vector<std::string> take_engine_warnings() {
  std::vector<std::string> taken;
  taken.swap(warnings);
  return taken;
}

}  // namespace prehend::model
