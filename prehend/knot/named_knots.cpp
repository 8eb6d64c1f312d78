#include <algorithm>
#include <array>
#include <stdexcept>

#include <prehend/knot/invariants/reduction.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/search/passage_list.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/rope_log.h>

namespace prehend::knot {
namespace {

// The first removal of a kind in a state: 'c' draws the working end back by a crossing, '1' and '2' take a loop or a
// finger away.
Move removal(const PData& state, char step) {
  for (const Move& move : removing_moves(state)) {
    if (step == 'c' && move.kind == MoveKind::cross && move.end == RopeEnd::first) return move;
    if (step == '1' && move.kind == MoveKind::r1) return move;
    if (step == '2' && move.kind == MoveKind::r2) return move;
  }
  throw std::logic_error("a named knot cannot be untied as written");
}

// `untying` lists the steps from the tied knot back to the straight rope.
NamedKnot make(const char* name, const char* title, const char* note, PData p_data,
               std::string_view untying) {
  NamedKnot knot{name, title, note, std::move(p_data), {}, {}};
  knot.tying_states.push_back(knot.p_data);
  for (const char step : untying) {
    const Move back = removal(knot.tying_states.back(), step);
    knot.tying_moves.push_back(inverse(back));
    knot.tying_states.push_back(apply_listed(knot.tying_states.back(), back));
  }
  std::reverse(knot.tying_states.begin(), knot.tying_states.end());
  std::reverse(knot.tying_moves.begin(), knot.tying_moves.end());
  return knot;
}

// Is there a third crossing of the two strands right before or after the two that i and j pass? Of other sign in turns, as strands
// that ripple across each other have.
bool is_ripple(const PassageList& list, int i, int j) {
  const PData& data = list.data();
  if (data.sign(i) == data.sign(j)) return false;
  const bool forward = list.next(data.other(i)) == data.other(j);
  const auto step = [&](int passage, bool ahead) {
    return ahead ? list.next(passage) : list.previous(passage);
  };
  const auto continues = [&](int third, int beside, bool ahead) {
    return third > 0 && third != i && third != j && data.is_over(third) == data.is_over(i) &&
           step(data.other(beside), ahead) == data.other(third);
  };
  return continues(list.next(j), j, forward) || continues(list.previous(i), i, !forward);
}

// A prime alternating loop without loose crossings, cut where both ends lie in one face, is the same rope wherever it is cut:
// the knot can be slid along it. Overhand and figure-eight knot have several codes for that reason.
std::vector<ClosedDiagram> slidable_loops(const PData& data) {
  if (data.crossings() == 0 || !closing_way(data).empty()) return {};
  const ClosedDiagram loop = closed_over(data);
  if (!is_alternating(loop) || summands(loop).size() != 1) return {};
  return {loop, reversed(loop)};
}

bool slides_into(const PData& data, const PData& known) {
  if (data.crossings() != known.crossings()) return false;
  const std::vector<ClosedDiagram> loops = slidable_loops(data), known_loops = slidable_loops(known);
  if (known_loops.empty()) return false;
  for (const ClosedDiagram& loop : loops) {
    for (int segment = 1; segment <= loop.passages(); ++segment) {
      if (rotated(loop, segment) == known_loops.front()) return true;
    }
  }
  return false;
}

std::vector<NamedKnot> make_all() {
  std::vector<NamedKnot> knots;
  knots.push_back(make("overhand", "Overhand knot", "A loop, and the end through it.",
                       {{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}}, "ccc"));
  knots.push_back(make("figure_eight", "Figure-eight knot",
                       "A loop, the end behind the standing part and through the loop.",
                       {{6, 5, 8, 7, 2, 1, 4, 3}, {2, 1, 4, 3, 2, 1, 4, 3}}, "cccc"));
  knots.push_back(
      make("bowline", "Bowline",
           "A small loop in the standing part; the end up through it, behind the standing part, and down "
           "through it again.",
           {{11, 8, 13, 14, 9, 10, 12, 2, 5, 6, 1, 7, 3, 4}, {2, 1, 1, 2, 3, 4, 3, 2, 4, 3, 1, 4, 2, 1}},
           "ccccccc"));
  knots.push_back(make(
      "harness_hitch", "Harness hitch",
      "A loop, the running part laid over it, and the loop's far side pulled over that part and under "
      "the near side.",
      {{10, 9, 6, 13, 14, 3, 12, 11, 2, 1, 8, 7, 4, 5}, {1, 2, 4, 3, 4, 3, 2, 4, 1, 2, 3, 1, 4, 3}}, "2221"));
  knots.push_back(make(
      "bow_tie", "Bow",
      "A half knot around what is tied (in the large loop), an ear, and the other end round the ear and, "
      "folded, over itself as a second ear.",
      {{16, 9, 8, 17, 20, 19, 18, 3, 2, 13, 14, 15, 10, 11, 12, 1, 4, 7, 6, 5},
       {4, 3, 1, 2, 4, 3, 1, 2, 4, 3, 4, 3, 4, 3, 4, 3, 1, 2, 4, 3}},
      "22c2ccc"));
  knots.push_back(make("single_loop_bow", "Single loop bow",
                       "A bow with one ear: the other end stays single.",
                       {{14, 7, 6, 15, 16, 3, 2, 11, 12, 13, 8, 9, 10, 1, 4, 5},
                        {4, 3, 1, 2, 1, 2, 4, 3, 4, 3, 4, 3, 4, 3, 1, 2}},
                       "22cccc"));
  knots.push_back(make(
      "slip_knot", "Slip knot",
      "An overhand knot whose end is drawn through as a bight; seen from its other end, the simple noose.",
      {{8, 7, 6, 9, 10, 3, 2, 1, 4, 5}, {4, 3, 1, 2, 1, 2, 4, 3, 1, 2}}, "221"));
  knots.push_back(
      make("two_half_hitches", "Two half hitches",
           "Round the post (in the open eye), and twice over the standing part, behind it and out over "
           "itself.",
           {{4, 11, 12, 1, 8, 9, 10, 5, 6, 7, 2, 3}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}}, "cccccc"));
  knots.push_back(
      make("taut_line_hitch", "Taut-line hitch",
           "Round the post (in the open eye), two turns round the standing part inside the eye, and a half "
           "hitch outside it.",
           {{4, 15, 16, 1, 10, 11, 12, 13, 14, 5, 6, 7, 8, 9, 2, 3},
            {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}},
           "cccccccc"));
  return knots;
}

}  // namespace

