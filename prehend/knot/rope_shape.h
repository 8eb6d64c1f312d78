// Which of the named knots (named_knots.h) a rope in space is, from whichever side it lies.
//
// P-data belong to a view: the same rope seen along its table has other crossings than seen from above, and two drawings of one
// open rope need not be joined by Reidemeister moves alone. Named knots are codes of ropes laid flat. So the rope is looked
// at from many directions, first along the axis in which its points spread least (principal components), then further and
// further from it; the first view whose smoothed code is a named one decides, else the one that is fewest Reidemeister moves away. Seen from the front or from the back is the
// same here. A rope drawn tight is not flat from anywhere, and may have no name.
//
// Cost: one projection per view, 0.1 ms for 1000 points.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/knot/projection.h>

namespace prehend::knot {

struct RopeShapeOptions {
  // Directions on the half sphere around the flattest view, evenly spread: 300 lie 8 degrees apart.
  int views{300};
  // Looked at up to this angle from the flattest view [rad]: beyond a radian strands of a flat knot hide each other.
  double widest{1.0};
  // [m] Of the points: see ProjectionOptions::noise.
  std::optional<double> noise{};

  void validate() const;
};

struct RopeShape {
  std::vector<std::string> names;  // of named_knots.h; empty when no view shows one
  PData
      p_data;  // smoothed, in the view that decided; without a name, in the flattest view that could be read
  Eigen::Vector3d view_W{0, 0, 0};  // looking direction of that view, unit; zero when no view could be read
  double from_flattest{0};          // [rad] between that view and the flattest
  int moves{0};                     // Reidemeister moves (R2, R3) from that code to the named one's
  int looked_at{0}, readable{0};    // views
};

// Throws std::invalid_argument: fewer than two points, a point that is not finite, an option out of bounds.
RopeShape find_shape(std::span<const Eigen::Vector3d> points_W, const RopeShapeOptions& options = {});

// The rope as `knot name` sees it: project_rope(), but where no view was asked for and the default one shows no named knot,
// from a view in which one shows, if there is any.
ProjectionResult project_for_naming(std::span<const Eigen::Vector3d> points_W,
                                    const ProjectionOptions& options = {});

// Why the rope that was seen may be another knot: sentences for RopeName::doubts. Between points that are too far apart for its bends, or
// by what is left of their noise, its strands may pass each other on the other side. None with options.noise 0.
std::vector<std::string> naming_doubts(std::span<const Eigen::Vector3d> points_W,
                                       const ProjectionResult& seen, const ProjectionOptions& options = {});

}  // namespace prehend::knot
