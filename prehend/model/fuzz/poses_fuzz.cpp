// Any bytes as a pose log.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <prehend/model/input_error.h>
#include <prehend/model/pose_log.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    parse_pose_log(bytes, "fuzz.csv");
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
