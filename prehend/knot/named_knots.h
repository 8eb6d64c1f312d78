// Eight knots that source L names and the slip knot, as ropes: centre lines in data/knots (embedded), their P-data and a way
// to tie each. docs/knots_validation.md checks each against what knot books say, docs/knots_named.md has their closed loops.
//
// The centre lines lie flat as knots are drawn in books (data/make_knots.py says how), seen from above, the working end
// first. Only the rope is there: the post of a hitch stands in the rope's open eye, the foot of a bow in its large loop.
//
// Joined end to end, both bows are trefoils, as the overhand knot is, and the slip knot is no knot: the closed loop separates
// neither bows from the overhand knot nor a slip knot from a straight rope; P-data does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/knot/moves.h>

namespace prehend::knot {

struct NamedKnot {
  std::string name;   // "bowline": also the file's, data/knots/bowline.csv
  std::string title;  // "Bowline"
  std::string note;   // what is drawn
  PData p_data;
  // As a hand ties it, from the straight rope; not always the shortest (plan.h finds that).
  std::vector<PData> tying_states;
  std::vector<Move> tying_moves;
};

const std::vector<NamedKnot>& named_knots();
// std::invalid_argument that lists the names.
const NamedKnot& named_knot(std::string_view name);

// [m] from the working end.
std::vector<Eigen::Vector3d> centre_line(const NamedKnot& knot);

// The code without what noise of a dense recording makes: loops (R1 takes them away), and two strands that cross three times
// in a row, the same one above (one crossing is left). The order does not matter.
PData smoothed(const PData& data);

// Names of the knots whose P-data this is when smoothed: read from either end, seen in a mirror, or seen from below; empty
// when there is none. A rope in space, seen from any side: rope_shape.h.
std::vector<std::string> names_of(const PData& data);

}  // namespace prehend::knot
