// --same-part of the verbs that read tracked poses.
#pragma once

#include <string>
#include <vector>

namespace prehend::cli {

inline constexpr char kSamePartHelp[] =
    "Markers on one part, names joined by +: door+door_low; the first stands for the part";

// Lists of names; a UsageError where one is not two names or more.
std::vector<std::vector<std::string>> same_parts(const std::vector<std::string>& words);

}  // namespace prehend::cli
