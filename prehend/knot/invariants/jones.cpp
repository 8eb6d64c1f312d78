#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include <prehend/knot/invariants/jones.h>
#include <prehend/knot/layout/closed_faces.h>

namespace prehend::knot {
namespace {

// Which open edge is joined to which behind the frontier, by edge number; 0: not open.
using Joined = std::vector<int>;

// Joins two ends that meet at the crossing taken in; true when that closes a loop.
bool join(Joined& joined, int x, int y) {
  if (x == y) return true;  // both ends of one edge, new to the frontier
  int& at_x = joined[static_cast<std::size_t>(x)];
  int& at_y = joined[static_cast<std::size_t>(y)];
  if (at_x == y) {
    at_x = at_y = 0;
    return true;
  }
  const int far_x = at_x != 0 ? at_x : x, far_y = at_y != 0 ? at_y : y;
  at_x = at_y = 0;
  joined[static_cast<std::size_t>(far_x)] = far_y;
  joined[static_cast<std::size_t>(far_y)] = far_x;
  return false;
}

// The crossings in an order that keeps the frontier short: next the one with most edges on it.
std::vector<CrossingEdges> swept(std::vector<CrossingEdges> crossings) {
  std::vector<int> seen(2 * crossings.size() + 1, 0);
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    std::size_t best = k;
    int most = -1;
    for (std::size_t i = k; i < crossings.size(); ++i) {
      int known = 0;
      for (const int edge : crossings[i].edge) known += seen[static_cast<std::size_t>(edge)];
      if (known > most) {
        most = known;
        best = i;
      }
    }
    std::swap(crossings[k], crossings[best]);
    for (const int edge : crossings[k].edge) ++seen[static_cast<std::size_t>(edge)];
  }
  return crossings;
}

Laurent with_loops(Laurent polynomial, int loops) {
  static const Laurent loop{-2, {-1, 0, 0, 0, -1}};
  for (int i = 0; i < loops; ++i) polynomial = polynomial * loop;
  return polynomial;
}

std::optional<Laurent> bracket(const ClosedDiagram& diagram, const JonesOptions& options) {
  const std::vector<CrossingEdges> crossings = swept(crossings_of(diagram));
  const std::size_t edges = 2 * crossings.size();
  std::vector<int> seen(edges + 1, 0);
  std::vector<int> frontier;
  // Keys list the partners along the frontier, two bytes each.
  std::unordered_map<std::string, Laurent> states{{"", Laurent::monomial(1, 0)}};
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    const auto& [a, b, c, d] = crossings[k].edge;
    std::vector<int> next_frontier = frontier;
    for (const int edge : crossings[k].edge) {
      if (++seen[static_cast<std::size_t>(edge)] == 1) next_frontier.push_back(edge);
    }
    std::erase_if(next_frontier, [&](int edge) { return seen[static_cast<std::size_t>(edge)] == 2; });
    std::unordered_map<std::string, Laurent> next;
    for (const auto& [key, polynomial] : states) {
      Joined joined(edges + 1, 0);
      for (std::size_t i = 0; i < frontier.size(); ++i) {
        joined[static_cast<std::size_t>(frontier[i])] =
            static_cast<unsigned char>(key[2 * i]) * 256 + static_cast<unsigned char>(key[2 * i + 1]);
      }
      for (const int power : {1, -1}) {
        Joined after = joined;
        int loops = 0;
        loops += join(after, a, power > 0 ? b : d);
        loops += join(after, c, power > 0 ? d : b);
        // The bracket of a single loop is 1: the last one does not count.
        if (k + 1 == crossings.size()) --loops;
        std::string next_key;
        for (const int edge : next_frontier) {
          const int partner = after[static_cast<std::size_t>(edge)];
          next_key.push_back(static_cast<char>(partner / 256));
          next_key.push_back(static_cast<char>(partner % 256));
        }
        next[next_key].add(with_loops(polynomial, loops), power);
      }
    }
    if (next.size() > options.max_states) return std::nullopt;
    states = std::move(next);
    frontier = std::move(next_frontier);
  }
  return states.begin()->second;
}

}  // namespace

std::optional<Laurent> jones_polynomial(const ClosedDiagram& diagram, const JonesOptions& options) {
  const std::optional<Laurent> in_A = bracket(diagram, options);
  if (!in_A) return std::nullopt;
  const int w = writhe(diagram.loop);
  Laurent in_t;
  for (std::size_t i = 0; i < in_A->coefficients.size(); ++i) {
    const int power = in_A->low + static_cast<int>(i) - 3 * w;
    const std::int64_t sign = w % 2 == 0 ? 1 : -1;
    if (in_A->coefficients[i] != 0) in_t.add(Laurent::monomial(sign * in_A->coefficients[i], -power / 4));
  }
  return in_t;
}

}  // namespace prehend::knot
