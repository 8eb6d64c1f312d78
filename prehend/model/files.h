// Reading and writing whole files: bounded, gzip-aware, complete or absent.
#pragma once

#include <cstddef>
#include <stdexcept>
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

// A file that could not be written: no permission, a full disk. what() reads `FILE: error: WHAT: REASON`.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The file is complete or absent, also after a crash, Ctrl-C or a full disk: the bytes go to a file without a name,
// which gets its name when it is whole. Throws WriteError.
void write_file(const std::string& path, std::string_view bytes);

// For a process that is about to end at once (std::_Exit), from another thread: returns when no file is half written and lets
// none begin. A file that a slow disk holds up is waited for a fifth of a second.
void end_file_writing() noexcept;

}  // namespace prehend::model
