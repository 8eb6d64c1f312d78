// The options that a verb declares: for completion scripts, suggestions and messages.
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

// The library names fields, "PlacementOptions::time_limit is 0 s"; a user of the command line knows "--time-limit is 0 s". A field that is
// none of these options keeps its name.
std::string in_words_of_the_command_line(std::string message, const std::vector<DeclaredOption>& options);

}  // namespace prehend::cli
