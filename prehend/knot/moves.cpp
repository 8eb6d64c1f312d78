#include <algorithm>
#include <span>
#include <stdexcept>

#include <prehend/knot/moves.h>

namespace prehend::knot {
namespace {

// Opens columns at the given new numbers (ascending) and shifts the old ones.
PData with_columns(const PData& data, std::span<const int> added) {
  const int old_count = data.passages();
  const int count = old_count + static_cast<int>(added.size());
  PData result;
  result.sigma.resize(static_cast<std::size_t>(count));
  result.attr.resize(static_cast<std::size_t>(count));
  const auto renumber = [added](int passage) {
    for (const int column : added) passage += passage >= column ? 1 : 0;
    return passage;
  };
  for (int i = 1; i <= old_count; ++i) {
    const auto to = static_cast<std::size_t>(renumber(i)) - 1;
    result.sigma[to] = renumber(data.other(i));
    result.attr[to] = data.attribute(i);
  }
  return result;
}

PData without_columns(const PData& data, std::span<const int> removed) {
  PData result;
  result.sigma.reserve(data.sigma.size());
  result.attr.reserve(data.sigma.size());
  for (int i = 1; i <= data.passages(); ++i) {
    if (std::find(removed.begin(), removed.end(), i) != removed.end()) continue;
    int other = data.other(i);
    for (auto column = removed.rbegin(); column != removed.rend(); ++column) other -= other > *column ? 1 : 0;
    result.sigma.push_back(other);
    result.attr.push_back(data.attribute(i));
  }
  return result;
}

void join(PData& data, int over, int under, int sign) {
  data.sigma[static_cast<std::size_t>(over) - 1] = under;
  data.sigma[static_cast<std::size_t>(under) - 1] = over;
  data.attr[static_cast<std::size_t>(over) - 1] = attribute_of(true, sign);
  data.attr[static_cast<std::size_t>(under) - 1] = attribute_of(false, sign);
}

// Columns of the state with more crossings that belong to the move, ascending; how many.
struct Columns {
  std::array<int, 4> numbers{};
  std::size_t count{0};
  std::span<const int> span() const { return {numbers.data(), count}; }
};

Columns columns_of(const Move& move, int passages_of_larger) {
  const int i = move.segments[0], j = move.segments[1];
  switch (move.kind) {
    case MoveKind::r1:
      return {{i, i + 1, 0, 0}, 2};
    case MoveKind::r2:
      return {{i, i + 1, j + 2, j + 3}, 4};
    case MoveKind::cross:
      if (move.end == RopeEnd::first) return {{1, i + 1, 0, 0}, 2};
      return {{i, passages_of_larger, 0, 0}, 2};
    case MoveKind::r3:
      break;
  }
  return {};
}

// Joins the move's columns as the move says.
void join_columns(PData& data, const Move& move) {
  const Columns columns = columns_of(move, data.passages());
  const auto& c = columns.numbers;
  if (move.kind == MoveKind::r2) {
    const int partner_of_first = move.same_direction ? c[2] : c[3];
    const int partner_of_second = move.same_direction ? c[3] : c[2];
    if (move.over) {
      join(data, c[0], partner_of_first, move.sign);
      join(data, c[1], partner_of_second, -move.sign);
    } else {
      join(data, partner_of_first, c[0], move.sign);
      join(data, partner_of_second, c[1], -move.sign);
    }
    return;
  }
  // `over` speaks of the loop's first passage, or of the end's strand, which is the last column for the last end.
  const bool first_column_over = move.end == RopeEnd::last ? !move.over : move.over;
  if (first_column_over) {
    join(data, c[0], c[1], move.sign);
  } else {
    join(data, c[1], c[0], move.sign);
  }
}

PData slide(const PData& data, const Move& move) {
  const auto moved = [&move](int passage) {
    for (const int segment : move.segments) {
      if (passage == segment) return passage - 1;
      if (passage == segment - 1) return passage + 1;
    }
    return passage;
  };
  PData result = data;
  for (const int segment : move.segments) {
    for (const int passage : {segment - 1, segment}) {
      const auto to = static_cast<std::size_t>(moved(passage)) - 1;
      result.sigma[to] = moved(data.other(passage));
      result.attr[to] = data.attribute(passage);
    }
  }
  return result;
}

// Which side of the first segment R2's finger leaves, and of the second it comes to: on the left is the forward dart.
// With the first segment along +x and the finger to its left (+y), the first crossing has over x under = -1 when the
// first segment is over and both have the same direction; each of the three changes the sign.
int r2_sign(bool finger_left, bool first_over, bool same_direction) {
  return (finger_left ? -1 : 1) * (first_over ? 1 : -1) * (same_direction ? 1 : -1);
}

// An end that crosses a segment from its left: the rope of the first end runs back against the motion, the last end's
// along it.
int cross_sign(bool from_left, bool over, RopeEnd end) {
  return (from_left ? -1 : 1) * (over ? 1 : -1) * (end == RopeEnd::first ? 1 : -1);
}

Move r2(int i, int j, bool first_over, bool same_direction, int sign) {
  return {MoveKind::r2, true, RopeEnd::none, {i, j, 0}, first_over, same_direction, sign};
}

bool contains(const std::vector<Move>& moves, const Move& move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

bool is_over_both(const PData& data, int segment) {
  return data.is_over(segment - 1) && data.is_over(segment);
}
bool is_under_both(const PData& data, int segment) {
  return !data.is_over(segment - 1) && !data.is_over(segment);
}

void add_cross_moves(const Diagram& diagram, RopeEnd end, std::vector<Move>& moves) {
  const int own = end == RopeEnd::first ? 1 : diagram.data().segments();
  for (const int dart : diagram.face(diagram.face_of(Diagram::dart(own, true)))) {
    for (const bool over : {true, false}) {
      const int sign = cross_sign(Diagram::is_forward(dart), over, end);
      moves.push_back({MoveKind::cross, true, end, {Diagram::segment_of(dart), 0, 0}, over, false, sign});
    }
  }
}

void add_r2_moves(const std::vector<int>& face, std::vector<Move>& moves) {
  for (std::size_t a = 0; a < face.size(); ++a) {
    for (std::size_t b = a; b < face.size(); ++b) {
      const int segment_a = Diagram::segment_of(face[a]), segment_b = Diagram::segment_of(face[b]);
      const bool same = Diagram::is_forward(face[a]) != Diagram::is_forward(face[b]);
      const int first_dart = segment_a <= segment_b ? face[a] : face[b];
      const int i = std::min(segment_a, segment_b), j = std::max(segment_a, segment_b);
      for (const bool over : {true, false}) {
        const int sign = r2_sign(Diagram::is_forward(first_dart), over, same);
        moves.push_back(r2(i, j, over, same, sign));
        // A segment with the same face on both sides: its earlier part may leave on either.
        if (i == j && a != b) moves.push_back(r2(i, j, over, same, -sign));
      }
    }
  }
}

}  // namespace

std::vector<Move> adding_moves(const Diagram& diagram) {
  std::vector<Move> moves;
  for (int segment = 1; segment <= diagram.data().segments(); ++segment) {
    for (const bool over : {true, false}) {
      for (const int sign : {-1, 1})
        moves.push_back({MoveKind::r1, true, RopeEnd::none, {segment, 0, 0}, over, false, sign});
    }
  }
  for (int face = 0; face < diagram.face_count(); ++face) add_r2_moves(diagram.face(face), moves);
  add_cross_moves(diagram, RopeEnd::first, moves);
  add_cross_moves(diagram, RopeEnd::last, moves);
  return moves;
}

std::vector<Move> sliding_moves(const Diagram& diagram) {
  const PData& data = diagram.data();
  std::vector<Move> moves;
  for (int index = 0; index < diagram.face_count(); ++index) {
    const std::vector<int>& face = diagram.face(index);
    if (face.size() != 3) continue;
    std::array<int, 3> segments{Diagram::segment_of(face[0]), Diagram::segment_of(face[1]),
                                Diagram::segment_of(face[2])};
    std::array<int, 6> passages{};
    bool inner = true;
    for (std::size_t k = 0; k < 3; ++k) {
      inner = inner && segments[k] >= 2 && segments[k] <= data.passages();
      passages[2 * k] = segments[k] - 1;
      passages[2 * k + 1] = segments[k];
    }
    std::sort(passages.begin(), passages.end());
    if (!inner || std::adjacent_find(passages.begin(), passages.end()) != passages.end()) continue;
    const auto top =
        std::find_if(segments.begin(), segments.end(), [&](int s) { return is_over_both(data, s); });
    if (top == segments.end()) continue;
    std::swap(*top, segments[0]);
    if (is_under_both(data, segments[1])) std::swap(segments[1], segments[2]);
    if (!is_under_both(data, segments[2])) continue;
    moves.push_back({MoveKind::r3, false, RopeEnd::none, segments, false, false, 0});
  }
  return moves;
}

std::vector<Move> removing_moves(const PData& data) {
  std::vector<Move> moves;
  const int n = data.passages();
  if (n == 0) return moves;
  for (int i = 1; i < n; ++i) {
    const int first = data.other(i), second = data.other(i + 1);
    if (first == i + 1)
      moves.push_back({MoveKind::r1, false, RopeEnd::none, {i, 0, 0}, data.is_over(i), false, data.sign(i)});
    // Two strands side by side: same height, other sign; then the two-sided face between them is empty.
    const bool neighbours = std::abs(first - second) == 1 && std::min(first, second) > i + 1;
    if (neighbours && std::abs(data.attribute(i) - data.attribute(i + 1)) == 2) {
      Move move = r2(i, std::min(first, second) - 2, data.is_over(i), first < second, data.sign(i));
      move.adds = false;
      moves.push_back(move);
    }
  }
  moves.push_back({MoveKind::cross,
                   false,
                   RopeEnd::first,
                   {data.other(1) - 1, 0, 0},
                   data.is_over(1),
                   false,
                   data.sign(1)});
  moves.push_back(
      {MoveKind::cross, false, RopeEnd::last, {data.other(n), 0, 0}, data.is_over(n), false, data.sign(n)});
  return moves;
}

std::vector<Move> all_moves(const PData& data) {
  const Diagram diagram(data);
  std::vector<Move> moves = removing_moves(data);
  const std::vector<Move> slides = sliding_moves(diagram), more = adding_moves(diagram);
  moves.insert(moves.end(), slides.begin(), slides.end());
  moves.insert(moves.end(), more.begin(), more.end());
  return moves;
}

PData apply_listed(const PData& data, const Move& move) {
  if (move.kind == MoveKind::r3) return slide(data, move);
  if (!move.adds) return without_columns(data, columns_of(move, data.passages()).span());
  const int added = move.kind == MoveKind::r2 ? 4 : 2;
  PData result = with_columns(data, columns_of(move, data.passages() + added).span());
  join_columns(result, move);
  return result;
}

std::string find_problem(const PData& data, const Move& move) {
  if (std::string problem = find_problem(data); !problem.empty()) return problem;
  if (contains(all_moves(data), move)) return "";
  const std::string what = to_text(move);
  if (move.kind == MoveKind::r3)
    return what + ": the segments are not the top, middle and bottom sides of one three-sided face";
  if (!move.adds) return what + ": the state has no such crossings";
  for (std::size_t k = 0; k < (move.kind == MoveKind::r2 ? 2U : 1U); ++k) {
    if (move.segments[k] < 1 || move.segments[k] > data.segments()) {
      return what + ": segment " + std::to_string(move.segments[k]) + " must be between 1 and " +
             std::to_string(data.segments());
    }
  }
  if (move.kind == MoveKind::cross) return what + ": the end does not lie beside that side of the segment";
  if (move.kind == MoveKind::r2) return what + ": no face lies between those sides of the segments";
  return what + ": the sign must be 1 or -1, and only a cross move names an end";
}

PData apply(const PData& data, const Move& move) {
  if (const std::string problem = find_problem(data, move); !problem.empty())
    throw std::invalid_argument(problem);
  return apply_listed(data, move);
}

Move inverse(const Move& move) {
  Move back = move;
  if (move.kind != MoveKind::r3) back.adds = !move.adds;
  return back;
}

const char* to_string(MoveKind kind) {
  switch (kind) {
    case MoveKind::r1:
      return "R1";
    case MoveKind::r2:
      return "R2";
    case MoveKind::r3:
      return "R3";
    case MoveKind::cross:
      return "cross";
  }
  return "";
}

std::string to_text(const Move& move) {
  const std::string i = std::to_string(move.segments[0]), j = std::to_string(move.segments[1]);
  const std::string over = move.over ? "over" : "under", sign = move.sign > 0 ? "+" : "-";
  switch (move.kind) {
    case MoveKind::r1:
      return std::string("R1 ") + (move.adds ? "adds" : "removes") + " a loop in segment " + i + " (" + over +
             " first, " + sign + ")";
    case MoveKind::r2:
      return std::string("R2 ") + (move.adds ? "lays" : "takes") + " segment " + i +
             (move.adds ? " " : " from ") + over + " segment " + j +
             (move.same_direction ? " (same direction)" : " (opposite direction)");
    case MoveKind::r3:
      return "R3 slides segments " + i + ", " + j + ", " + std::to_string(move.segments[2]) +
             " (top, middle, bottom)";
    case MoveKind::cross:
      return std::string("cross: the ") + (move.end == RopeEnd::first ? "first" : "last") + " end " +
             (move.adds ? "goes " : "comes back from ") + over + " segment " + i;
  }
  return "";
}

}  // namespace prehend::knot
