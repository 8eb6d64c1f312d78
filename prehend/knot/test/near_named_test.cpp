// Named knots after random short sequences of Reidemeister moves, and names of ropes that are tangles.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "random_code.h"
#include <prehend/knot/moves.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/projection.h>
#include <prehend/knot/search/near_named.h>
#include <prehend/knot/search/passage_list.h>
#include <prehend/math/angles.h>

namespace prehend::knot {
namespace {

// One move that a hand makes by chance: a loop or a finger more, or a strand slid across a crossing. Never less: what is taken
// away may be what makes the knot.
PData after_a_move(const PData& data, math::RandomStream& random) {
  const Diagram diagram(data);
  std::vector<Move> slides = sliding_moves(diagram), more;
  for (const Move& move : adding_moves(diagram))
    if (move.kind == MoveKind::r1 || move.kind == MoveKind::r2) more.push_back(move);
  const std::vector<Move>& moves = !slides.empty() && random.below(2) == 0 ? slides : more;
  return apply_listed(data, moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
}

TEST(NearNamed, ABowlineOneSlideAwayIsABowline) {
  const PData& bowline = named_knot("bowline").p_data;
  int slides = 0;
  for (const Move& move : sliding_moves(Diagram(bowline))) {
    ++slides;
    const PData slid = apply_listed(bowline, move);
    EXPECT_TRUE(names_of(slid).empty());
    const NearNamed near = near_named(slid);
    EXPECT_EQ(near.names, std::vector<std::string>{"bowline"}) << to_text(move);
    EXPECT_EQ(near.moves, 1);
    const RopeName name = name_rope(slid);
    EXPECT_EQ(name.rope_knots, near.names);
    EXPECT_NE(name.brief_report().find("tied as: Bowline, 1 Reidemeister move away"), std::string::npos);
  }
  EXPECT_GT(slides, 0);
}

// A bow is a single loop bow with one finger more: fingers added to one knot by chance can make another of the named ones.
bool has_fingers_more(const std::string& found, const std::string& start) {
  std::vector<PData> level{named_knot(found).p_data};
  for (int k = 0; k < 4; ++k) {
    std::vector<PData> next;
    for (const PData& state : level) {
      for (const Move& move : removing_moves(state)) {
        if (move.kind != MoveKind::r2) continue;
        next.push_back(apply_listed(state, move));
        const std::vector<std::string> names = names_of(next.back());
        if (std::find(names.begin(), names.end(), start) != names.end()) return true;
      }
    }
    level = std::move(next);
  }
  return false;
}

TEST(NearNamed, RandomShortSequencesAreRecognised) {
  math::RandomStream random(20261116);
  constexpr int kEach = 60;
  for (int length = 1; length <= 4; ++length) {
    std::array<int, 4> all{}, exact{};  // right, none, wrong, another knot, no farther than the moves made
    for (const NamedKnot& knot : named_knots()) {
      for (int k = 0; k < kEach; ++k) {
        PData data = knot.p_data;
        for (int step = 0; step < length; ++step) data = after_a_move(data, random);
        const auto judge = [&](const std::vector<std::string>& names) -> std::size_t {
          if (names.empty()) return 1;
          if (std::find(names.begin(), names.end(), knot.name) != names.end()) return 0;
          return has_fingers_more(names.front(), knot.name) ? 3 : 2;
        };
        const NearNamed near = near_named(data);
        // Slip knot and harness hitch can both be pulled out to a straight rope: moves made by chance may end as near to the other.
        const std::size_t verdict = judge(near.names);
        ++all[verdict == 2 && near.moves <= length ? 3 : verdict];
        ++exact[judge(names_of(data))];
        // Read from the other side, mirrored, from the other end: the same answer.
        EXPECT_EQ(near_named(swapped_ends(mirrored(data))).names, near.names);
      }
    }
    std::printf(
        "%d moves: right %d, another as near %d, none %d, wrong %d; by the code alone %d, %d, "
        "%d, %d\n",
        length, all[0], all[3], all[1], all[2], exact[0], exact[3], exact[1], exact[2]);
    const int total = kEach * static_cast<int>(named_knots().size());
    EXPECT_EQ(all[2], 0);
    EXPECT_GE(all[0] + all[3], (length <= 3 ? 1.0 : 0.97) * total);
  }
}

TEST(NearNamed, ARopeThatIsNotTiedHasNoName) {
  // States on the way to each knot, and random ropes whose closures differ from every named knot's.
  math::RandomStream random(7);
  int named = 0, looked_at = 0;
  for (int k = 0; k < 300; ++k) {
    const PData rope = random_code(4 + static_cast<int>(random.below(10)), random);
    const NearNamed near = near_named(rope);
    ++looked_at;
    if (near.names.empty()) continue;
    ++named;
    // Same ends, same loops: a name means the same knot, joined over and under.
    const RopeName own = name_rope(rope);
    bool fits = false;
    for (const bool mirror : {false, true}) {
      for (const bool below : {false, true}) {
        PData known = named_knot(near.names.front()).p_data;
        if (mirror) known = mirrored(known);
        if (below) known = seen_from_below(known);
        const RopeName theirs = name_rope(known);
        fits = fits || (theirs.over.names == own.over.names && theirs.under.names == own.under.names);
      }
    }
    EXPECT_TRUE(fits) << to_text(rope) << " is called " << near.names.front();
  }
  std::printf("%d of %d random ropes have a name\n", named, looked_at);
}

TEST(Naming, ALoopIsReadWhereItIsCut) {
  // A trefoil as a closed line, its first point anywhere on it; as a rope its ends touch.
  for (int start = 0; start < 24; ++start) {
    std::vector<Eigen::Vector3d> loop;
    for (int k = 0; k <= 240; ++k) {
      const double t = 2.0 * math::kPi * (k + 10.3 * start) / 240.0;
      loop.emplace_back(std::sin(t) + 2.0 * std::sin(2.0 * t), std::cos(t) - 2.0 * std::cos(2.0 * t),
                        -std::sin(3.0 * t));
    }
    EXPECT_TRUE(ends_meet(loop));
    ProjectionOptions options;
    EXPECT_NE(project_rope(loop, options).status, ProjectionStatus::ok);
    options.closed = true;
    for (const bool repeated : {true, false}) {
      if (!repeated) loop.pop_back();
      const ProjectionResult seen = project_rope(loop, options);
      ASSERT_EQ(seen.status, ProjectionStatus::ok) << seen.reason;
      EXPECT_TRUE(seen.closed);
      EXPECT_TRUE(closing_way(seen.p_data).empty());
      EXPECT_EQ(name_knot(seen.p_data).name, "3_1");
    }
  }
}

TEST(PassageList, SmoothsAsMoveByMove) {
  math::RandomStream random(3);
  for (int k = 0; k < 400; ++k) {
    PData data = random_code(3 + static_cast<int>(random.below(12)), random);
    for (int step = 0; step < 6; ++step) {
      const std::vector<Move> moves = adding_moves(Diagram(data));
      const Move& move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
      if (move.kind != MoveKind::cross) data = apply_listed(data, move);
    }
    PData slowly = data;
    for (bool found = true; found;) {
      found = false;
      for (const Move& move : removing_moves(slowly)) {
        if (move.kind != MoveKind::r1) continue;
        slowly = apply_listed(slowly, move);
        found = true;
        break;
      }
    }
    EXPECT_EQ(without_loose_crossings(data, false, [](const PassageList&, int, int) { return false; }),
              slowly);
    EXPECT_EQ(find_problem(smoothed(data)), "");
    EXPECT_EQ(smoothed(smoothed(data)), smoothed(data));
  }
}

TEST(Naming, ALargeTangleIsBounded) {
  math::RandomStream random(11);
  // Loops, fingers and slides: no knot, however large the drawing.
  PData unknot;
  while (unknot.crossings() < 300) {
    const std::vector<Move> moves = adding_moves(Diagram(unknot));
    const Move& move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    if (move.kind != MoveKind::cross) unknot = apply_listed(unknot, move);
  }
  const KnotName name = name_knot(unknot);
  EXPECT_EQ(name.name, "0_1");
  EXPECT_FALSE(name.reduction_stopped);
  NamingOptions little;
  little.max_work = 1000;
  const KnotName stopped = name_knot(random_code(600, random), little);
  EXPECT_EQ(stopped.status, NamingStatus::too_large);
  EXPECT_TRUE(stopped.reduction_stopped);
  EXPECT_NE(stopped.reason.find("the reduction was stopped at its bound (max_work)"), std::string::npos);
}

}  // namespace
}  // namespace prehend::knot
