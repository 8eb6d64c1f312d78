#include <algorithm>
#include <array>
#include <stdexcept>

#include <prehend/knot/recognition.h>
#include <prehend/math/progress.h>

namespace prehend::knot {
namespace {

// A transition for one choice of the second state's first end, given the first state's.
struct Reading {
  SearchStatus status{SearchStatus::not_found};
  int moves{0};
};

Reading read_directly(const PData& before, const PData& after) {
  if (before == after) return {SearchStatus::ok, 0};
  return {candidates(before, after).empty() ? SearchStatus::not_found : SearchStatus::ok, 1};
}

// Same end as before, and the other one. Both have the same answer whichever end the first state is read from.
std::array<Reading, 2> read_both(const PData& before, const PData& after, const MoveSearchOptions& search) {
  const PData other = swapped_ends(after);
  std::array<Reading, 2> readings{read_directly(before, after), read_directly(before, other)};
  if (readings[0].status == SearchStatus::ok || readings[1].status == SearchStatus::ok) return readings;
  MoveSearchOptions limited = search;
  for (const std::size_t k : {0U, 1U}) {
    const MovePath path = find_moves(before, k == 0 ? after : other, limited);
    readings[k] = {path.status, static_cast<int>(path.moves.size())};
    // A longer one would not be taken.
    if (path.status == SearchStatus::ok) limited.max_moves = readings[k].moves;
  }
  return readings;
}

Transition describe(const PData& before, const PData& after, const MoveSearchOptions& search) {
  Transition transition;
  transition.status = SearchStatus::ok;
  if (before == after) return transition;
  transition.candidates = candidates(before, after);
  if (!transition.candidates.empty()) {
    transition.moves = 1;
    transition.path = {transition.candidates.front()};
    return transition;
  }
  MovePath path = find_moves(before, after, search);
  transition.status = path.status;
  if (path.status != SearchStatus::ok) return transition;
  transition.moves = static_cast<int>(path.moves.size());
  transition.between.assign(path.states.begin() + 1, path.states.end() - 1);
  transition.path = std::move(path.moves);
  return transition;
}

// Which states to read from their other end: the readings that need the fewest moves, with the fewest swaps.
std::vector<bool> choose_ends(const std::vector<std::array<Reading, 2>>& readings) {
  struct Best {
    int swaps;
    bool previous_swapped;
  };
  std::vector<std::array<Best, 2>> best{{Best{0, false}, Best{1, false}}};
  for (const auto& [same, other] : readings) {
    const bool found = same.status == SearchStatus::ok || other.status == SearchStatus::ok;
    const auto allowed = [&](bool relation) {
      const Reading& reading = relation ? other : same;
      const Reading& rival = relation ? same : other;
      if (!found) return true;
      return reading.status == SearchStatus::ok &&
             (rival.status != SearchStatus::ok || reading.moves <= rival.moves);
    };
    const std::array<Best, 2> last = best.back();
    std::array<Best, 2> next{};
    for (const bool swapped : {false, true}) {
      Best choice{-1, false};
      for (const bool previous : {false, true}) {
        if (!allowed(previous != swapped)) continue;
        const int swaps = last[previous ? 1 : 0].swaps + (swapped ? 1 : 0);
        if (choice.swaps < 0 || swaps < choice.swaps) choice = {swaps, previous};
      }
      next[swapped ? 1 : 0] = choice;
    }
    best.push_back(next);
  }
  std::vector<bool> swapped(best.size());
  bool now = best.back()[1].swaps < best.back()[0].swaps;
  for (std::size_t t = best.size(); t-- > 0;) {
    swapped[t] = now;
    now = best[t][now ? 1 : 0].previous_swapped;
  }
  return swapped;
}

}  // namespace

Recognition recognise(std::span<const PData> states, const RecognitionOptions& options) {
  options.search.validate();
  for (std::size_t t = 0; t < states.size(); ++t) {
    if (const std::string problem = find_problem(states[t]); !problem.empty())
      throw std::invalid_argument("state " + std::to_string(t + 1) + ": " + problem);
  }
  Recognition result;
  result.status = SearchStatus::ok;
  if (states.empty()) return result;
  std::vector<std::array<Reading, 2>> readings;
  math::Progress progress("moves between states", states.size());
  for (std::size_t t = 0; t + 1 < states.size(); ++t, progress.advance())
    readings.push_back(read_both(states[t], states[t + 1], options.search));
  const std::vector<bool> swapped = choose_ends(readings);
  for (std::size_t t = 0; t < states.size(); ++t) {
    result.states.push_back(swapped[t] ? swapped_ends(states[t]) : states[t]);
    result.swaps += swapped[t] ? 1 : 0;
  }
  result.first_swapped = swapped[0];
  for (std::size_t t = 0; t + 1 < states.size(); ++t) {
    const Reading& reading = readings[t][swapped[t] != swapped[t + 1] ? 1 : 0];
    Transition transition;
    transition.status = reading.status;
    // What was searched in vain need not be searched again.
    if (reading.status == SearchStatus::ok)
      transition = describe(result.states[t], result.states[t + 1], options.search);
    transition.swapped = swapped[t + 1];
    result.status = std::min(result.status, transition.status);
    result.transitions.push_back(std::move(transition));
  }
  return result;
}

}  // namespace prehend::knot
