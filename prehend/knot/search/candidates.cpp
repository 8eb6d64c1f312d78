#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <prehend/knot/recognition.h>

namespace prehend::knot {
namespace {

// Is `large` without the given columns (ascending), renumbered, equal to `small`? R_I, R_II, C_s, C_e of L.
bool remains(const PData& large, std::span<const int> removed, const PData& small) {
  std::size_t next = 0;
  int at = 0;
  for (int i = 1; i <= large.passages(); ++i) {
    if (next < removed.size() && removed[next] == i) {
      ++next;
      continue;
    }
    ++at;
    if (large.attribute(i) != small.attribute(at)) return false;
    int other = large.other(i);
    int shift = 0;
    for (const int column : removed) shift += other > column ? 1 : 0;
    if (other - shift != small.other(at)) return false;
  }
  return true;
}

void add_r1(const PData& small, const PData& large, std::vector<Move>& moves) {
  for (int i = 1; i <= small.segments(); ++i) {
    if (large.other(i) != i + 1) continue;  // (5.3)
    if (!remains(large, std::array{i, i + 1}, small)) continue;
    moves.push_back({MoveKind::r1, true, RopeEnd::none, {i, 0, 0}, large.is_over(i), false, large.sign(i)});
  }
}

void add_cross(const PData& small, const PData& large, std::vector<Move>& moves) {
  const int n = large.passages();
  const int from_first = large.other(1), from_last = large.other(n);
  if (remains(large, std::array{1, from_first}, small)) {
    moves.push_back({MoveKind::cross,
                     true,
                     RopeEnd::first,
                     {from_first - 1, 0, 0},
                     large.is_over(1),
                     false,
                     large.sign(1)});
  }
  if (remains(large, std::array{from_last, n}, small)) {
    moves.push_back(
        {MoveKind::cross, true, RopeEnd::last, {from_last, 0, 0}, large.is_over(n), false, large.sign(n)});
  }
}

void add_r2(const PData& small, const PData& large, std::vector<Move>& moves) {
  for (int i = 1; i <= small.segments(); ++i) {
    const int first = large.other(i), second = large.other(i + 1);
    if (std::abs(first - second) != 1) continue;  // (5.5) or (5.6)
    const int j = (first + second - 5) / 2;
    // L asks for i < j; a segment laid over itself has i = j.
    if (j < i) continue;
    if (std::abs(large.attribute(i) - large.attribute(i + 1)) != 2) continue;  // (5.7)
    if (!remains(large, std::array{i, i + 1, j + 2, j + 3}, small)) continue;
    moves.push_back(
        {MoveKind::r2, true, RopeEnd::none, {i, j, 0}, large.is_over(i), first < second, large.sign(i)});
  }
}

// The other end of a segment.
int far_passage(int segment, int passage) { return passage == segment ? segment - 1 : segment; }

// Is `after` equal to `before` with the crossings of the triangle passed in the other order by all three strands? This is
// Proposition 13 (A-H, B-G, C-F, D-E) and step 4 in one, with the attributes of the six columns, which step 4 leaves out.
bool is_slid(const PData& before, const PData& after, const std::array<int, 3>& segments) {
  const auto moved = [&segments](int passage) {
    for (const int s : segments) {
      if (passage == s || passage == s - 1) return far_passage(s, passage);
    }
    return passage;
  };
  for (int i = 1; i <= before.passages(); ++i) {
    const int to = moved(i);
    if (after.attribute(to) != before.attribute(i) || after.other(to) != moved(before.other(i))) return false;
  }
  return true;
}

bool is_face(const Diagram& diagram, const std::array<int, 3>& segments) {
  for (const bool forward : {true, false}) {
    const std::vector<int>& face = diagram.face(diagram.face_of(Diagram::dart(segments[0], forward)));
    if (face.size() != 3) continue;
    const auto borders = [&face](int s) {
      return std::any_of(face.begin(), face.end(), [s](int dart) { return Diagram::segment_of(dart) == s; });
    };
    if (borders(segments[1]) && borders(segments[2])) return true;
  }
  return false;
}

void add_r3(const PData& before, const PData& after, std::vector<Move>& moves) {
  const int n = before.passages();
  std::optional<Diagram> diagram;
  const auto inner = [n](int segment) { return segment >= 2 && segment <= n; };  // not n - 1, as printed
  for (int top = 2; top <= n; ++top) {
    if (!before.is_over(top - 1) || !before.is_over(top)) continue;
    for (const int to_middle : {top - 1, top}) {
      const int on_middle = before.other(to_middle), on_bottom = before.other(far_passage(top, to_middle));
      for (const int middle : {on_middle, on_middle + 1}) {
        if (!inner(middle)) continue;
        const int corner = far_passage(middle, on_middle);
        for (const int bottom : {on_bottom, on_bottom + 1}) {
          // The corner of middle and bottom, the middle one above: types A to H.
          if (!inner(bottom) || before.other(corner) != far_passage(bottom, on_bottom)) continue;
          if (!before.is_over(corner)) continue;
          const std::array<int, 3> segments{top, middle, bottom};
          if (!is_slid(before, after, segments)) continue;
          if (!diagram) diagram.emplace(before);
          if (!is_face(*diagram, segments)) continue;
          moves.push_back({MoveKind::r3, false, RopeEnd::none, segments, false, false, 0});
        }
      }
    }
  }
}

}  // namespace

std::vector<Move> candidates(const PData& before, const PData& after) {
  std::vector<Move> moves;
  const bool adds = before.passages() <= after.passages();
  const PData& small = adds ? before : after;
  const PData& large = adds ? after : before;
  switch (large.passages() - small.passages()) {
    case 0:
      add_r3(before, after, moves);
      break;
    case 2:
      add_r1(small, large, moves);
      add_cross(small, large, moves);
      break;
    case 4:
      add_r2(small, large, moves);
      break;
    default:
      break;
  }
  if (!adds) std::transform(moves.begin(), moves.end(), moves.begin(), inverse);
  return moves;
}

}  // namespace prehend::knot
