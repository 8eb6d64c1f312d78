#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/recognition.h>
#include <prehend/knot/test/reachable_states.h>

namespace prehend::knot {
namespace {

using Key = std::pair<std::vector<int>, std::vector<int>>;
Key key(const PData& data) { return {data.sigma, data.attr}; }

std::vector<Move> sorted(std::vector<Move> moves) {
  std::sort(moves.begin(), moves.end());
  return moves;
}

TEST(Candidates, EqualBruteForceOverAllMoves) {
  // Every neighbour of every small state: the moves that the faces allow, applied one by one.
  int transitions = 0, slides = 0;
  std::vector<ReachedState> states = reachable_states(3, 3);
  for (std::uint64_t k = 0; k < 1500; ++k) {
    math::RandomStream random(5, k);
    states.push_back({random_state(random, 8, 7), 0});
  }
  for (std::size_t s = 0; s < states.size(); s += s < 3000 ? 10 : 1) {
    const PData& state = states[s].state;
    std::map<Key, std::vector<Move>> by_result;
    for (const Move& move : all_moves(state)) by_result[key(apply_listed(state, move))].push_back(move);
    for (auto& [result, moves] : by_result) {
      const PData next{result.first, result.second};
      ASSERT_EQ(sorted(candidates(state, next)), sorted(moves)) << to_text(state) << " to " << to_text(next);
      ++transitions;
      slides += moves.front().kind == MoveKind::r3 ? 1 : 0;
    }
  }
  EXPECT_GT(transitions, 20000);
  EXPECT_GT(slides, 20);
}

TEST(Candidates, AllPairsOfTinyStates) {
  const std::vector<ReachedState> states = reachable_states(2, 2);
  for (const auto& [before, d] : states) {
    const std::vector<Move> moves = all_moves(before);
    for (const auto& [after, e] : states) {
      std::vector<Move> expected;
      for (const Move& move : moves) {
        if (apply_listed(before, move) == after) expected.push_back(move);
      }
      ASSERT_EQ(sorted(candidates(before, after)), sorted(expected));
    }
  }
}

// The source's 5.3.2 with i < j misses every finger laid over its own segment.
TEST(Slips, ASegmentOverItself) {
  const PData after{{4, 3, 2, 1}, {1, 3, 4, 2}};
  ASSERT_EQ(find_problem(after), "");
  const std::vector<Move> found = candidates({}, after);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, MoveKind::r2);
  EXPECT_EQ(found[0].segments[0], found[0].segments[1]);
}

// The source's type of three segments: 'A' to 'H', or '-' when they do not cross each other as it says.
char printed_type(const PData& p, int i, int j, int k) {
  const auto is = [&p](int a, int b) { return p.other(a) == b; };
  if (is(i - 1, j - 1) && is(i, k - 1) && is(j, k)) return 'A';
  if (is(i - 1, j - 1) && is(i, k) && is(j, k - 1)) return 'B';
  if (is(i - 1, j) && is(i, k - 1) && is(j - 1, k)) return 'C';
  if (is(i - 1, j) && is(i, k) && is(j - 1, k - 1)) return 'D';
  if (is(i - 1, k - 1) && is(i, j - 1) && is(j, k)) return 'E';
  if (is(i - 1, k) && is(i, j - 1) && is(j, k - 1)) return 'F';
  if (is(i - 1, k - 1) && is(i, j) && is(j - 1, k)) return 'G';
  if (is(i - 1, k) && is(i, j) && is(j - 1, k - 1)) return 'H';
  return '-';
}

// Its steps 1 to 4 as printed, but for the range of the segments.
bool printed_r3(const PData& before, const PData& after, const std::array<int, 3>& s) {
  for (const PData* p : {&before, &after}) {
    if (!p->is_over(s[0] - 1) || !p->is_over(s[0]) || p->is_over(s[2] - 1) || p->is_over(s[2])) return false;
  }
  const char from = printed_type(before, s[0], s[1], s[2]), to = printed_type(after, s[0], s[1], s[2]);
  if (from == '-' || to == '-' || from - 'A' != 'H' - to) return false;
  for (int i = 1; i <= before.passages(); ++i) {
    const auto in_triangle = [i](int segment) { return i == segment || i == segment - 1; };
    if (std::any_of(s.begin(), s.end(), in_triangle)) continue;
    if (before.other(i) != after.other(i) || before.attribute(i) != after.attribute(i)) return false;
  }
  return true;
}

TEST(Slips, TrianglesUpToTheLastInnerSegment) {
  int slides = 0, shut_out = 0;
  std::set<char> types;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    math::RandomStream random(6, k);
    const PData state = random_state(random, 6, 5);
    for (const Move& move : sliding_moves(Diagram(state))) {
      const PData next = apply_listed(state, move);
      const auto& s = move.segments;
      ASSERT_TRUE(printed_r3(state, next, s))
          << to_text(state) << ": " << to_text(move);  // Proposition 13 holds
      types.insert(printed_type(state, s[0], s[1], s[2]));
      ++slides;
      // Printed range: at most n - 1.
      if (*std::max_element(s.begin(), s.end()) > state.passages() - 1) {
        ++shut_out;
        ASSERT_FALSE(candidates(state, next).empty());
      }
    }
  }
  EXPECT_EQ(types.size(), 8U);
  EXPECT_GT(slides, 200);
  EXPECT_GT(shut_out, slides / 10);
}

