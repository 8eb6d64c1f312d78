// How much better the best sequence of relations is than the best other one.
#pragma once

#include <vector>

#include <prehend/observation/sequence/state_path.h>

namespace prehend::observation {

struct RunMargin {
  std::size_t first{0}, last{0};  // frames
  double without{0.0};  // [nats] over the best sequence in which these frames do not show the run's relation
  double other{
      0.0};  // [nats] over the best one that passes another relation within them, none of those before and after
  int other_relation{-1};
};

// One entry per run of frames under one relation. Costs as much as finding the path twice.
std::vector<RunMargin> path_margins(const RelationTable& table, const PathPrices& prices,
                                    const StatePath& path);

}  // namespace prehend::observation
