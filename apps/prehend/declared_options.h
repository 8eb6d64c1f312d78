// The options that a verb declares: for completion scripts and for suggestions.
#pragma once

#include <string>
#include <vector>

#include "verb.h"

namespace prehend::cli {

struct DeclaredOption {
  std::string name, help;
  bool takes_value{false};
};

// The verb's own, those of its parts (each name once) and those that every verb has.
std::vector<DeclaredOption> declared_options(const Verb& verb);

}  // namespace prehend::cli
