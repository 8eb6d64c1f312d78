// The steps that make a Polyhedron, in the order they run. Internal to the room.
#pragma once

#include <cstdint>
#include <vector>

#include <prehend/geometry/polyhedron.h>

namespace prehend::geometry {

struct PolyhedronBuilder {
  static constexpr int kNoTwin = -1;       // half-edge on the boundary
  static constexpr int kNonManifold = -2;  // more than two triangles, or two that disagree about outside

  explicit PolyhedronBuilder(const PolyhedronOptions& given) : options(given) {}

  // polyhedron_weld.cpp
  void weld(const TriangleMesh& input);  // mesh_ without double vertices, degenerate and duplicate triangles
  void drop_duplicates();
  void pair_half_edges();  // twin, is_closed_, is_manifold_
  // polyhedron_seams.cpp
  void close_seams();  // vertices in the middle of open edges
  // polyhedron_weld.cpp
  void name_open_edges();  // problems that remain
  void turn_if_inside_out();
  // polyhedron_faces.cpp
  void grow_faces();  // triangle_faces_
  void join_slivers(std::vector<int>& face, int& faces) const;
  void number_faces(const std::vector<int>& face, int faces);
  void fit_planes();  // faces_ but for loops
  // polyhedron_edges.cpp
  void walk_loops();  // loops_, loop_vertices_
  void join_edges();  // edges_, loop_edges_, is_corner_, corners
  // The edge along half-edges from `first` to `last`.
  PolyhedronEdge edge_along(int first, int last) const;
  void keep_corners(const std::vector<int>& previous_rim);
  bool is_straight(const Eigen::Vector3d& before, const Eigen::Vector3d& here,
                   const Eigen::Vector3d& after) const;
  void connect();  // adjacency, vertex normals, tree

  // Half-edge h runs from corner h % 3 of triangle h / 3 to the next corner.
  static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static int previous(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
  int start(int h) const { return result.mesh_.triangles[h / 3][h % 3]; }
  int end(int h) const { return start(next(h)); }
  int face_of(int h) const { return result.triangle_faces_[h / 3].value(); }
  bool is_rim(int h) const { return twin[h] < 0 || face_of(twin[h]) != face_of(h); }
  int next_rim(int h) const;  // the rim half-edge that follows h around its face
  const Eigen::Vector3d& point(int vertex) const { return result.mesh_.vertices[vertex]; }

  PolyhedronOptions options;
  double weld_distance{0.0}, flatness_distance{0.0};  // [m]
  Polyhedron result;
  int open_edges{0}, crowded_edges{0}, disagreeing_edges{0};  // of the mesh
  std::vector<int> twin;                                      // per half-edge
  std::vector<int> loop_rims;                                 // half-edge behind each entry of loop_vertices_
};

}  // namespace prehend::geometry
