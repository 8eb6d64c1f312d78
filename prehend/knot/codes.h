// The codes that knot tables and programs exchange, of closed diagrams: Gauss, Dowker-Thistlethwaite and PD.
//
// Crossings and passages are numbered in the order of the loop. Conventions, each as its users write it:
//   Gauss   "O1+U2+O3+U1+O2+U3+": over or under, crossing, and the crossing's sign (P-data's, which is the writhe's).
//   DT      for the odd passages 1, 3, 5 ... the even passage of the same crossing, negative where the even one is over
//           (an alternating diagram that starts over has positive numbers only).
//   PD      X[i,j,k,l]: the four segments at a crossing, counter-clockwise from the under strand's incoming one.
// A rope has these codes when it is closed (closed_over); a loop becomes a rope when it is cut (opened).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prehend/knot/closure.h>

namespace prehend::knot {

struct GaussCode {
  std::vector<int> passages;  // +k: over at crossing k, -k: under; crossings from 1 in the order they are met
  std::vector<int> signs;     // +1 or -1 of crossing k at k - 1; empty: not known
  friend bool operator==(const GaussCode&, const GaussCode&) = default;
};
using PdCode = std::vector<std::array<int, 4>>;

GaussCode gauss_code(const ClosedDiagram& diagram);
std::vector<int> dt_code(const ClosedDiagram& diagram);
PdCode pd_code(const ClosedDiagram& diagram);

// DT (and Gauss without signs) show neither the hand of a knot nor how the summands of a composite one are turned: the
// diagram made from it has, at the first crossing of every part that can be turned by itself, the sign plus when the odd
// passage is over and minus when it is under.
// Throw std::invalid_argument with what is wrong: numbers that do not fit together, no drawing in the plane.
ClosedDiagram from_gauss(const GaussCode& code);
ClosedDiagram from_dt(std::span<const int> code);
// Any labels that appear twice each; the loop is followed along the under strands' direction from the smallest label.
ClosedDiagram from_pd(const PdCode& code);

std::string to_text(const GaussCode& code);      // "O1+U2+", without signs "O1U2"
std::string dt_text(std::span<const int> code);  // "4 6 2"
std::string to_text(const PdCode& code);         // "X[1,5,2,4] X[3,1,4,6] X[5,3,6,2]"
GaussCode parse_gauss(std::string_view text);

}  // namespace prehend::knot
