// Which of several streams of poses are late, and by how much: delays between pairs (evidence/stream_delay.h), along the tree of pairs that a simple
// connection explains best.
#pragma once

#include <vector>

#include <prehend/model/pose_log.h>

namespace prehend::articulation {

// [s] Of each part, zero for most; empty where no part is late, and for logs of more than twelve parts.
std::vector<double> stream_delays(const model::PoseLog& log);

}  // namespace prehend::articulation
