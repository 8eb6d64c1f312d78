// Mistyped verbs and options, and what was probably meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verb.h"

namespace prehend::cli {

// The choice with the fewest typing mistakes (a letter wrong, missing, too many, or two swapped) or one that the word begins;
// empty where all are further away than a typist errs.
std::string nearest_word(const std::string& word, const std::vector<std::string>& choices);

// "unknown verb 'robustnes'; did you mean 'robustness'?" for a command line that the parser refused; none where all its verbs
// and options are known. `words` is without the program's name.
std::optional<std::string> spelling_mistake(const std::vector<std::string>& words,
                                            const std::vector<Verb>& verbs);

}  // namespace prehend::cli
