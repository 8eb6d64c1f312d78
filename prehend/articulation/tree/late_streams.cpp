#include <algorithm>
#include <cmath>

#include <prehend/articulation/evidence/stream_delay.h>
#include <prehend/articulation/tree/late_streams.h>
#include <prehend/articulation/tree/spanning_tree.h>

namespace prehend::articulation {

std::vector<double> stream_delays(const model::PoseLog& log) {
  constexpr int kMostParts = 12;         // bounds the time: all pairs are looked at
  constexpr double kLeastDelay = 0.002;  // [s] what clocks differ by without harm
  const int count = static_cast<int>(log.parts.size());
  if (count > kMostParts || count < 2) return {};
  std::vector<WeightedEdge> edges;
  std::vector<PairDelay> delays;
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b)
      if (const auto found = pair_delay(log, a, b)) {
        edges.push_back({a, b, found->score});
        delays.push_back(*found);
        if (!found->is_believed) delays.back().delay = 0.0;
      }
  // Along the connections that leave least.
  const std::vector<int> tree = best_spanning_tree(count, edges);
  const RootedTree rooted = rooted_tree(count, edges, tree, 0);
  std::vector<double> late(log.parts.size(), 0.0);
  for (const int part : rooted.order) {
    if (rooted.parent[part] < 0) continue;
    const int edge = rooted.parent_edge[part];
    late[part] = late[rooted.parent[part]] + (edges[edge].b == part ? 1 : -1) * delays[edge].delay;
  }
  // Most parts are in time.
  std::vector<double> sorted = late;
  std::ranges::sort(sorted);
  const double usual = sorted[(sorted.size() - 1) / 2];
  bool any = false;
  for (double& delay : late) {
    delay -= usual;
    if (std::abs(delay) < kLeastDelay) delay = 0.0;
    any = any || delay != 0.0;
  }
  return any ? late : std::vector<double>{};
}

}  // namespace prehend::articulation
