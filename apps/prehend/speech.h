// Speech through the program espeak-ng, as a process of its own; silent where it is not installed.
#pragma once

#include <string>

namespace prehend::cli {

// Waits until it has been said. False: nothing was said.
bool speak(const std::string& text);

}  // namespace prehend::cli
