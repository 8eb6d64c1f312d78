// Any bytes as a contact observer.
// Instrumented: contact_observer.cpp
#include <cstddef>
#include <cstdint>
#include <string>

#include <prehend/assist/contact_observer.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    prehend::assist::parse_observer(std::string(reinterpret_cast<const char*>(data), size), "fuzz.csv");
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
