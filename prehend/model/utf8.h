// Text of unknown origin made valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace prehend::model {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

// The first character of `bytes`, or the replacement character when they begin with none; `bytes` moves past it. Each
// maximal invalid sequence counts as one, as browsers do (Unicode 15, table 3-7: overlong forms, surrogates and
// values past U+10FFFF are invalid). `bytes` must not be empty.
std::string_view take_character(std::string_view& bytes);

std::string cleaned_utf8(std::string_view bytes);

}  // namespace prehend::model
