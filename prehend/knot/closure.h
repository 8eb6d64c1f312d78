// Closing a rope into a loop, and cutting a loop open.
//
// Knot theory names loops. A rope becomes one by an arc from its last end to its first that passes over every strand
// (towards the viewer) or under every strand. All arcs over everything give the same knot, because one slides into the
// other above the rest; the arc here crosses the fewest strands, found as a shortest path from face to face. Over and
// under closures of one rope may be different knots, unless both ends lie in one face, where the arc crosses nothing.
//
// Cost: linear in the crossings.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/knot/p_data.h>

namespace prehend::knot {

// A drawing of one closed loop. Its passages are those of P-data, followed from a point on the loop; segment 1 and segment
// n + 1 of the table are the same segment, in which that point lies. No passages: a circle.
struct ClosedDiagram {
  PData loop;

  int passages() const { return loop.passages(); }
  int crossings() const { return loop.crossings(); }
  friend bool operator==(const ClosedDiagram&, const ClosedDiagram&) = default;
};

// What keeps it from being the code of a closed drawing in the plane; empty when nothing does.
std::string find_problem(const ClosedDiagram& diagram);

// The rope closed by an arc over (under) everything. The code must be sound (find_problem(data) is empty). The rope's own
// passages come first, in order, with the strands the arc crosses among them; then the arc's passages.
ClosedDiagram closed_over(const PData& data);
ClosedDiagram closed_under(const PData& data);
// Along a chosen way: the arc crosses these darts (diagram.h) from their left to their right, in this order, no segment
// twice. Throws std::invalid_argument when the way does not lead from the last end's face to the first end's.
ClosedDiagram closed_along(const PData& data, std::span<const int> way, bool over);
// The darts that the shortest arc crosses.
std::vector<int> closing_way(const PData& data);

// The loop cut in segment s, 1 to n (1 in a circle): a rope whose ends lie side by side. closed_over of it is the loop,
// followed from there.
PData opened(const ClosedDiagram& diagram, int segment = 1);
// The same loop followed from a point on segment s.
ClosedDiagram rotated(const ClosedDiagram& diagram, int segment);
// The same loop followed the other way.
ClosedDiagram reversed(const ClosedDiagram& diagram);
ClosedDiagram mirrored(const ClosedDiagram& diagram);

}  // namespace prehend::knot
