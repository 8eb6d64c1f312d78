// Runs one verb for the user: progress while it runs, Ctrl-C, errors as exit codes, what it wrote.
#pragma once

#include <string>

#include "verb.h"

namespace prehend::cli {

// `name` as messages and documents have it: "knot read". Returns the exit code; prints everything.
int run_verb(const Verb& verb, const std::string& name, const Shared& shared);

}  // namespace prehend::cli
