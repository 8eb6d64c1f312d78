// Any bytes as a scenario; what is accepted must make a controller's tables.
// Instrumented: scenario.cpp scenario_reader.cpp
#include <cstddef>
#include <cstdint>
#include <string>

#include <prehend/assist/scenario.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (text.find("urdf") == std::string::npos) prehend::assist::parse_scenario(text, "fuzz.yaml");  // opens no further file
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
