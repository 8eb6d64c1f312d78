// Any bytes as a contact relation; what is accepted must be one.
#include <cstddef>
#include <cstdint>
#include <string>

#include <prehend/model/input_error.h>
#include <prehend/observation/contact_relation.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    prehend::observation::parse_contact_relation(text, "fuzz.json").validate();
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
