// How much better the best sequence of relations is than the best other one.
#pragma once

#include <vector>

#include <prehend/observation/sequence/state_path.h>

namespace prehend::observation {

// A relation that is none of a run's own and its neighbours'.
struct RivalRelation {
  int relation{-1};
  double margin{0.0};  // [nats] of the path over the best sequence that passes it within the run
};

struct RunMargin {
  std::size_t first{0}, last{0};  // frames
  // [nats] Over the best sequence in which these frames do not show the run's relation; below zero for a single frame that is more likely astray.
  double without{0.0};
  std::vector<RivalRelation> rivals;  // all there are, the nearest first
};

// One entry per run of frames under one relation. Costs as much as finding the path twice.
std::vector<RunMargin> path_margins(const RelationTable& table, const PathPrices& prices,
                                    const StatePath& path);

}  // namespace prehend::observation
