// Errors of the physics engine as exceptions: nothing is printed, no log file is written, the process never ends.
//
// The engine knows one message handler per process and expects that an error does not return. Ours is installed once
// and asks what this thread is doing; threads that read scenes and threads that simulate do not disturb each other.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace prehend::model {

class EngineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While this lives, an engine error on this thread is thrown as EngineError. For the engine's parts written in C++
// (parser, compiler), which unwind properly.
class ThrowingEngine {
 public:
  ThrowingEngine();
  ~ThrowingEngine();
  ThrowingEngine(const ThrowingEngine&) = delete;
  ThrowingEngine& operator=(const ThrowingEngine&) = delete;
};

// Calls function(argument); an engine error ends the call by a jump and becomes an EngineError. For the engine's
// parts written in C (stepping). The function must not own anything that needs a destructor.
void call_engine(void (*function)(void*), void* argument);

// The engine's warnings on this thread since the last call (at most a hundred).
std::vector<std::string> take_engine_warnings();

}  // namespace prehend::model
