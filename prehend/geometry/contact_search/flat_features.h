// Points, lines and areas in the plane of a contact, and what two of them share.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <prehend/geometry/polygon2.h>
#include <prehend/geometry/round_shape.h>

namespace prehend::geometry {

// A round surface's feature in the axes of a plane. Points carry the height of the surface over the plane [m].
struct FlatFeature {
  RoundFeature::Kind kind{RoundFeature::Kind::point};
  Eigen::Vector2d p{Eigen::Vector2d::Zero()}, q{Eigen::Vector2d::Zero()};  // the point; the line's ends
  Polygon2 area;                                                           // the disc
};

// The parts of the line from p to q inside the polygon, as shares of the way; touching in a point counts as a part of no length.
std::vector<std::array<double, 2>> clip_line(const Eigen::Vector2d& p, const Eigen::Vector2d& q,
                                             const Polygon2& polygon, double margin);

// Inside or within `margin` of the boundary.
bool holds(const Polygon2& polygon, const Eigen::Vector2d& x, double margin);

// Where two lines run alongside each other (within the angle of that sine): the shared part of the first; else where they cross, as a part of
// no length; none where they do neither. Shares of the first line.
std::vector<std::array<double, 2>> shared_part(const FlatFeature& line, const FlatFeature& other, double sine,
                                               double margin);

}  // namespace prehend::geometry
