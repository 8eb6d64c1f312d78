#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <prehend/math/house/infinity.h>
#include <prehend/math/random.h>
#include <prehend/stability/methods/max_flow.h>

namespace prehend::stability {
namespace {

using math::kInfinity;

// Capacity of the edges that leave a set.
double cut(const std::vector<FlowEdge>& edges, const std::vector<bool>& set) {
  double sum = 0.0;
  for (const FlowEdge& edge : edges) {
    const bool from = set[static_cast<std::size_t>(edge.from)], to = set[static_cast<std::size_t>(edge.to)];
    if (from && !to) sum += edge.forward;
    if (to && !from) sum += edge.backward;
  }
  return sum;
}

TEST(MaxFlow, SeriesTakesTheLeastAndParallelsAdd) {
  const std::vector<FlowEdge> series{{0, 1, 3, 3}, {1, 2, 2, 2}};
  EXPECT_DOUBLE_EQ(max_flow(3, series, 0, 2).value, 2.0);
  const std::vector<FlowEdge> parallel{{0, 2, 3, 3}, {0, 1, 5, 5}, {1, 2, 2, 2}};
  EXPECT_DOUBLE_EQ(max_flow(3, parallel, 0, 2).value, 5.0);
}

TEST(MaxFlow, ADeadEndCarriesNothingAndRidesAlong) {
  // The middle block of a stack: what it could pass on to the upper one leads nowhere.
  const std::vector<FlowEdge> edges{{1, 0, 1, 1}, {1, 2, 2, 2}, {2, 3, 3, 3}};
  const FlowResult flow = max_flow(4, edges, 1, 3);
  EXPECT_DOUBLE_EQ(flow.value, 2.0);
  EXPECT_EQ(flow.source_side, (std::vector<bool>{true, true, false, false}));
}

TEST(MaxFlow, CapacitiesMayDifferByDirection) {
  const std::vector<FlowEdge> edges{{0, 1, 1, 7}};
  EXPECT_DOUBLE_EQ(max_flow(2, edges, 0, 1).value, 1.0);
  EXPECT_DOUBLE_EQ(max_flow(2, edges, 1, 0).value, 7.0);
}

TEST(MaxFlow, InfiniteEdges) {
  EXPECT_EQ(max_flow(3, std::vector<FlowEdge>{{0, 1, kInfinity, 0}, {1, 2, kInfinity, 0}}, 0, 2).value,
            kInfinity);
  EXPECT_EQ(max_flow(3, std::vector<FlowEdge>{{0, 1, kInfinity, 0}, {1, 2, 4, 0}}, 0, 2).value, 4.0);
  EXPECT_EQ(max_flow(3, std::vector<FlowEdge>{{0, 1, kInfinity, kInfinity}}, 0, 2).value, 0.0);
  EXPECT_EQ(max_flow(2, std::vector<FlowEdge>{}, 0, 1).value, 0.0);
}

TEST(MaxFlow, IsTheLeastOfAllCutsOfRandomNetworks) {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    math::RandomStream random(11, trial);
    const int nodes = 2 + static_cast<int>(random.below(7));
    std::vector<FlowEdge> edges;
    for (std::uint32_t i = 0, count = random.below(24); i < count; ++i) {
      const auto pick = [&] {
        const double kind = random.uniform();
        return kind < 0.15 ? kInfinity : kind < 0.3 ? 0.0 : random.uniform(0, 1e-3 + 10 * random.uniform());
      };
      const int from = static_cast<int>(random.below(static_cast<std::uint32_t>(nodes)));
      const int to = static_cast<int>(random.below(static_cast<std::uint32_t>(nodes)));
      // Many one-way streets, where a flow sent the wrong way has to be taken back.
      if (from != to) edges.push_back({from, to, pick(), random.uniform() < 0.7 ? 0.0 : pick()});
    }
    double least = kInfinity;
    for (int mask = 0; mask < 1 << nodes; ++mask) {
      if (!(mask & 1) || mask & 1 << (nodes - 1)) continue;
      std::vector<bool> set;
      for (int i = 0; i < nodes; ++i) set.push_back(mask >> i & 1);
      least = std::min(least, cut(edges, set));
    }
    const FlowResult flow = max_flow(nodes, edges, 0, nodes - 1);
    if (std::isinf(least)) {
      EXPECT_EQ(flow.value, kInfinity) << trial;
      continue;
    }
    EXPECT_NEAR(flow.value, least, 1e-9 * (1 + least)) << trial;
    EXPECT_NEAR(cut(edges, flow.source_side), least, 1e-9 * (1 + least)) << trial;
  }
}

TEST(MaxFlow, RefusesNonsense) {
  EXPECT_THROW(max_flow(2, std::vector<FlowEdge>{}, 0, 0), std::invalid_argument);
  EXPECT_THROW(max_flow(2, std::vector<FlowEdge>{{0, 2, 1, 1}}, 0, 1), std::invalid_argument);
  EXPECT_THROW(max_flow(2, std::vector<FlowEdge>{{0, 1, -1, 1}}, 0, 1), std::invalid_argument);
  EXPECT_THROW(max_flow(2, std::vector<FlowEdge>{{0, 1, std::nan(""), 1}}, 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