// Steps 1 to 4 as printed accept codes that differ in a crossing's sign, and triangles that are no face; the results
// cannot be drawn in the plane.
TEST(Slips, AttributesAndFace) {
  int wrong_sign = 0, no_face = 0;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    math::RandomStream random(8, k);
    const PData state = random_state(random, 7, 5);
    const int n = state.passages();
    for (int i = 2; i <= n; ++i) {
      if (!state.is_over(i - 1) || !state.is_over(i)) continue;
      for (int j = 2; j <= n; ++j) {
        for (int l = 2; l <= n; ++l) {
          if (printed_type(state, i, j, l) == '-') continue;
          const Move move{MoveKind::r3, false, RopeEnd::none, {i, j, l}, false, false, 0};
          PData next = apply_listed(state, move);
          if (!printed_r3(state, next, move.segments)) continue;
          const std::vector<Move> listed = sliding_moves(Diagram(state));
          const bool face = std::find(listed.begin(), listed.end(), move) != listed.end();
          if (!face) {
            ASSERT_TRUE(candidates(state, next).empty());
            ASSERT_NE(find_problem(next), "") << to_text(state) << ": " << to_text(move);
            ++no_face;
            continue;
          }
          // Turn the sign of the top crossing: still the same rest.
          const auto at = static_cast<std::size_t>(i) - 1;
          const auto other = static_cast<std::size_t>(next.sigma[at]) - 1;
          for (const std::size_t c : {at, other}) next.attr[c] = (next.attr[c] + 1) % 4 + 1;
          ASSERT_TRUE(printed_r3(state, next, move.segments));
          ASSERT_TRUE(candidates(state, next).empty());
          ++wrong_sign;
        }
      }
    }
  }
  EXPECT_GT(wrong_sign, 20);
  EXPECT_GT(no_face, 20);
}

// A recording in which every move adds crossings.
std::vector<PData> recording(std::uint64_t seed, int length) {
  math::RandomStream random(9, seed);
  std::vector<PData> states{PData{}};
  while (static_cast<int>(states.size()) < length) {
    const std::vector<Move> moves = adding_moves(Diagram(states.back()));
    states.push_back(
        apply_listed(states.back(), moves[random.below(static_cast<std::uint32_t>(moves.size()))]));
  }
  return states;
}

