// Text of unknown origin inside HTML.
#pragma once

#include <string>
#include <string_view>

namespace prehend::report {

// Text of an HTML element or attribute: valid UTF-8 with & < > " ' escaped and control characters replaced.
std::string escaped_html(std::string_view bytes);

}  // namespace prehend::report
