// Any bytes as a gzip file: unpacked within the limit or one InputError.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <unistd.h>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::model;
  // The magic number makes every input a gzip file.
  std::string bytes = "\x1f\x8b";
  bytes.append(reinterpret_cast<const char*>(data), size);
  const std::string path = "gzip_fuzz." + std::to_string(::getpid()) + ".gz";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return 0;
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  try {
    read_file(path, {.max_bytes = 1 << 20});
  } catch (const InputError&) {
    // The only way out that a file may take.
  }
  std::remove(path.c_str());
  return 0;
}
