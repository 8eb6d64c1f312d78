// True surfaces of a scene's geoms, and what a contact point on one of them knows of it: curvature, and how well its place is known.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include <prehend/geometry/round_shape.h>
#include <prehend/model/scene.h>

namespace prehend::model {

// The true surface of a round primitive.
std::optional<geometry::RoundShape> round_shape(const Shape& shape);
std::span<const geometry::TurnedMesh::Part> turned_parts(const Geom& geom);
// [m] One who drew a turned body on its facets has it so deep; a fiftieth more, since facets of a cone tilt it.
double drawn_within(const geometry::RecognisedRound& round);

// A round surface at a contact point.
struct SurfaceThere {
  double distance{0.0};  // [m] of the point from it
  Eigen::Matrix2d K{
      Eigen::Matrix2d::Zero()};  // [1/m] curvatures along two tangents, positive where it bulges
  double facet{0.0};             // [m] half of one; 0: it has none
  double place{0.0};             // [m] where the point may be along the surface
  double offset{0.0};            // [m] rounding, and noise of the axis
  Eigen::Vector2d around{
      Eigen::Vector2d::Zero()};  // unit tangent around the axis of a mesh; zero: on the axis, or no mesh
};

// A plane of contact: the point, down, and two tangents.
struct ContactPlane {
  Eigen::Vector3d p_W, u_W, v_W;
};

// The round part of a body that is nearest to the point and looks along `out_W` there; none where facets are. `touching` [m]: bodies so close touch.
std::optional<SurfaceThere> surface_at(const Body& body, const ContactPlane& plane,
                                       const Eigen::Vector3d& out_W, double touching);
// Of two bodies against each other: curvatures add, what is known worse counts. None where both are none.
std::optional<SurfaceThere> surfaces_together(const std::optional<SurfaceThere>& own,
                                              const std::optional<SurfaceThere>& other);

}  // namespace prehend::model
