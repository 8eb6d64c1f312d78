// Closed diagrams with fewer crossings, and the summands that a diagram shows.
//
// Reidemeister I and II are undone where the code shows them; then every strand that runs over everything it meets is
// taken away and laid anew along the way that crosses fewest strands (and so below everything). This undoes in one step
// what would take many Reidemeister III moves. Where that ends, strands may be laid along other ways of equal length,
// at random from a seed, and the rest tried again. The knot never changes; the number of crossings never grows. That a
// diagram does not get smaller proves nothing, except for alternating ones without a summand: those are smallest
// (Kauffman, Murasugi, Thistlethwaite 1987).
//
// Cost: linear in the crossings for loops and fingers, quadratic for each round of laying strands anew; bounded by max_work.
#pragma once

#include <cstdint>
#include <vector>

#include <prehend/knot/closure.h>

namespace prehend::knot {

struct ReductionOptions {
  // Rounds of laying strands along other ways of equal length. A few dozen untangle nearly all drawings of 30 crossings;
  // 0 keeps to steps that make the diagram smaller.
  int rounds{40};
  std::uint64_t seed{1};
  // Passages looked at while strands are laid anew; then the reduction stops where it is. Not in time, so that the answer is the
  // same on every machine: about two seconds.
  std::int64_t max_work{10'000'000};
};

// std::invalid_argument when the diagram is not sound or rounds is negative.
ClosedDiagram reduced(const ClosedDiagram& diagram, const ReductionOptions& options = {});
// The same out of `work`, in place of max_work; not above zero afterwards when the reduction was stopped.
ClosedDiagram reduced(const ClosedDiagram& diagram, const ReductionOptions& options, std::int64_t& work);

// The diagrams of the summands: parts of the loop that cross only themselves. One for a diagram that shows no sum,
// none for a circle.
std::vector<ClosedDiagram> summands(const ClosedDiagram& diagram);

// Over and under in turns, all along.
bool is_alternating(const ClosedDiagram& diagram);

}  // namespace prehend::knot
