// Planes that an object can lie on: faces of the scene that friction holds it on, and planes that rest on two or three parts.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/placement/planning/problem.h>
#include <prehend/placement/search/convex_part.h>
#include <prehend/placement/search/plane_polygons.h>

namespace prehend::placement {

// A convex piece of the scene's surface in the plane: a polygon, a segment or a point.
struct SupportRegion {
  Corners2 corners;  // in the plane's coordinates
  model::BodyIndex body;
};

struct SupportPlane {
  Eigen::Vector3d n{Eigen::Vector3d::UnitZ()};  // unit, upwards
  double d{0.0};                                // [m] n . x = d
  Eigen::Vector3d u{Eigen::Vector3d::UnitX()}, v{Eigen::Vector3d::UnitY()};
  double mu{0.0};  // least friction of its regions
  std::vector<SupportRegion> regions;
  double area{0.0};  // [m^2] of all regions; of planes across parts, of their hull

  bool carries_by(model::BodyIndex body) const;  // whether a region is that body's
  Eigen::Vector2d flat(const Eigen::Vector3d& x) const { return {u.dot(x), v.dot(x)}; }
  Eigen::Vector3d lifted(const Eigen::Vector2d& t) const { return t.x() * u + t.y() * v + d * n; }
};

// Faces of bodies that may be touched, whose friction cone holds the vertical; coplanar ones are one plane. Largest first.
std::vector<SupportPlane> face_planes(const Problem& problem);
// The same of all faces that do not hang over, however steep: grooves and walls.
std::vector<SupportPlane> upward_planes(const Problem& problem);

// Planes that touch two or three parts from above, `reach` [m] apart at most: ridges, tips, rails, steps, teeth. Flattest first.
std::vector<SupportPlane> bridging_planes(const Problem& problem, const std::vector<ConvexPart>& parts,
                                          double reach);

}  // namespace prehend::placement