TEST(Recognise, RightlyChosenEndsStay) {
  for (std::uint64_t k = 0; k < 200; ++k) {
    const std::vector<PData> states = recording(k, 7);
    const Recognition result = recognise(states);
    EXPECT_EQ(result.status, SearchStatus::ok);
    EXPECT_EQ(result.swaps, 0);
    ASSERT_EQ(result.transitions.size(), 6U);
    for (std::size_t t = 0; t < 6; ++t) {
      EXPECT_EQ(result.transitions[t].moves, 1);
      EXPECT_TRUE(result.transitions[t].between.empty());
      EXPECT_EQ(sorted(result.transitions[t].candidates), sorted(candidates(states[t], states[t + 1])));
    }
  }
}

TEST(Recognise, FewestSwapsAgainstAllChoices) {
  for (std::uint64_t k = 0; k < 200; ++k) {
    std::vector<PData> states = recording(k, 6);
    math::RandomStream random(10, k);
    for (PData& state : states) {
      if (random.below(3) == 0) state = swapped_ends(state);
    }
    int fewest = 100;
    for (unsigned choice = 0; choice < 64; ++choice) {
      int swaps = 0;
      bool fits = true;
      std::vector<PData> read = states;
      for (std::size_t t = 0; t < 6; ++t) {
        if ((choice >> t & 1U) != 0) {
          read[t] = swapped_ends(read[t]);
          ++swaps;
        }
        fits = fits && (t == 0 || !candidates(read[t - 1], read[t]).empty());
      }
      if (fits) fewest = std::min(fewest, swaps);
    }
    const Recognition result = recognise(states);
    EXPECT_EQ(result.status, SearchStatus::ok);
    EXPECT_EQ(result.swaps, fewest);
    int said = result.first_swapped ? 1 : 0;
    for (std::size_t t = 0; t < 5; ++t) {
      said += result.transitions[t].swapped ? 1 : 0;
      const PData& now = result.states[t + 1];
      EXPECT_EQ(now, result.transitions[t].swapped ? swapped_ends(states[t + 1]) : states[t + 1]);
      ASSERT_FALSE(result.transitions[t].candidates.empty());
      for (const Move& move : result.transitions[t].candidates) EXPECT_EQ(apply(result.states[t], move), now);
    }
    EXPECT_EQ(said, fewest);
  }
}

TEST(Recognise, SeveralMovesBetweenTwoFrames) {
  int several = 0;
  for (std::uint64_t k = 0; k < 40; ++k) {
    std::vector<PData> states = recording(k, 6);
    states.erase(states.begin() + 3);  // one frame was missed
    const Recognition result = recognise(states);
    ASSERT_EQ(result.status, SearchStatus::ok);
    const Transition& gap = result.transitions[2];
    EXPECT_LE(gap.moves, 2);
    if (gap.moves != 2) continue;
    ++several;
    EXPECT_TRUE(gap.candidates.empty());
    ASSERT_EQ(gap.between.size(), 1U);
    EXPECT_EQ(apply(result.states[2], gap.path[0]), gap.between[0]);
    EXPECT_EQ(apply(gap.between[0], gap.path[1]), result.states[3]);
  }
  EXPECT_GT(several, 20);
}

TEST(Recognise, UnrelatedStatesGiveNoMoves) {
  const PData trefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};
  const std::vector<PData> states{trefoil, mirrored(trefoil)};
  const Recognition result = recognise(states);
  // Three crossings of one sign to be taken away, three of the other to be made: six moves.
  EXPECT_EQ(result.status, SearchStatus::not_found);
  EXPECT_TRUE(result.transitions[0].candidates.empty());
  EXPECT_TRUE(result.transitions[0].between.empty());
  EXPECT_NE(result.brief_report().find("no sequence of moves"), std::string::npos);
}

TEST(Recognise, NothingChangedAndBadStates) {
  const PData loop{{2, 1}, {1, 2}};
  const Recognition still = recognise(std::vector<PData>{loop, loop});
  EXPECT_EQ(still.status, SearchStatus::ok);
  EXPECT_EQ(still.transitions[0].moves, 0);
  EXPECT_TRUE(recognise(std::vector<PData>{}).transitions.empty());
  try {
    recognise(std::vector<PData>{loop, PData{{1, 2}, {1, 2}}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("state 2: column 1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace prehend::knot
