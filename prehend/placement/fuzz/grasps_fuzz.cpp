// Any bytes as a grasp file; what is accepted has boxes and poses.
// Instrumented: grasp_file.cpp
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <prehend/model/input_error.h>
#include <prehend/placement/grasp_file.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const prehend::placement::Grasps grasps = prehend::placement::parse_grasps(text, "fuzz.json");
    if (grasps.gripper.empty() || grasps.X_OG.empty()) std::abort();
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
