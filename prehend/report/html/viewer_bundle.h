// The viewer that every report carries, as built from viewer/ and compiled into this library.
#pragma once

#include <string_view>

namespace prehend::report {

std::string_view viewer_script();
std::string_view viewer_style();
// "sha256-..." of the script: a report's content policy lets this one script run and no other.
std::string_view viewer_script_hash();

}  // namespace prehend::report
