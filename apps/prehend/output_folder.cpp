#include "output_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "verb.h"

namespace prehend::cli {

void prepare_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError("cannot make the folder '" + folder + "': " + error.message() +
                     "; choose another with --out");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UsageError("cannot write into the folder '" + folder + "': " + std::strerror(errno) +
                     "; choose another with --out");
  }
}

}  // namespace prehend::cli
