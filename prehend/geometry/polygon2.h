// Plane polygons with holes: area, inside test, intersection and union.
//
// A Polygon2 is a set of closed loops; the material lies to the left, so outer loops run counter-clockwise
// and holes clockwise. Several outer loops are allowed. A point belongs to the polygon where the winding
// number is positive.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

using Loop2 = std::vector<Eigen::Vector2d>;  // [m] without repeating the first point

struct Polygon2 {
  std::vector<Loop2> loops;
  bool is_empty() const { return loops.empty(); }
};

double signed_area(const Loop2& loop);      // [m^2] positive counter-clockwise
double area(const Polygon2& polygon);       // [m^2] holes subtracted
double perimeter(const Polygon2& polygon);  // [m] of all loops
bool is_convex(const Polygon2& polygon);    // one counter-clockwise loop that never turns right

int winding_number(const Polygon2& polygon, const Eigen::Vector2d& point);
bool contains(const Polygon2& polygon, const Eigen::Vector2d& point);
double distance_to_boundary(const Polygon2& polygon, const Eigen::Vector2d& point);  // [m]
double distance_to_segment(const Eigen::Vector2d& point, const Eigen::Vector2d& start,
                           const Eigen::Vector2d& end);

// Some point well inside: the middle of the widest stretch of a line through the largest step in y. The
// polygon must have area.
Eigen::Vector2d interior_point(const Polygon2& polygon);

// The part of a polygon where normal . x <= offset; holes and several pieces are handled.
Polygon2 clip_to_half_plane(const Polygon2& polygon, const Eigen::Vector2d& normal, double offset);

struct BooleanResult {
  // False when rounding made the boundary not close; `polygon` is then empty. Callers fall back to convex
  // pieces.
  bool is_closed{false};
  Polygon2 polygon;
};

// Set operations on any two polygons. All boundaries are cut where they meet; points closer than `snap` [m]
// become one; pieces of boundary are kept by what lies to their left, and chained into loops. Convex against
// convex is clipped directly. Cost: number of edges of a times those of b. `snap` <= 0 chooses 1e-11 of the
// smaller polygon's extent, which errs below 1e-9 in area.
BooleanResult intersect(const Polygon2& a, const Polygon2& b, double snap = 0.0);
BooleanResult unite(const Polygon2& a, const Polygon2& b, double snap = 0.0);

// Without points closer than `distance` to their neighbour or to the line between their neighbours, and
// without loops that so vanish.
Polygon2 simplified(const Polygon2& polygon, double distance);

// Indices of the convex hull's corners, counter-clockwise, starting with the lowest in (x, y); points on its
// sides are left out when closer than `distance` to the line between the corners.
std::vector<int> convex_hull(const std::vector<Eigen::Vector2d>& points, double distance);

}  // namespace prehend::geometry
