// Test only: random ropes, closed braids and random Reidemeister moves on closed diagrams, written apart from the
// library's own moves and reduction.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <prehend/knot/closure.h>
#include <prehend/knot/diagram.h>
#include <prehend/math/random.h>

namespace prehend::knot::testing {

// Renumbers passages after new ones were put on segments: `fresh` lists (segment, rank on it), new passages get the
// numbers returned.
struct Insertion {
  std::vector<int> kept;   // old passage -> new number, from 1
  std::vector<int> added;  // per entry of `fresh`
};

inline Insertion insertion(int passages, const std::vector<std::pair<int, int>>& fresh) {
  Insertion result;
  result.kept.assign(static_cast<std::size_t>(passages) + 1, 0);
  result.added.assign(fresh.size(), 0);
  int next = 1;
  for (int s = 1; s <= passages + 1; ++s) {
    std::vector<std::size_t> here;
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      if (fresh[k].first == s) here.push_back(k);
    }
    std::sort(here.begin(), here.end(), [&](auto a, auto b) { return fresh[a].second < fresh[b].second; });
    for (const std::size_t k : here) result.added[k] = next++;
    if (s <= passages) result.kept[static_cast<std::size_t>(s)] = next++;
  }
  return result;
}

// `crossings` pairs entries of `fresh`: (over, under, sign).
struct NewCrossing {
  std::size_t over, under;
  int sign;
};
inline PData inserted(const PData& data, const std::vector<std::pair<int, int>>& fresh,
                      const std::vector<NewCrossing>& crossings) {
  const Insertion where = insertion(data.passages(), fresh);
  PData result;
  result.sigma.assign(static_cast<std::size_t>(data.passages()) + fresh.size(), 0);
  result.attr = result.sigma;
  const auto set = [&](int at, int other, int attr) {
    result.sigma[static_cast<std::size_t>(at) - 1] = other;
    result.attr[static_cast<std::size_t>(at) - 1] = attr;
  };
  for (int i = 1; i <= data.passages(); ++i)
    set(where.kept[static_cast<std::size_t>(i)], where.kept[static_cast<std::size_t>(data.other(i))],
        data.attribute(i));
  for (const NewCrossing& c : crossings) {
    set(where.added[c.over], where.added[c.under], attribute_of(true, c.sign));
    set(where.added[c.under], where.added[c.over], attribute_of(false, c.sign));
  }
  return result;
}

// The rope's last end crosses strand after strand at random.
inline PData random_rope(math::RandomStream& random, int crossings) {
  PData rope;
  while (rope.crossings() < crossings) {
    const Diagram diagram(rope);
    const auto& face = diagram.face(diagram.face_of(Diagram::dart(rope.segments(), true)));
    const int d = face[random.below(static_cast<std::uint32_t>(face.size()))];
    const bool over = random.below(2) == 0;
    const int sign = Diagram::is_forward(d) == over ? 1 : -1;
    // The new passage on the crossed segment, and the end's own behind everything.
    rope = inserted(rope, {{Diagram::segment_of(d), 0}, {rope.segments(), 1}},
                    {over ? NewCrossing{1, 0, sign} : NewCrossing{0, 1, sign}});
  }
  return rope;
}

// Closure of a braid; letter i > 0: the strand at place i passes over to place i + 1, which is a plus crossing.
inline ClosedDiagram closed_braid(const std::vector<int>& word) {
  const int letters = static_cast<int>(word.size());
  std::vector<int> over(word.size(), 0), under(word.size(), 0);
  int place = 1, passage = 0;
  for (int k = 0;; k = (k + 1) % letters) {
    const int i = std::abs(word[static_cast<std::size_t>(k)]);
    if (place == i || place == i + 1) {
      const bool upper = (place == i) == (word[static_cast<std::size_t>(k)] > 0);
      int& mine = (upper ? over : under)[static_cast<std::size_t>(k)];
      if (mine != 0) break;
      mine = ++passage;
      place = place == i ? i + 1 : i;
    }
  }
  ClosedDiagram diagram;
  diagram.loop.sigma.assign(2 * word.size(), 0);
  diagram.loop.attr = diagram.loop.sigma;
  for (std::size_t k = 0; k < word.size(); ++k) {
    const int sign = word[k] > 0 ? 1 : -1;
    diagram.loop.sigma.at(static_cast<std::size_t>(over[k]) - 1) = under[k];
    diagram.loop.sigma.at(static_cast<std::size_t>(under[k]) - 1) = over[k];
    diagram.loop.attr.at(static_cast<std::size_t>(over[k]) - 1) = attribute_of(true, sign);
    diagram.loop.attr.at(static_cast<std::size_t>(under[k]) - 1) = attribute_of(false, sign);
  }
  return diagram;
}

