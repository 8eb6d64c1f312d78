// Any bytes as a camera calibration: refused with a sentence, or a camera that can be used.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <prehend/model/camera.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  try {
    const CameraModel camera = parse_calibration({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
    camera.validate();
    const auto ray = camera.ray({camera.cx, camera.cy});
    if (ray && !ray->allFinite()) std::abort();
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
