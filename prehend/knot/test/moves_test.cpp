#include <algorithm>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>
#include <tests/sweeps.h>

#include <prehend/knot/move_search.h>
#include <prehend/knot/moves.h>
#include <prehend/knot/recognition.h>
#include <prehend/knot/search/move_bound.h>
#include <prehend/knot/test/reachable_states.h>
#include <prehend/knot/test/trefoil.h>
#include <prehend/math/random.h>

namespace prehend::knot {
namespace {

TEST(Moves, FromTheStraightRope) {
  // Four loops; a finger to the left or right, or round an end to either side, over or under; each end crosses the rope
  // from either side, over or under.
  const std::vector<Move> moves = all_moves({});
  std::array<int, 4> counts{};
  for (const Move& move : moves) ++counts[static_cast<std::size_t>(move.kind)];
  EXPECT_EQ(counts, (std::array<int, 4>{4, 8, 0, 8}));
  EXPECT_EQ(apply({}, {MoveKind::r1, true, RopeEnd::none, {1, 0, 0}, true, false, -1}),
            (PData{{2, 1}, {1, 2}}));
  EXPECT_EQ(apply({}, {MoveKind::cross, true, RopeEnd::last, {1, 0, 0}, true, false, 1}),
            (PData{{2, 1}, {4, 3}}));
}

TEST(Moves, RandomSequences) {
  std::array<int, 4> seen{};
  const auto sequences = static_cast<std::uint64_t>(prehend::test::sweep_size(2500, 10000));
  for (std::uint64_t sequence = 0; sequence < sequences; ++sequence) {
    math::RandomStream random(17, sequence);
    PData state;
    for (int step = 0; step < 6; ++step) {
      const std::vector<Move> moves = all_moves(state);
      ASSERT_EQ(std::set<Move>(moves.begin(), moves.end()).size(), moves.size());
      // Slides and removals are rare among all moves: take one of them half of the time.
      std::vector<Move> rare;
      std::copy_if(moves.begin(), moves.end(), std::back_inserter(rare),
                   [](const Move& m) { return !m.adds; });
      const std::vector<Move>& pool = !rare.empty() && random.below(2) == 0 ? rare : moves;
      const Move move = pool[random.below(static_cast<std::uint32_t>(pool.size()))];
      const PData next = apply_listed(state, move);
      ASSERT_EQ(find_problem(next), "") << to_text(state) << ": " << to_text(move);
      ASSERT_EQ(apply_listed(next, inverse(move)), state) << to_text(move);
      const std::vector<Move> found = candidates(state, next);
      ASSERT_NE(std::find(found.begin(), found.end(), move), found.end())
          << to_text(state) << ": " << to_text(move);
      ++seen[static_cast<std::size_t>(move.kind)];
      state = next;
    }
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

// Another way to the same list: insert crossings everywhere, in all ways, and keep what can be drawn in the plane.
TEST(Moves, FacesAllowExactlyThePlanarInsertions) {
  for (const auto& [state, depth] : reachable_states(3, 3)) {
    std::set<Move> expected;
    for (int i = 1; i <= state.segments(); ++i) {
      for (const bool over : {true, false}) {
        for (const int sign : {-1, 1}) {
          std::vector<Move> all{{MoveKind::r1, true, RopeEnd::none, {i, 0, 0}, over, false, sign}};
          for (const RopeEnd end : {RopeEnd::first, RopeEnd::last})
            all.push_back({MoveKind::cross, true, end, {i, 0, 0}, over, false, sign});
          for (int j = i; j <= state.segments(); ++j) {
            for (const bool same : {true, false})
              all.push_back({MoveKind::r2, true, RopeEnd::none, {i, j, 0}, over, same, sign});
          }
          for (const Move& move : all) {
            if (find_problem(apply_listed(state, move)).empty()) expected.insert(move);
          }
        }
      }
    }
    const std::vector<Move> moves = adding_moves(Diagram(state));
    ASSERT_EQ(std::set<Move>(moves.begin(), moves.end()), expected) << to_text(state);
  }
}

TEST(Moves, ReadFromTheOtherEndTheyAreAsMany) {
  for (std::uint64_t k = 0; k < 200; ++k) {
    math::RandomStream random(3, k);
    const PData state = random_state(random, 6, 8);
    EXPECT_EQ(all_moves(state).size(), all_moves(swapped_ends(state)).size());
    EXPECT_EQ(all_moves(state).size(), all_moves(mirrored(state)).size());
  }
}

TEST(Moves, WhatIsImpossibleIsSaid) {
  const auto problem = [](const PData& state, const Move& move) {
    try {
      apply(state, move);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(
      problem({}, {MoveKind::r1, false, RopeEnd::none, {1, 0, 0}, true, false, 1}).find("no such crossings"),
      std::string::npos);
  EXPECT_NE(
      problem({}, {MoveKind::r1, true, RopeEnd::none, {3, 0, 0}, true, false, 1}).find("between 1 and 1"),
      std::string::npos);
  EXPECT_NE(
      problem(kTrefoil, {MoveKind::r3, false, RopeEnd::none, {2, 4, 6}, false, false, 0}).find("three-sided"),
      std::string::npos);
  EXPECT_NE(problem(kTrefoil, {MoveKind::cross, true, RopeEnd::first, {4, 0, 0}, true, false, 1})
                .find("end does not lie"),
            std::string::npos);
  EXPECT_NE(problem(kTrefoil, {MoveKind::r2, true, RopeEnd::none, {2, 3, 0}, true, true, 1}).find("no face"),
            std::string::npos);
  EXPECT_NE(problem({{2, 1}, {1, 1}}, {}).find("over, the other under"), std::string::npos);
}

TEST(MoveSearch, TheBoundIsKeptByEveryMove) {
  for (std::uint64_t k = 0; k < 100; ++k) {
    math::RandomStream random(4, k);
    const PData state = random_state(random, 6, 8);
    for (const Move& move : all_moves(state)) {
      const PData next = apply_listed(state, move);
      const auto before = count_crossings(state), change = count_change(move), after = count_crossings(next);
      for (std::size_t c = 0; c < 4; ++c) ASSERT_EQ(before[c] + change[c], after[c]) << to_text(move);
      ASSERT_LE(least_moves(before, after), 1);
    }
  }
}

TEST(MoveSearch, ShortestAgainstPlainBreadthFirst) {
  // Three moves make at most six crossings, so nothing is left out.
  const std::vector<ReachedState> near = reachable_states(3, 6);
  std::array<int, 4> depths{};
  for (std::size_t k = 0; k < near.size(); k += k < 200 ? 1 : 499) {
    const MovePath path = find_moves({}, near[k].state);
    ASSERT_EQ(path.status, SearchStatus::ok);
    ASSERT_EQ(static_cast<int>(path.moves.size()), near[k].depth) << to_text(near[k].state);
    ASSERT_EQ(path.lower_bound, near[k].depth);
    ASSERT_EQ(path.states.front(), PData{});
    ASSERT_EQ(path.states.back(), near[k].state);
    for (std::size_t t = 0; t < path.moves.size(); ++t)
      ASSERT_EQ(apply(path.states[t], path.moves[t]), path.states[t + 1]);
    ++depths[path.moves.size()];
  }
  EXPECT_GT(depths[1], 3);
  EXPECT_GT(depths[2], 30);
  EXPECT_GT(depths[3], 30);
}

TEST(MoveSearch, UnrelatedStatesAreNotJoined) {
  const MovePath path = find_moves({}, kTrefoil, {.max_moves = 2});
  EXPECT_EQ(path.status, SearchStatus::not_found);
  EXPECT_TRUE(path.moves.empty());
  EXPECT_EQ(path.lower_bound, 3);
  const MovePath small = find_moves({}, kTrefoil, {.max_moves = 3, .max_states = 3});
  EXPECT_EQ(small.status, SearchStatus::gave_up);
  EXPECT_THROW(find_moves({}, kTrefoil, {.max_moves = -1}), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::knot
