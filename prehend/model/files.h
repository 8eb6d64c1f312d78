// Reading and writing whole files: bounded, gzip-aware, complete or absent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace prehend::model {

struct ReadOptions {
  // A file (after decompression) larger than this is refused; 2 GiB holds every log and mesh we have met, and a
  // gzip bomb is stopped before it fills the memory.
  std::size_t max_bytes{std::size_t{1} << 31};
};

// The file's bytes; gzip files (by magic number) are decompressed. Throws InputError: no such file, a folder, not
// readable, too large, broken or truncated gzip.
std::string read_file(const std::string& path, const ReadOptions& options = {});

// Writes to a temporary file beside `path` and renames it: the file is complete or absent, also after a crash or a
// full disk. Throws std::runtime_error naming the path and the reason.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace prehend::model
