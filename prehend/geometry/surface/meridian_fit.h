// From a mesh about z whose vertices stand in no rings to the meridian it was turned from: remeshed, decimated and scanned bodies.
// Internal to the room.
//
// A plane through the axis cuts the mesh in a chain; along it all vertices are put in order by radius and height, and the fewest of them that
// leave no other farther off than the tolerance become the corners of the meridian. The mesh is taken for a turned body where every vertex lies on
// that surface, and every edge of the mesh as deep below it as an edge between two of its points may.
#pragma once

#include <optional>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/turned_profile.h>
#include <prehend/math/pose.h>

namespace prehend::geometry {

struct FittedMeridian {
  TurnedProfile profile;
  double deviation{0.0};    // [m] of a vertex from the surface, at most
  double depth{0.0};        // [m] of an edge's middle
  double widest_step{0.0};  // [rad] around the axis, of edges that lie below the surface
};

// `tolerance` [m] of vertices from the surface. None for anything else.
std::optional<FittedMeridian> fit_meridian(const TriangleMesh& mesh, double tolerance);

// A better axis in the frame of the mesh, one step of Gauss and Newton: pieces of the surface, put in order along the meridian, become straight in
// radius and height. None where the mesh is far from turned.
std::optional<math::Pose> straighter_axis(const TriangleMesh& mesh);

// The axis shifted by x[0], x[1] [m] along x and y and rotated by x[2], x[3] [rad] about them; none unless it is a small step.
std::optional<math::Pose> moved_axis(const Eigen::Vector4d& x);

}  // namespace prehend::geometry
