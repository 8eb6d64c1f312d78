// Any bytes as a track or a pose list of another program.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <prehend/model/input_error.h>
#include <prehend/model/track_file.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    parse_track(bytes, "fuzz.log");
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  try {
    parse_pose_list(bytes, "fuzz.list");
  } catch (const InputError&) {
  }
  return 0;
}