inline ClosedDiagram torus_knot(int p, int q) {
  std::vector<int> word;
  for (int j = 0; j < q; ++j) {
    for (int i = 1; i < p; ++i) word.push_back(i);
  }
  return closed_braid(word);
}

// One behind the other on one loop.
inline ClosedDiagram connected_sum(const ClosedDiagram& a, const ClosedDiagram& b) {
  ClosedDiagram sum = a;
  for (int i = 1; i <= b.passages(); ++i) {
    sum.loop.sigma.push_back(a.passages() + b.loop.other(i));
    sum.loop.attr.push_back(b.loop.attribute(i));
  }
  return sum;
}

inline ClosedDiagram add_loop(const ClosedDiagram& diagram, math::RandomStream& random) {
  const int segment = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(diagram.passages() + 1)));
  const int sign = random.below(2) == 0 ? 1 : -1;
  const std::size_t over = random.below(2);
  return {inserted(diagram.loop, {{segment, 0}, {segment, 1}}, {{over, 1 - over, sign}})};
}

// A finger of one strand over another across a common face.
inline ClosedDiagram add_finger(const ClosedDiagram& diagram, math::RandomStream& random) {
  if (diagram.passages() < 2) return diagram;
  const PData rope =
      opened(diagram, 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(diagram.passages()))));
  const Diagram drawing(rope);
  const auto& face =
      drawing.face(static_cast<int>(random.below(static_cast<std::uint32_t>(drawing.face_count()))));
  const int d1 = face[random.below(static_cast<std::uint32_t>(face.size()))];
  const int d2 = face[random.below(static_cast<std::uint32_t>(face.size()))];
  const int s1 = Diagram::segment_of(d1), s2 = Diagram::segment_of(d2);
  // The cut made one face of the two beside it: leave that one alone.
  const bool cut = std::any_of(face.begin(), face.end(), [&](int d) {
    return Diagram::segment_of(d) == 1 || Diagram::segment_of(d) == rope.segments();
  });
  if (s1 == s2 || cut) return {rope};
  const bool with1 = Diagram::is_forward(d1), with2 = Diagram::is_forward(d2);
  // Along the face the finger goes out at x and comes back at y; the other strand meets y first.
  const int sign = with1 == with2 ? 1 : -1;
  return {inserted(rope, {{s1, with1 ? 0 : 1}, {s1, with1 ? 1 : 0}, {s2, with2 ? 1 : 0}, {s2, with2 ? 0 : 1}},
                   {{0, 2, sign}, {1, 3, -sign}})};
}

// A strand moved across a crossing, where a triangle allows it.
inline ClosedDiagram slide(const ClosedDiagram& diagram, math::RandomStream& random) {
  if (diagram.passages() < 6) return diagram;
  const PData rope =
      opened(diagram, 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(diagram.passages()))));
  const Diagram drawing(rope);
  std::vector<PData> possible;
  for (int f = 0; f < drawing.face_count(); ++f) {
    const auto& face = drawing.face(f);
    std::set<int> touched;
    bool inner = face.size() == 3;
    std::multiset<int> overs;
    for (const int d : face) {
      const int s = Diagram::segment_of(d);
      inner = inner && s > 1 && s < rope.segments();
      if (!inner) break;
      touched.insert({s - 1, s});
      overs.insert(rope.is_over(s - 1) + rope.is_over(s));
    }
    if (!inner || touched.size() != 6 || overs != std::multiset<int>{0, 1, 2}) continue;
    std::vector<int> moved(static_cast<std::size_t>(rope.passages()) + 1);
    std::iota(moved.begin(), moved.end(), 0);
    for (const int d : face) {
      const std::size_t s = static_cast<std::size_t>(Diagram::segment_of(d));
      std::swap(moved[s - 1], moved[s]);
    }
    PData next = rope;
    for (int i = 1; i <= rope.passages(); ++i) {
      const std::size_t at = static_cast<std::size_t>(moved[static_cast<std::size_t>(i)]) - 1;
      next.sigma[at] = moved[static_cast<std::size_t>(rope.other(i))];
      next.attr[at] = rope.attribute(i);
    }
    possible.push_back(next);
  }
  if (possible.empty()) return {rope};
  return {possible[random.below(static_cast<std::uint32_t>(possible.size()))]};
}

inline ClosedDiagram random_move(const ClosedDiagram& diagram, math::RandomStream& random) {
  switch (random.below(4)) {
    case 0:
      return add_loop(diagram, random);
    case 1:
      return add_finger(diagram, random);
    default:
      return slide(diagram, random);
  }
}

}  // namespace prehend::knot::testing
