// A convex curved body near one of its points: its faces, and the edges between them; and the planes that separate two such bodies.
//
// A face is n.x + 1/2 x'mx <= 0; an edge of two faces bends as both demand: n1.kp = -t'm1 t, n2.kp = -t'm2 t. The planes that separate two bodies at a
// point have normals in cone(normals of the fixed body) and in cone(-normals of the moving one). Of this cone the extreme rays are
// found, and for each the features with which the bodies touch it: vertex, edge or face, or the part of one that
// begins at the point. This covers appendix B of Takamatsu 2004 without its lists of cases.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/observation/second/gap.h>

namespace prehend::observation {

struct LocalShape {
  enum class Kind { face, edge, vertex };

  Kind kind{Kind::face};
  std::vector<Eigen::Vector3d> normals;  // outward, unit; face i lies between edges i - 1 and i of a vertex
  std::vector<Eigen::Matrix3d> curvatures;  // [1/m, or one over the unit of length in use] one per face
  // Unit; one of an edge, one per edge of a vertex, away from it; none of a face.
  std::vector<Eigen::Vector3d> tangents;
  std::vector<Eigen::Vector3d> bends;  // k p, one per tangent

  static LocalShape face(const Eigen::Vector3d& normal, const Eigen::Matrix3d& curvature);
  // Throws std::invalid_argument: parallel normals.
  static LocalShape edge(const std::vector<Eigen::Vector3d>& normals,
                         const std::vector<Eigen::Matrix3d>& curvatures);
  // Edges in order around the vertex, either way. Throws std::invalid_argument: fewer than three, not convex.
  static LocalShape vertex(const std::vector<Eigen::Vector3d>& tangents,
                           const std::vector<Eigen::Matrix3d>& curvatures);

  // Directions whose sums with weights that are not negative are the body to first order.
  std::vector<Eigen::Vector3d> generators() const;
};

// An orthonormal basis of the plane orthogonal to n.
Eigen::Matrix<double, 3, 2> tangent_plane(const Eigen::Vector3d& n);

// Features in a tangent plane. `sign` is +1 for the moving body (heights above the plane), -1 for the fixed one.
TouchingFeature vertex_feature();
TouchingFeature edge_feature(const Eigen::Matrix<double, 3, 2>& plane, const Eigen::Vector3d& tangent,
                             double bend_along_normal, double sign, bool is_half);
// The part w1 t1 + w2 t2 with w1, w2 >= 0 of a face; unit vectors of the plane.
void add_quarter(TouchingFeature& feature, const Eigen::Vector2d& t1, const Eigen::Vector2d& t2);
TouchingFeature face_feature(const Eigen::Matrix<double, 3, 2>& plane, const Eigen::Matrix3d& curvature);

// Pieces without their place `p`, one per extreme separating plane; none where the bodies overlap.
std::vector<ContactPiece> separating_pieces(const LocalShape& moving, const LocalShape& fixed);

// Whether the features of the bodies share a direction although several planes separate them: edges in line.
bool touches_along_a_line(const LocalShape& moving, const LocalShape& fixed);

}  // namespace prehend::observation
