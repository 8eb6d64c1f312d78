#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>

#include <prehend/knot/move_search.h>
#include <prehend/knot/search/move_bound.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>

namespace prehend::knot {
namespace {

using Counts = std::array<int, 4>;

Counts plus(const Counts& a, const Counts& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }

struct HashOfState {
  std::size_t operator()(const PData& data) const {
    std::uint64_t hash = 1469598103934665603ULL;
    for (std::size_t i = 0; i < data.sigma.size(); ++i) {
      hash ^= static_cast<std::uint64_t>(data.sigma[i] * 4 + data.attr[i]);
      hash *= 1099511628211ULL;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

struct Node {
  const PData* state;  // key of the map, which keeps its place
  int parent;
  Move move;  // from the parent
  Counts counts;
};

// The states reached from one end.
struct Side {
  std::unordered_map<PData, int, HashOfState> index;
  std::vector<Node> nodes;
  std::size_t frontier_begin{0};
  int depth{0};

  explicit Side(const PData& root) {
    const auto entry = index.emplace(root, 0).first;
    nodes.push_back({&entry->first, -1, {}, count_crossings(root)});
  }
  std::size_t frontier() const { return nodes.size() - frontier_begin; }
};

// One level further. Returns the node where the sides meet, or -1; `full` when the limit on states was reached.
int expand(Side& side, const Side& goal, int length, std::size_t max_states, bool& full) {
  const std::size_t end = side.nodes.size();
  const Counts goal_counts = goal.nodes.front().counts;
  const int moves_left = length - side.depth - 1;
  for (std::size_t at = side.frontier_begin; at < end; ++at) {
    math::check_interrupt();
    for (const Move& move : all_moves(*side.nodes[at].state)) {
      const Counts counts = plus(side.nodes[at].counts, count_change(move));
      if (least_moves(counts, goal_counts) > moves_left) continue;
      auto [entry, is_new] =
          side.index.emplace(apply_listed(*side.nodes[at].state, move), static_cast<int>(side.nodes.size()));
      if (!is_new) continue;
      side.nodes.push_back({&entry->first, static_cast<int>(at), move, counts});
      if (goal.index.contains(entry->first)) return static_cast<int>(side.nodes.size()) - 1;
      if (side.nodes.size() + goal.nodes.size() > max_states) {
        full = true;
        return -1;
      }
    }
  }
  side.frontier_begin = end;
  ++side.depth;
  return -1;
}

void join_path(const Side& front, const Side& back, const PData& meeting, MovePath& path) {
  for (int at = front.index.at(meeting); at >= 0; at = front.nodes[static_cast<std::size_t>(at)].parent) {
    const Node& node = front.nodes[static_cast<std::size_t>(at)];
    path.states.push_back(*node.state);
    if (node.parent >= 0) path.moves.push_back(node.move);
  }
  std::reverse(path.states.begin(), path.states.end());
  std::reverse(path.moves.begin(), path.moves.end());
  for (int at = back.index.at(meeting);;) {
    const Node& node = back.nodes[static_cast<std::size_t>(at)];
    if (node.parent < 0) break;
    path.moves.push_back(inverse(node.move));
    at = node.parent;
    path.states.push_back(*back.nodes[static_cast<std::size_t>(at)].state);
  }
}

// All sequences of at most `length` moves.
void search_length(const PData& from, const PData& to, int length, std::size_t max_states, MovePath& path) {
  Side front(from), back(to);
  bool full = false;
  while (front.depth + back.depth < length && front.frontier() > 0 && back.frontier() > 0) {
    const bool forward = front.frontier() <= back.frontier();
    Side& side = forward ? front : back;
    const int met = expand(side, forward ? back : front, length, max_states, full);
    if (met >= 0) {
      join_path(front, back, *side.nodes[static_cast<std::size_t>(met)].state, path);
      path.status = SearchStatus::ok;
      break;
    }
    if (full) {
      path.status = SearchStatus::gave_up;
      break;
    }
  }
  path.visited += front.nodes.size() + back.nodes.size();
}

}  // namespace

void MoveSearchOptions::validate() const {
  const math::OptionCheck check("MoveSearchOptions");
  check.at_least("max_moves", max_moves, 0);
  check.at_least("max_states", static_cast<double>(max_states), 2);
}

const char* to_string(SearchStatus status) { return enum_text(status); }

MovePath find_moves(const PData& from, const PData& to, const MoveSearchOptions& options) {
  options.validate();
  for (const PData* state : {&from, &to}) {
    if (const std::string problem = find_problem(*state); !problem.empty())
      throw std::invalid_argument(problem);
  }
  MovePath path;
  path.lower_bound = least_moves(count_crossings(from), count_crossings(to));
  if (from == to) {
    path.status = SearchStatus::ok;
    path.states = {from};
    return path;
  }
  path.lower_bound = std::max(path.lower_bound, 1);
  path.status = SearchStatus::not_found;
  while (path.lower_bound <= options.max_moves) {
    if (path.visited + 2 > options.max_states) {
      path.status = SearchStatus::gave_up;
      return path;
    }
    search_length(from, to, path.lower_bound, options.max_states - path.visited, path);
    if (path.status != SearchStatus::not_found) return path;
    ++path.lower_bound;
  }
  return path;
}

}  // namespace prehend::knot
