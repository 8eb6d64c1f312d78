#include "same_part.h"

#include "verb.h"

namespace prehend::cli {

std::vector<std::vector<std::string>> same_parts(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> result;
  for (const std::string& word : words) {
    result.emplace_back();
    for (std::size_t at = 0; at <= word.size();) {
      const std::size_t end = std::min(word.find('+', at), word.size());
      if (end > at) result.back().push_back(word.substr(at, end - at));
      at = end + 1;
    }
    if (result.back().size() < 2)
      throw UsageError("--same-part is '" + word +
                       "'; it must be two names or more joined by +, such as door+door_low");
  }
  return result;
}

}  // namespace prehend::cli
