// Colourings of a knot by finite groups: ways to give every arc an element of one conjugacy class so that at every
// crossing out = over^-1 in over (plus; over in over^-1 for minus). They are the homomorphisms of the knot group that
// send meridians into the class; three colours (Fox) are the reflections of a triangle.
//
// The classes used are closed under inverses, so mirror images and reversed knots have as many. With the colour of one arc
// held fixed the number is multiplicative under connected sums. It separates knots whose polynomials agree.
//
// Cost: (class size)^(b - 1) times the crossings, b the arcs from which all others follow (2 to 4 for a table's knots).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <prehend/knot/closure.h>

namespace prehend::knot {

// A conjugacy class of a permutation group, as the table of its conjugations.
class ColourClass {
 public:
  // Generators and one element as images of 0, 1, ... (all of one length).
  ColourClass(std::string name, std::vector<std::vector<int>> generators, std::vector<int> element);

  const std::string& name() const { return name_; }
  int size() const { return size_; }
  // over^-1 in over, and over in over^-1, by number.
  int forward(int in, int over) const { return forward_[static_cast<std::size_t>(in * size_ + over)]; }
  int backward(int in, int over) const { return backward_[static_cast<std::size_t>(in * size_ + over)]; }

 private:
  std::string name_;
  int size_{0};
  std::vector<int> forward_, backward_;
};

// Those that naming uses, small ones first.
const std::vector<ColourClass>& colour_classes();

// Colourings with the colour of one arc held fixed; 1 for the unknot. Nothing when more than max_choices colours would
// have to be tried (a million take about a second for 30 crossings).
std::optional<std::int64_t> count_colourings(const ClosedDiagram& diagram, const ColourClass& colours,
                                             std::int64_t max_choices = 1000000);

}  // namespace prehend::knot
