// A first drawing of a code on the lines of a grid: every strand runs east, north, west or south, and all crossings are
// right angles.
//
// The number of bends is least for the outer face chosen (R. Tamassia, SIAM J. Comput. 16, 1987): going round a face with the
// face on the left, left turns minus right turns are 4 (-4 round the outer face); a crossing's corner is one left turn, a
// free end two right turns, and what is missing flows between faces as bends of the strands they share. Faces are then cut
// into rectangles, and longest paths give the lines' coordinates.
//
// Crossings are at least 1 apart and the sides grow linearly with the crossings; in a barycentric (Tutte) drawing nested
// faces shrink geometrically, to 1e-9 of the width at 30 crossings. Cost: about the square of the crossings; 0.3 ms for 30.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/knot/diagram.h>

namespace prehend::knot {

// The rope as a plane path through shared points: both passages of a crossing are one point.
struct PlaneRope {
  std::vector<Eigen::Vector2d> points;
  // Per segment of the code, its points from the passage before it to the one after it.
  std::vector<std::vector<int>> segments;

  // The crossing's point.
  int crossing_point(int passage) const { return segments[static_cast<std::size_t>(passage)].front(); }
};

// Left bends of every segment, with the rope; negative ones are right bends. The code must be plane.
std::vector<int> fewest_bends(const Diagram& diagram, int outer_face);

PlaneRope draw_on_grid(const Diagram& diagram, int outer_face);

// The grid's drawing with its bends cut short, ready for rounding: two points on either side instead of the corner. The
// triangle that is cut off is empty, since the rectangles beside a bend have sides of at least 1.
PlaneRope with_cut_corners(const PlaneRope& grid);

}  // namespace prehend::knot
