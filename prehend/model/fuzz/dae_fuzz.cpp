// Any bytes as a COLLADA: triangles or one InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    parse_mesh(bytes, MeshFormat::dae, "fuzz.dae");
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  return 0;
}