const std::vector<NamedKnot>& named_knots() {
  static const std::vector<NamedKnot> knots = make_all();
  return knots;
}

const NamedKnot& named_knot(std::string_view name) {
  std::string names;
  for (const NamedKnot& knot : named_knots()) {
    if (knot.name == name) return knot;
    names += (names.empty() ? "" : ", ") + knot.name;
  }
  throw std::invalid_argument("no knot is called '" + std::string(name) + "'; there are: " + names);
}

std::vector<Eigen::Vector3d> centre_line(const NamedKnot& knot) {
  const std::string file = "knots/" + knot.name + ".csv";
  return model::parse_rope_log(model::embedded_file(file), file).frames.front().points_W;
}

PData smoothed(const PData& data) { return without_loose_crossings(data, false, is_ripple); }

std::vector<std::string> names_of(const PData& data) {
  std::vector<std::string> names;
  const PData plain = smoothed(data);
  if (std::none_of(named_knots().begin(), named_knots().end(),
                   [&](const NamedKnot& knot) { return knot.p_data.crossings() == plain.crossings(); }))
    return names;
  const PData below = seen_from_below(plain);
  const std::array<PData, 4> seen{canonical(plain), canonical(mirrored(plain)), canonical(below),
                                  canonical(mirrored(below))};
  for (const NamedKnot& knot : named_knots()) {
    const PData known = canonical(knot.p_data);
    if (std::any_of(seen.begin(), seen.end(),
                    [&known](const PData& one) { return one == known || slides_into(one, known); }))
      names.push_back(knot.name);
  }
  return names;
}

}  // namespace prehend::knot
