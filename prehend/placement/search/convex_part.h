// Scene and object as convex parts: what the search measures free space and distances with.
//
// A convex mesh is one part; another is cut into tetrahedra which are joined again while their union stays convex, so that the parts
// fill it exactly. Round shapes keep their true surface for distances, and a polytope around it for free space.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/placement/planning/problem.h>

namespace prehend::placement {

struct ConvexPart {
  int geom{-1};           // of problem.others or problem.own; -1: a box of the user's
  model::BodyIndex body;  // invalid: a box of the user's
  std::vector<Eigen::Vector3d>
      points;  // [m] corners; around the true surface of a round part. World, or the object's frame
  std::vector<std::array<int, 2>> edges;
  std::vector<Eigen::Vector3d> face_normals, edge_directions;  // unit, each once
  std::shared_ptr<const geometry::RoundShape> round;           // the true surface
  math::Pose X_PS;                                             // of that surface, in the frame of the points
  bool is_whole{false};                                        // of a convex geom: it is all of it

  double support(const Eigen::Vector3d& d) const;  // [m] of the points
  // Of the true surface; a point of it that is farthest along d.
  Eigen::Vector3d true_support(const Eigen::Vector3d& d) const;
  Eigen::AlignedBox3d box() const;
};

// The convex hull of points, with its edges.
ConvexPart hull_part(const std::vector<Eigen::Vector3d>& points);
ConvexPart hull_part(const geometry::HullResult& hull);  // of a solid
// Every side of every triangle: its ends, the smaller number first, and the triangle; ascending.
std::vector<std::array<int, 3>> sorted_sides(const geometry::TriangleMesh& mesh);
// Whether a closed mesh is the hull of its points.
bool is_convex_shape(const geometry::TriangleMesh& mesh, const geometry::HullResult& hull);
// Whether its parts fill it: it is convex, or small enough to be cut.
bool is_cut_up(const geometry::TriangleMesh& mesh, const geometry::HullResult& hull);
// The parts of a geom in the frame that X maps to.
std::vector<ConvexPart> convex_parts(const PreparedGeom& geom, const math::Pose& X, int index);
// Convex meshes that fill a closed one; empty when it could not be cut up.
std::vector<std::vector<Eigen::Vector3d>> convex_pieces(const geometry::TriangleMesh& mesh);

}  // namespace prehend::placement
