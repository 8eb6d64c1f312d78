// From the grid to a drawing that looks like a rope: the plane path is relaxed without ever crossing itself.
//
// The rope is an elastic curve: it resists bending (also through crossings), its inner segments pull together, strands push
// each other away below `clearance`, and the strands of a crossing like to be perpendicular. Bending, tension and the
// crossings' angles are quadratic and taken implicitly (one sparse factorisation a phase); the pushes are explicit.
//
// The code cannot change: in every step a point moves by less than half its distance to any edge that it does not belong to,
// and so do the ends of that edge, so no point ever meets an edge (as in Bertault's force-directed drawing that preserves
// crossings, 2000). Points are removed only where the triangle they cut off is empty.
// Cost: iterations times points; 30 crossings have about 350 points.
#pragma once

#include <optional>

#include <prehend/knot/layout/orthogonal_drawing.h>

namespace prehend::knot {

// One round: the points are spaced anew, then the rope relaxes. Lengths in the grid's unit; weights relative to a step's
// inertia, so 1 moves a lone point halfway.
struct RelaxationRound {
  double spacing;      // of points along the rope
  int least_inner;     // points that every segment keeps between its ends, so that short ones do not vanish
  double rest_length;  // of the edges between points; in spacings
  double bending;      // weight of the second differences along the rope
  double right_angles;
};

struct RelaxationOptions {
  // Strands nearer than this push each other away.
  double clearance{0.9};
  double stretching{0.3};
  double push{0.6};
  // Enough to look settled; what remains is slow drift of large loops.
  int iterations{16};
  // Ropes that are long for their number of crossings (spirals) get their points wider apart, so that time stays in bounds.
  int points_per_crossing{30};
  // Coarse and shrinking for the drawing at large; at last fine, for the shape of its curves. Weights found by eye on
  // random codes of 3 to 30 crossings.
  std::vector<RelaxationRound> rounds{
      {1.0, 1, 0.7, 1.0, 0.3}, {1.0, 1, 0.7, 1.0, 0.3}, {1.0, 1, 0.7, 1.0, 0.3}, {0.4, 4, 1.0, 25.0, 0.5}};
};

// The rope drawn on the grid, relaxed. Nothing when it is so long that its points would lie too wide apart to follow
// strands that are `clearance` apart: dozens of windings are best left on the grid.
std::optional<PlaneRope> relax(const Diagram& diagram, PlaneRope rope, const RelaxationOptions& options = {});

}  // namespace prehend::knot
