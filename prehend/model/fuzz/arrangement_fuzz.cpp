#include <prehend/model/fuzz/scene_fuzz.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return prehend::model::fuzz_scene(data, size, prehend::model::SceneFormat::arrangement);
}
