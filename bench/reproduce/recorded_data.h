// Recordings of others, which are no part of the repository: where are they?
#pragma once

#include <cstdlib>
#include <string>

namespace prehend::reproduce {

// The folder of `--data`; without: PREHEND_SHARED_DATA of the environment, or ../shared/data seen from the current folder.
inline std::string recorded_data(const std::string& named) {
  if (!named.empty()) return named;
  const char* set = std::getenv("PREHEND_SHARED_DATA");
  return set != nullptr && *set != '\0' ? set : "../shared/data";
}

}  // namespace prehend::reproduce
