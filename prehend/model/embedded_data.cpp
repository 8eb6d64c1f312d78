#include <stdexcept>
#include <string>

#include <prehend/model/embedded_data.h>

namespace prehend::model {

std::string_view embedded_file(std::string_view name) {
  std::string known;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return file.text;
    known += (known.empty() ? "" : ", ") + std::string(file.name);
  }
  throw std::out_of_range("no embedded file '" + std::string(name) + "'; there are: " + known);
}

}  // namespace prehend::model
