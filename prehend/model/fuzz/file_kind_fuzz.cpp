// Any bytes as a file of unknown kind.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <prehend/model/file_kind.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    detect_file_type(bytes, "fuzz");
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
