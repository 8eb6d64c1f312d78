// Any bytes as a PCD cloud: points or one InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <prehend/model/input_error.h>
#include <prehend/model/meshes/mesh_readers.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    read_pcd(bytes, "fuzz.pcd");
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
