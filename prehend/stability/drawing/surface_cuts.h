// Triangles cut smaller without opening the surface.
//
// Vertices stand apart where the surface has a crease: same point, several normals. An edge is cut in its middle for all
// triangles that have it, whatever their normals, so that no triangle sees half of a cut. On a round geom the middle lies on the
// true surface, with its true normal: cutting makes it rounder.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/model/body.h>

namespace prehend::stability {

struct RoundGeom {
  geometry::RoundShape shape;
  math::Pose X_BG;
};

struct CutSurface {
  std::vector<Eigen::Vector3d> points;   // [m] per vertex
  std::vector<Eigen::Vector3d> normals;  // unit, outward, per vertex
  std::vector<Eigen::Vector3i> triangles;
  std::vector<int> geom;                        // per vertex, into round
  std::vector<std::optional<RoundGeom>> round;  // by geom; nothing: flat between its vertices
  std::vector<std::pair<int, int>> parents;     // of the vertices made by cuts, in their order

  double area() const;  // [m^2]
  // The middle of two vertices, on the round surface where both are of one round geom.
  std::pair<Eigen::Vector3d, Eigen::Vector3d> middle(int a, int b) const;  // point, unit normal
};

// The surface of a body's geoms, in the body's frame.
CutSurface creased_surface(const model::Body& body);
// Its round geoms.
std::vector<std::optional<RoundGeom>> round_geoms(const model::Body& body);

// One vertex per point and smooth piece of the surface around it (triangles within 20 degrees of each other); its
// normal is their mean. Triangles without area are left out.
CutSurface creased_surface(const geometry::TriangleMesh& mesh);

// Cuts the edges for which `is_cut` says so (it may be asked from either side), and the longest edge of each triangle
// that has a cut one, which keeps the shapes good. New vertices follow the old ones.
void cut_edges(const std::function<bool(int a, int b)>& is_cut, CutSurface& surface);

// Cuts until no edge is longer than `length` [m], or the next round would exceed `most` vertices.
void cut_long_edges(double length, int most, CutSurface& surface);

}  // namespace prehend::stability
