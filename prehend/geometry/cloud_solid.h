// The solid behind points that were seen on its surface, without normals: Delaunay tetrahedra inside or outside.
//
// A ball of radius `reach` rolls in from outside and takes away every tetrahedron it gets to without touching a point; what is left
// is the alpha shape (Edelsbrunner, Mücke 1994) with its hollows filled. The widest ball that gets to each tetrahedron is found
// once for all radii (a widest path over the facets' gates), and the radius is the smallest, from 1.5 point spacings up, above
// which the volume stays about the same: below it the ball leaks in through gaps between the points. Sheets thinner than the
// spacing keep their volume, since no ball gets between their sides. Slits narrower than the ball are filled. Cost: Delaunay
// plus about a third of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

enum class CloudSolidStatus {
  failed,
  ok,
  not_finite,  // a coordinate is NaN, infinite or beyond 1e50
  degenerate,  // fewer than four points that span a volume
};
const char* to_string(CloudSolidStatus status);

struct CloudSolid {
  CloudSolidStatus status{CloudSolidStatus::failed};
  std::string message;                      // the reason when the status is not ok
  double spacing{0.0};                      // [m] median distance of a point to its sixth neighbour
  double reach{0.0};                        // [m] radius of the ball
  std::vector<Eigen::Vector4i> tetrahedra;  // positively oriented
  std::vector<double> volumes;              // [m^3] of the tetrahedra
  double volume{0.0};                       // [m^3]
  // Outward, unit; zero where no facet of the surface meets the point.
  std::vector<Eigen::Vector3d> normals;
  // Length of the sum of the area vectors around the point over the sum of their lengths: near 1 on the surface of a solid, near 0
  // on a surface seen from one side only, whose facets face both ways.
  std::vector<double> facing;
  std::vector<Eigen::Vector3i> surface;  // triangles, counter-clockwise from outside
  std::vector<int> representative;       // the first point at the same place; itself unless it is a duplicate
};

CloudSolid cloud_solid(std::span<const Eigen::Vector3d> points);

}  // namespace prehend::geometry
