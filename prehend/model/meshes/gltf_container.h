// The parts of a glTF that are no JSON: the chunks of a .glb, and buffers in data: addresses or in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace prehend::model {

// Little-endian 32-bit number; the caller knows that four bytes are there.
std::uint32_t word_at(std::string_view bytes, std::size_t at);

struct GlbChunks {
  std::string_view json;
  std::string_view binary;  // empty when there is none
};
// Throws InputError when a length does not fit the bytes.
GlbChunks open_glb(std::string_view bytes, const std::string& name);

// The bytes behind a buffer's `uri`: base64 data, or a file in the folder of `name` or below it. Anything
// else (networks, absolute paths, `..`, links that lead out of the folder) is an InputError.
std::string fetch_gltf_buffer(const std::string& uri, const std::string& name);

}  // namespace prehend::model
