// How often this thread asks for memory, for verbs that promise not to.
#pragma once

#include <cstdint>

namespace prehend::cli {

// A function that returns how many times this thread has called malloc and its kin; null where they cannot be counted (sanitizers, other C libraries).
std::uint64_t (*allocation_counter())();

}  // namespace prehend::cli
