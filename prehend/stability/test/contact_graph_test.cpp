#include <algorithm>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/stability/methods/contact_graph.h>

namespace prehend::stability {
namespace {

// Movable bodies 0 .. bodies - 1; the ground is `bodies`.
ContactGraph graph_of(int bodies, const std::vector<std::pair<int, int>>& touching) {
  ContactSystem system;
  system.bodies.resize(static_cast<std::size_t>(bodies));
  const auto node = [&](int i) { return i == bodies ? NodeIndex() : NodeIndex(i); };
  for (const auto& [a, b] : touching) {
    SystemInterface interface;
    interface.a = node(a);
    interface.b = node(b);
    system.interfaces.push_back(interface);
  }
  return make_contact_graph(system);
}

std::vector<BodySet> all_sets(const ContactGraph& graph, int body) {
  std::vector<BodySet> sets;
  SuperObjectSearch search(graph, NodeIndex(body));
  BodySet set;
  while (search.next(set)) sets.push_back(set);
  return sets;
}

TEST(ContactGraph, AStackHasOneCutBelowEachBody) {
  const ContactGraph graph = graph_of(3, {{3, 0}, {0, 1}, {1, 2}});
  EXPECT_EQ(all_sets(graph, 2),
            (std::vector<BodySet>{{false, false, true}, {false, true, true}, {true, true, true}}));
  EXPECT_EQ(all_sets(graph, 1),
            (std::vector<BodySet>{{false, true, true}, {true, true, true}}));  // 2 rides along
  EXPECT_EQ(all_sets(graph, 0), (std::vector<BodySet>{{true, true, true}}));
}

TEST(ContactGraph, AnUpperBlockThatIsHeldNeedNotRide) {
  const ContactGraph graph = graph_of(3, {{3, 0}, {0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(all_sets(graph, 1).size(), 4U);  // {1}, {0,1}, {1,2}, {0,1,2}
}

// By definition: connected, contains the body, and the rest hangs together with the ground.
TEST(ContactGraph, SetsAreThoseOfTheDefinitionInRandomGraphs) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    math::RandomStream random(5, trial);
    const int bodies = 2 + static_cast<int>(random.below(6));
    std::vector<std::pair<int, int>> touching;
    for (int i = 0; i < bodies; ++i) {  // everybody has a way to the ground
      touching.emplace_back(i,
                            i + 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(bodies - i))));
    }
    for (std::uint32_t i = 0, more = random.below(6); i < more; ++i) {
      const int a = static_cast<int>(random.below(static_cast<std::uint32_t>(bodies + 1)));
      const int b = static_cast<int>(random.below(static_cast<std::uint32_t>(bodies + 1)));
      if (a != b) touching.emplace_back(a, b);
    }
    const ContactGraph graph = graph_of(bodies, touching);
    const auto is_connected = [&](const std::vector<bool>& in) {  // by node, with the ground
      const auto first = std::find(in.begin(), in.end(), true);
      std::vector<bool> seen(in.size(), false);
      std::function<void(int)> visit = [&](int node) {
        seen[static_cast<std::size_t>(node)] = true;
        for (const auto& [a, b] : touching) {
          if (a != node && b != node) continue;
          const int other = a == node ? b : a;
          if (in[static_cast<std::size_t>(other)] && !seen[static_cast<std::size_t>(other)]) visit(other);
        }
      };
      visit(static_cast<int>(first - in.begin()));
      return seen == in;
    };
    std::set<BodySet> expected;
    for (int mask = 1; mask < 1 << bodies; mask += 2) {
      std::vector<bool> in(static_cast<std::size_t>(bodies) + 1, false), out(in);
      for (int i = 0; i < bodies; ++i) in[static_cast<std::size_t>(i)] = mask >> i & 1;
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = !in[i];
      if (is_connected(in) && is_connected(out)) expected.emplace(in.begin(), in.end() - 1);
    }
    const std::vector<BodySet> found = all_sets(graph, 0);
    EXPECT_EQ(std::set<BodySet>(found.begin(), found.end()), expected) << trial;
    EXPECT_EQ(found.size(), expected.size()) << trial;  // each once
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const BodySet& x, const BodySet& y) {
      return std::count(x.begin(), x.end(), true) < std::count(y.begin(), y.end(), true);
    }));
  }
}

TEST(ContactGraph, PathsLeaveOutWhatHangsOnOneNode) {
  // 1 stands on 0, 2 and 3 stand on 1 and touch each other; 4 stands on the ground beside 0 and touches it.
  const ContactGraph graph = graph_of(5, {{5, 0}, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {5, 4}, {0, 4}});
  const auto path = [&](int body) {
    std::vector<int> list;
    for (const InterfaceIndex i : path_interfaces(graph, NodeIndex(body))) list.push_back(i.value());
    return list;
  };
  EXPECT_EQ(path(0), (std::vector<int>{0, 5, 6}));
  EXPECT_EQ(path(1), (std::vector<int>{0, 1, 5, 6}));
  EXPECT_EQ(path(2), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(ContactGraph, PathsAreSimplePathsInRandomGraphs) {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    math::RandomStream random(6, trial);
    const int bodies = 2 + static_cast<int>(random.below(4));
    std::vector<std::pair<int, int>> touching;
    for (int i = 0; i < 8; ++i) {
      const int a = static_cast<int>(random.below(static_cast<std::uint32_t>(bodies + 1)));
      const int b = static_cast<int>(random.below(static_cast<std::uint32_t>(bodies + 1)));
      if (a != b) touching.emplace_back(a, b);
    }
    std::set<int> expected;
    std::vector<bool> seen(static_cast<std::size_t>(bodies) + 1, false);
    std::vector<int> edges;
    std::function<void(int)> walk = [&](int node) {
      if (node == bodies) {
        expected.insert(edges.begin(), edges.end());
        return;
      }
      seen[static_cast<std::size_t>(node)] = true;
      for (std::size_t i = 0; i < touching.size(); ++i) {
        if (touching[i].first != node && touching[i].second != node) continue;
        const int other = touching[i].first == node ? touching[i].second : touching[i].first;
        if (seen[static_cast<std::size_t>(other)]) continue;
        edges.push_back(static_cast<int>(i));
        walk(other);
        edges.pop_back();
      }
      seen[static_cast<std::size_t>(node)] = false;
    };
    walk(0);
    std::set<int> found;
    for (const InterfaceIndex i : path_interfaces(graph_of(bodies, touching), NodeIndex(0)))
      found.insert(i.value());
    EXPECT_EQ(found, expected) << trial;
  }
}

}  // namespace
}  // namespace prehend::stability
