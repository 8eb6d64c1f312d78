// Parts that were stamped by different clocks, brought to the frames of one.
//
// Parts share a clock where a fifth or more of the times of the one that is seen less often are times of the other, too. With more than one clock, the slowest
// gives the frames; poses of the other parts are interpolated between their rows (pose_between.h), where these are near enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// Absent where all of the parts share a clock, or fewer than two are asked for. Other parts' rows are left out. Notes: one sentence per part that was
// interpolated.
std::optional<model::PoseLog> on_one_clock(const model::PoseLog& log, const std::vector<int>& parts,
                                           double tolerance, std::vector<std::string>& notes);

// The poses of one part with every stamp made earlier by `delay` [s].
model::PoseLog made_earlier(model::PoseLog log, int part, double delay);

}  // namespace prehend::articulation
