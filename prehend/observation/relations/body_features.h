// The corners, edges and faces of a polyhedron, laid out for fast questions about contacts.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/geometry/polyhedron.h>

namespace prehend::observation {

// Features are numbered by int; subscripts are unsigned.
inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct EdgeFeature {
  int start{0}, end{0};     // corners
  int left{0}, right{0};    // faces
  bool is_convex{true};
  int source{0};            // edge of the polyhedron
};

struct FaceFeature {
  Eigen::Vector3d normal, u, v;  // u, v span the plane
  double offset{0.0};
  Eigen::Vector3d inner_point;                       // inside the face
  std::vector<std::vector<Eigen::Vector2d>> loops;   // in (u, v)
  std::vector<int> corners;                          // of the outer loop
  std::vector<int> edges;
  Eigen::AlignedBox2d box;

  Eigen::Vector2d flat(const Eigen::Vector3d& p) const { return {u.dot(p), v.dot(p)}; }
  // [m] Distance of the foot of p from the border, positive inside.
  double depth_of(const Eigen::Vector3d& p) const;
};

struct BodyFeatures {
  explicit BodyFeatures(const geometry::Polyhedron& body);

  std::vector<Eigen::Vector3d> corners;
  std::vector<int> corner_sources;              // vertex of the polyhedron
  std::vector<char> is_pointed;                 // some plane touches the body's surroundings there in the corner alone
  std::vector<std::vector<int>> corner_edges, corner_faces;
  std::vector<EdgeFeature> edges;
  std::vector<FaceFeature> faces;
  Eigen::AlignedBox3d box;
  bool is_convex{true};

  // Whether p lies inside by more than the tolerance.
  bool contains(const Eigen::Vector3d& p, double tolerance) const;
};

}  // namespace prehend::observation
