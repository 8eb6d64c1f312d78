#include <utility>

#include <prehend/model/input_error.h>

namespace prehend::model {
namespace {
std::string sentence(const std::string& file, int line, const std::string& what) {
  return file + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": error: " + what;
}
}  // namespace

InputError::InputError(std::string file, int line, std::string what)
    : std::runtime_error(sentence(file, line, what)),
      file_(std::move(file)),
      line_(line),
      message_(std::move(what)) {}

}  // namespace prehend::model
