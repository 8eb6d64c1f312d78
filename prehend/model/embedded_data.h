// The default objects and scenes that come with the library, so that demos and tutorials need no file.
#pragma once

#include <span>
#include <string_view>

namespace prehend::model {

struct EmbeddedFile {
  std::string_view name;  // path below data/: "scenes/stack.xml"
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

// The text of one of them; throws std::out_of_range naming those that exist.
std::string_view embedded_file(std::string_view name);

}  // namespace prehend::model
