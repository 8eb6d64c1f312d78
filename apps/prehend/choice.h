// Words of the command line that name one of an enum's values.
#pragma once

#include <string>

#include "verb.h"
#include <prehend/math/enum_text.h>

namespace prehend::cli {

// A UsageError names the option and the choices.
template <class Enum>
Enum choice_of(const std::string& option, const std::string& word) {
  const auto choice = from_string<Enum>(word);
  if (!choice) throw UsageError(option + ": there is no '" + word + "'; it must be " + enum_choices<Enum>());
  return *choice;
}

}  // namespace prehend::cli
