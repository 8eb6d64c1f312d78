// Test support: where the checkout and the recordings are. No path is compiled into a program.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace prehend::test {

// PREHEND_SOURCE, as ctest sets it, or the nearest folder above the current one that is a checkout.
inline std::string source_folder() {
  if (const char* named = std::getenv("PREHEND_SOURCE"); named != nullptr && *named != '\0') return named;
  for (std::filesystem::path folder = std::filesystem::current_path();; folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / "data" / "README.md")) return folder.string();
    if (folder == folder.parent_path()) return ".";
  }
}

// Recordings of others that are no part of the repository: PREHEND_SHARED_DATA, or ../shared/data beside the checkout.
// The folder need not exist: tests that want it are skipped then.
inline std::string shared_data() {
  if (const char* named = std::getenv("PREHEND_SHARED_DATA"); named != nullptr && *named != '\0')
    return named;
  return (std::filesystem::path(source_folder()).parent_path() / "shared" / "data").string();
}

}  // namespace prehend::test
