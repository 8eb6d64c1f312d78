// A table that was left in a cloud: most of one plane lies bare, and everything else stands on one side of it.
//
// Planes through three points each, of 200 triples, scored on at most 2000 points. A face of an object has other points of it above or beside its rim;
// a table reaches beyond all that stands on it. A plate seen from above with a knob on it looks the same.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

namespace prehend::parts {

struct TablePlane {
  Eigen::Vector3d normal{Eigen::Vector3d::UnitZ()};  // unit, towards the rest
  double offset{0.0};                                // [m] normal.x = offset on it
  int points{0};                                     // on it
};
// `spacing` [m] of the points.
std::optional<TablePlane> table_plane(const std::vector<Eigen::Vector3d>& points, double spacing);

}  // namespace prehend::parts
