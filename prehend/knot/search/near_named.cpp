#include <algorithm>
#include <array>
#include <unordered_set>

#include <prehend/knot/diagram.h>
#include <prehend/knot/moves.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/search/near_named.h>
#include <prehend/math/interrupt.h>

namespace prehend::knot {
namespace {

// One text for a code, its mirror image, both seen from below, and all of them read from the other end.
std::string class_key(const PData& data) {
  const PData below = seen_from_below(data);
  std::string smallest;
  for (const PData& seen :
       {canonical(data), canonical(mirrored(data)), canonical(below), canonical(mirrored(below))}) {
    std::string key;
    for (std::size_t i = 0; i < seen.sigma.size(); ++i) {
      key += static_cast<char>(seen.sigma[i]);
      key += static_cast<char>(seen.attr[i]);
    }
    if (smallest.empty() || key < smallest) smallest = std::move(key);
  }
  return smallest;
}

int most_named_crossings() {
  int most = 0;
  for (const NamedKnot& knot : named_knots()) most = std::max(most, knot.p_data.crossings());
  return most;
}

// R3, and R2 undone.
std::vector<PData> neighbours(const PData& data) {
  std::vector<PData> states;
  for (const Move& move : removing_moves(data))
    if (move.kind == MoveKind::r2) states.push_back(smoothed(apply_listed(data, move)));
  for (const Move& move : sliding_moves(Diagram(data))) states.push_back(smoothed(apply_listed(data, move)));
  return states;
}

}  // namespace

NearNamed near_named(const PData& data, const NearNamedOptions& options) {
  static const int kMostCrossings = most_named_crossings();
  NearNamed found;
  std::vector<PData> level{smoothed(data)};
  std::unordered_set<std::string> seen;
  for (int moves = 0; moves <= options.most_moves; ++moves) {
    std::vector<PData> next;
    for (const PData& state : level) {
      // Each move takes two crossings away at most, besides loops that it loosens: those count for two more.
      if (state.crossings() > kMostCrossings + 4 * (options.most_moves - moves)) continue;
      for (const std::string& name : names_of(state))
        if (std::find(found.names.begin(), found.names.end(), name) == found.names.end())
          found.names.push_back(name);
      if (moves == options.most_moves || !found.names.empty()) continue;
      math::check_interrupt();
      for (PData& other : neighbours(state)) {
        if (seen.size() >= options.most_states) break;
        if (seen.insert(class_key(other)).second) next.push_back(std::move(other));
      }
    }
    if (!found.names.empty()) {
      found.moves = moves;
      return found;
    }
    level = std::move(next);
  }
  return found;
}

}  // namespace prehend::knot
