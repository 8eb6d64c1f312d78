#include <algorithm>
#include <queue>
#include <stdexcept>

#include <prehend/knot/diagram.h>
#include <prehend/knot/invariants/reduction.h>
#include <prehend/knot/search/passage_list.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/random.h>

namespace prehend::knot {
namespace {

// The code without some crossings; `gone` holds both passages of each.
PData without(const PData& data, const std::vector<bool>& gone) {
  std::vector<int> number(static_cast<std::size_t>(data.passages()) + 1, 0);
  int next = 1;
  for (int i = 1; i <= data.passages(); ++i) {
    if (!gone[static_cast<std::size_t>(i)]) number[static_cast<std::size_t>(i)] = next++;
  }
  PData rest;
  for (int i = 1; i <= data.passages(); ++i) {
    if (gone[static_cast<std::size_t>(i)]) continue;
    rest.sigma.push_back(number[static_cast<std::size_t>(data.other(i))]);
    rest.attr.push_back(data.attribute(i));
  }
  return rest;
}

// Undoes Reidemeister I and II moves until the code shows none. Two neighbouring passages over two neighbouring ones always enclose a
// face in the plane.
void undo_loose(ClosedDiagram& diagram) {
  diagram.loop =
      without_loose_crossings(diagram.loop, true, [](const PassageList&, int, int) { return true; });
}

// The shortest way from the rope's last end to its first, any of them.
std::vector<int> random_way(const PData& rope, math::RandomStream& random) {
  const Diagram diagram(rope);
  const int start = diagram.face_of(Diagram::dart(rope.segments(), true));
  const int goal = diagram.face_of(Diagram::dart(1, true));
  std::vector<int> entered(static_cast<std::size_t>(diagram.face_count()), -1);
  std::queue<int> open({start});
  while (goal != start && entered[static_cast<std::size_t>(goal)] < 0) {
    std::vector<int> darts = diagram.face(open.front());
    open.pop();
    for (std::size_t i = darts.size(); i > 1; --i)
      std::swap(darts[i - 1], darts[random.below(static_cast<std::uint32_t>(i))]);
    for (const int dart : darts) {
      const int beyond = diagram.face_of(Diagram::reversed(dart));
      if (beyond == start || entered[static_cast<std::size_t>(beyond)] >= 0) continue;
      entered[static_cast<std::size_t>(beyond)] = dart;
      open.push(beyond);
    }
  }
  std::vector<int> way;
  for (int face = goal; face != start; face = diagram.face_of(way.back()))
    way.push_back(entered[static_cast<std::size_t>(face)]);
  std::reverse(way.begin(), way.end());
  return way;
}

struct ReducedStrand {
  int first;   // passage
  int length;  // passages, all over or all under
};

// The longest strands that stay over, or under; none in a diagram with one level only.
std::vector<ReducedStrand> level_strands(const PData& loop) {
  const int n = loop.passages();
  std::vector<ReducedStrand> strands;
  for (int i = 1; i <= n; ++i) {
    const int before = (i + n - 2) % n + 1;
    if (loop.is_over(before) == loop.is_over(i)) continue;
    int length = 1;
    while (loop.is_over((i + length - 1) % n + 1) == loop.is_over(i)) ++length;
    strands.push_back({i, length});
  }
  return strands;
}

// The loop with one strand laid anew.
ClosedDiagram relaid(const ClosedDiagram& diagram, const ReducedStrand& strand, math::RandomStream* random) {
  const int n = diagram.passages();
  const bool over = diagram.loop.is_over(strand.first);
  const PData rope = opened(diagram, (strand.first + strand.length - 1) % n + 1);  // the strand comes last
  std::vector<bool> gone(static_cast<std::size_t>(n) + 1, false);
  for (int i = n - strand.length + 1; i <= n; ++i)
    gone[static_cast<std::size_t>(i)] = gone[static_cast<std::size_t>(rope.other(i))] = true;
  const PData rest = without(rope, gone);
  return closed_along(rest, random ? random_way(rest, *random) : closing_way(rest), over);
}

// Goes round the loop and lays strands anew where that saves a crossing, until a whole round saves none.
void reduce_greedily(ClosedDiagram& diagram, std::int64_t& work) {
  undo_loose(diagram);
  std::size_t at = 0, in_vain = 0;
  std::vector<ReducedStrand> strands = level_strands(diagram.loop);
  while (in_vain < strands.size() && work > 0) {
    math::check_interrupt();
    if (at >= strands.size()) at = 0;
    work -= diagram.passages();
    ClosedDiagram other = relaid(diagram, strands[at], nullptr);
    if (other.crossings() >= diagram.crossings()) {
      ++at;
      ++in_vain;
      continue;
    }
    diagram = std::move(other);
    undo_loose(diagram);
    strands = level_strands(diagram.loop);
    in_vain = 0;
  }
}

}  // namespace

ClosedDiagram reduced(const ClosedDiagram& diagram, const ReductionOptions& options) {
  std::int64_t work = options.max_work;
  return reduced(diagram, options, work);
}

ClosedDiagram reduced(const ClosedDiagram& diagram, const ReductionOptions& options, std::int64_t& work) {
  math::OptionCheck("ReductionOptions").at_least("rounds", options.rounds, 0);
  if (const std::string problem = find_problem(diagram); !problem.empty())
    throw std::invalid_argument(problem);
  ClosedDiagram best = diagram;
  reduce_greedily(best, work);
  math::RandomStream random(options.seed);
  for (int round = 0; round < options.rounds && best.crossings() > 2 && !is_alternating(best); ++round) {
    // Ways of equal length only, so the number of crossings does not grow.
    for (int k = 0; k < best.crossings(); ++k) {
      math::check_interrupt();
      const std::vector<ReducedStrand> strands = level_strands(best.loop);
      if (strands.empty()) break;
      work -= best.passages();
      if (work <= 0) return best;
      best = relaid(best, strands[random.below(static_cast<std::uint32_t>(strands.size()))], &random);
    }
    reduce_greedily(best, work);
  }
  return best;
}

std::vector<ClosedDiagram> summands(const ClosedDiagram& diagram) {
  const PData& loop = diagram.loop;
  const int n = loop.passages();
  if (n == 0) return {};
  for (int first = 1; first <= n; ++first) {
    int farthest = first;
    for (int last = first; last <= n && loop.other(last) >= first; ++last) {
      farthest = std::max(farthest, loop.other(last));
      if (farthest > last || last - first + 1 == n) continue;
      std::vector<bool> inside(static_cast<std::size_t>(n) + 1, false), outside(inside.size(), true);
      for (int i = first; i <= last; ++i) {
        inside[static_cast<std::size_t>(i)] = true;
        outside[static_cast<std::size_t>(i)] = false;
      }
      std::vector<ClosedDiagram> parts = summands({without(loop, inside)});
      for (ClosedDiagram& part : summands({without(loop, outside)})) parts.push_back(std::move(part));
      return parts;
    }
  }
  return {diagram};
}

bool is_alternating(const ClosedDiagram& diagram) {
  const int n = diagram.passages();
  for (int i = 1; i <= n; ++i) {
    if (diagram.loop.is_over(i) == diagram.loop.is_over(i % n + 1)) return false;
  }
  return true;
}

}  // namespace prehend::knot
