#include "example_data.h"

#include <filesystem>

namespace prehend::cli {
namespace {

namespace fs = std::filesystem;

// Empty where the program's data cannot be found.
fs::path data_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  // Installed: PREFIX/bin; in a build tree: SOURCES/build/NAME/bin.
  for (const char* place : {"../share/prehend/data", "../../../data"}) {
    const fs::path folder = (program / place).lexically_normal();
    if (fs::exists(folder / "scenes", error)) return folder;
  }
  return {};
}

}  // namespace

std::string runnable_example(const std::string& example) {
  const std::string word = " data/";
  std::error_code error;
  const fs::path folder = data_folder();
  if (folder.empty()) return example;
  std::string text = example;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    const std::size_t begin = at + 1, end = std::min(text.find(' ', begin), text.size());
    const std::string file = text.substr(begin, end - begin);
    at = end;
    if (fs::exists(file, error)) continue;
    const std::string installed = (folder / file.substr(word.size() - 1)).string();
    const bool plain = installed.find_first_of(" '\"\\$`&|;()<>*?") == std::string::npos;
    text.replace(begin, file.size(), plain ? installed : "\"" + installed + "\"");
    at = begin + installed.size();
  }
  return text;
}

}  // namespace prehend::cli
