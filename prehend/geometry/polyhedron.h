// A polyhedron: the plane faces, straight edges and corners of a triangle mesh.
//
// Contact, support and stability depend on faces, not on their triangulation. Vertices closer than a welding
// distance become one, connected triangles in one plane become one polygonal face (possibly with holes),
// straight chains of mesh edges between the same two faces become one edge. On a curved mesh every triangle
// is a face of its own. Open and defective meshes are accepted; problems() lists the defects.
//
// Faces grow from the largest triangle outwards, within the flatness distance of the plane fitted so far and
// the flatness angle of its normal, so a gently curved surface is not flattened step by step. Triangles
// without height join a neighbour; seams that are cut differently on both sides are closed. Cost O(n log n):
// about 0.1 s for 100 000 triangles.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/math/index.h>

namespace prehend::geometry {

class BoxTree;

using VertexIndex = math::Index<struct PolyhedronVertexTag>;
using EdgeIndex = math::Index<struct PolyhedronEdgeTag>;
using FaceIndex = math::Index<struct PolyhedronFaceTag>;

// Distances are relative to the diagonal of the mesh's bounding box, so a shape behaves the same in
// millimetres and kilometres.
struct PolyhedronOptions {
  // Vertices closer than this are one vertex. Single-precision files are off by 1e-7.
  double weld_distance_rel{1e-6};
  // Triangles of one face lie this close to its plane; also how far a vertex of a straight edge may be off
  // the line.
  double flatness_distance_rel{1e-6};
  // [rad] Triangles of one face have normals this close to the face's. Round shapes of a million triangles
  // turn by more per edge.
  double flatness_angle{1e-3};
  // A closed mesh that encloses negative volume has its triangles turned, and a problem says so.
  bool turn_inside_out{true};
};

enum class EdgeKind { convex, concave, flat, boundary, non_manifold };

// From start to end with `left` on the left seen from outside. A boundary or non-manifold edge has no right
// face.
struct PolyhedronEdge {
  VertexIndex start, end;
  FaceIndex left, right;
  double interior_angle{0.0};  // [rad] inside the material, 0 to 2 pi; pi where there is no right face
  EdgeKind kind{EdgeKind::boundary};
};

// The points x with normal . x = offset; outward normal.
struct PolyhedronFace {
  Eigen::Vector3d normal{Eigen::Vector3d::Zero()};
  double offset{0.0};              // [m]
  double area{0.0};                // [m^2]
  double perimeter{0.0};           // [m] of all loops
  double flatness_deviation{0.0};  // [m] largest distance of a vertex from the plane
  bool is_convex{false};           // one loop, which turns left at every corner
  int first_loop{0},
      loop_count{0};  // no loop where a mesh is folded onto itself: all edges lie within the face
};

class Polyhedron {
 public:
  Polyhedron();  // empty
  // Throws std::invalid_argument for invalid options, a triangle that names a vertex which is not there, or a
  // vertex that is not finite. Everything else is mended or listed.
  static Polyhedron from_mesh(const TriangleMesh& mesh, const PolyhedronOptions& options = {});

  // The welded mesh; triangle_faces()[i] is the face that triangle i belongs to.
  const TriangleMesh& mesh() const { return mesh_; }
  const std::vector<FaceIndex>& triangle_faces() const { return triangle_faces_; }
  const std::vector<PolyhedronFace>& faces() const { return faces_; }
  const std::vector<PolyhedronEdge>& edges() const { return edges_; }
  const std::vector<Eigen::Vector3d>& vertices() const { return mesh_.vertices; }

  // Loop k of a face, counter-clockwise seen from outside; k = 0 is the outer one, the others (clockwise) are
  // holes. All vertices of the mesh on the boundary, also those in the middle of a straight side.
  std::span<const VertexIndex> loop(FaceIndex face, int k) const;
  // The edge that leads from loop(face, k)[i] to the next vertex.
  std::span<const EdgeIndex> loop_edges(FaceIndex face, int k) const;
  // The same loop without vertices in the middle of a straight side of this face.
  std::span<const VertexIndex> corners(FaceIndex face, int k) const;
  // Triangles of a face, as indices into mesh().triangles.
  std::span<const int> face_triangles(FaceIndex face) const;

  // Edges that start or end at a vertex; faces that have it as a vertex.
  std::span<const EdgeIndex> vertex_edges(VertexIndex vertex) const;
  std::span<const FaceIndex> vertex_faces(VertexIndex vertex) const;
  // False for vertices inside a face or in the middle of an edge.
  bool is_corner(VertexIndex vertex) const { return is_corner_[vertex]; }
  // Unit mean of the normals around a vertex, weighted by angle: points out of the material (Baerentzen &
  // Aanaes 2005).
  const Eigen::Vector3d& vertex_normal(VertexIndex vertex) const { return vertex_normals_[vertex]; }

  // Every edge of the mesh has two triangles that run through it in opposite directions.
  bool is_closed() const { return is_closed_; }
  // No edge has more than two triangles, and neighbours agree about outside.
  bool is_manifold() const { return is_manifold_; }
  double size() const { return size_; }  // [m] diagonal of the bounding box
  const std::vector<std::string>& problems() const { return problems_; }
  // Boxes of the faces, numbered like faces(): for the search of this room (contact_search/box_tree.h).
  const BoxTree& face_tree() const { return *face_tree_; }
  std::string brief_report() const;

 private:
  friend struct PolyhedronBuilder;
  struct Range {
    int begin{0}, end{0};
  };

  TriangleMesh mesh_;
  std::vector<FaceIndex> triangle_faces_;
  std::vector<PolyhedronFace> faces_;
  std::vector<PolyhedronEdge> edges_;
  std::vector<Range> loops_;  // into loop_vertices_ and loop_edges_
  std::vector<VertexIndex> loop_vertices_;
  std::vector<EdgeIndex> loop_edges_;
  std::vector<Range> corner_loops_;  // into corner_vertices_
  std::vector<VertexIndex> corner_vertices_;
  std::vector<int> face_triangle_start_, face_triangle_list_;
  std::vector<int> vertex_edge_start_;
  std::vector<EdgeIndex> vertex_edge_list_;
  std::vector<int> vertex_face_start_;
  std::vector<FaceIndex> vertex_face_list_;
  std::vector<char> is_corner_;
  std::vector<Eigen::Vector3d> vertex_normals_;
  std::shared_ptr<const BoxTree> face_tree_;  // never null; never changed, so copies share it
  bool is_closed_{false}, is_manifold_{false};
  double size_{0.0};
  std::vector<std::string> problems_;
};

}  // namespace prehend::geometry
