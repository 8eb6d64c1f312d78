// Sides on which the object can lie: faces of its convex hull, with what of its surface lies in them.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/placement/planning/problem.h>
#include <prehend/placement/search/plane_polygons.h>

namespace prehend::placement {

struct RestingFace {
  Eigen::Vector3d n_O{Eigen::Vector3d::UnitZ()};  // unit, outwards
  double d{0.0};                                  // [m] n_O . x = d for all points of the face
  Eigen::Vector3d u_O{Eigen::Vector3d::UnitX()};  // with v_O = u_O x n_O: counter-clockwise seen from above when it lies on the face
  Eigen::Vector3d v_O{Eigen::Vector3d::UnitY()};
  std::vector<Corners2> features;  // convex pieces of the surface in the face, in (u, v)
  Corners2 hull;                   // of all of them
  Eigen::Vector2d com{Eigen::Vector2d::Zero()};  // [m] centre of mass above the face, in (u, v)
  double height{0.0};                            // [m] of the centre of mass above the face
  double steadiness{0.0};  // tangent of the tilt that it stands on a level plane; negative: it falls over

  // Orientation in the world that puts the face on a plane of normal n with axis u, turned by yaw.
  Eigen::Matrix3d orientation(const Eigen::Vector3d& n, const Eigen::Vector3d& u, double yaw) const;
};

// All faces of the hull, steadiest first, at most `most`. Facets of round surfaces are none.
std::vector<RestingFace> resting_faces(const Problem& problem, std::size_t most);

}  // namespace prehend::placement
