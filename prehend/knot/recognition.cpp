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
  if (before == after) return {SearchStatus::found, 0};
  return {candidates(before, after).empty() ? SearchStatus::not_found : SearchStatus::found, 1};
}

// Same end as before, and the other one. Both have the same answer whichever end the first state is read from.
std::array<Reading, 2> read_both(const PData& before, const PData& after, const MoveSearchOptions& search) {
  const PData other = swapped_ends(after);
  std::array<Reading, 2> readings{read_directly(before, after), read_directly(before, other)};
  if (readings[0].status == SearchStatus::found || readings[1].status == SearchStatus::found) return readings;
  MoveSearchOptions limited = search;
  for (const std::size_t k : {0U, 1U}) {
    const MovePath path = find_moves(before, k == 0 ? after : other, limited);
    readings[k] = {path.status, static_cast<int>(path.moves.size())};
    // A longer one would not be taken.
    if (path.status == SearchStatus::found) limited.max_moves = readings[k].moves;
  }
  return readings;
}

Transition describe(const PData& before, const PData& after, const MoveSearchOptions& search) {
  Transition transition;
  transition.status = SearchStatus::found;
  if (before == after) return transition;
  transition.candidates = candidates(before, after);
  if (!transition.candidates.empty()) {
    transition.moves = 1;
    transition.path = {transition.candidates.front()};
    return transition;
  }
  MovePath path = find_moves(before, after, search);
  transition.status = path.status;
  if (path.status != SearchStatus::found) return transition;
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
    const bool found = same.status == SearchStatus::found || other.status == SearchStatus::found;
    const auto allowed = [&](bool relation) {
      const Reading& reading = relation ? other : same;
      const Reading& rival = relation ? same : other;
      if (!found) return true;
      return reading.status == SearchStatus::found &&
             (rival.status != SearchStatus::found || reading.moves <= rival.moves);
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
  result.status = SearchStatus::found;
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
    if (reading.status == SearchStatus::found)
      transition = describe(result.states[t], result.states[t + 1], options.search);
    transition.swapped = swapped[t + 1];
    result.status = std::min(result.status, transition.status);
    result.transitions.push_back(std::move(transition));
  }
  return result;
}

std::string to_text(const Transition& transition) {
  std::string text = transition.swapped ? " (other end): " : ": ";
  if (transition.status == SearchStatus::not_found) {
    text += "no sequence of moves within the limit leads there";
  } else if (transition.status == SearchStatus::gave_up) {
    text += "no sequence of moves found before the limit on states";
  } else if (transition.moves == 0) {
    text += "nothing changed";
  } else if (!transition.candidates.empty()) {
    for (std::size_t k = 0; k < transition.candidates.size(); ++k)
      text += (k == 0 ? "" : ", or ") + to_text(transition.candidates[k]);
  } else {
    text += std::to_string(transition.moves) + " moves, for instance ";
    for (std::size_t k = 0; k < transition.path.size(); ++k)
      text += (k == 0 ? "" : ", then ") + to_text(transition.path[k]);
  }
  return text + "\n";
}

std::string Recognition::brief_report() const {
  std::string text;
  if (first_swapped) text += "state 1 is read from its other end\n";
  for (std::size_t t = 0; t < transitions.size(); ++t)
    text += std::to_string(t + 1) + " -> " + std::to_string(t + 2) + to_text(transitions[t]);
  return text;
}

}  // namespace prehend::knot
