// Streams that arrive late: one part's stamps are later than another's by a constant time.
//
// Where both parts move, a late stream moves one against the other by speed times delay, and joints of more freedoms follow that. Of two parts, the delay with
// which a rigid, sliding or turning connection is most likely is looked for within kLongestDelay; it is believed where it is far more likely than the opposite
// delay: 0.4 nats per frame. A part that moves in a resting one shows no delay, and none is needed there.
#pragma once

#include <optional>

#include <prehend/model/pose_log.h>

namespace prehend::articulation {

inline constexpr double kLongestDelay = 0.2;  // [s]

struct PairDelay {
  double delay{0};  // [s] by which `moving` is later than `fixed`
  double score{0};  // [nats per frame] of the most likely connection with it
  bool is_believed{false};  // otherwise it is no more than not ruled out
};
// Absent where the two are seen together too rarely, or lack an orientation.
std::optional<PairDelay> pair_delay(const model::PoseLog& log, int fixed, int moving);

}  // namespace prehend::articulation
