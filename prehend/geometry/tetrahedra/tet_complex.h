// A tetrahedralisation under construction: tetrahedra with face adjacency, and the local operations on it.
//
// Every tetrahedron is positively oriented (orient3d > 0, exactly). Tetrahedra outside the convex hull are
// "ghosts": they have the vertex kGhost in place of a point at infinity, so that every face has two sides.
// All operations replace a set of tetrahedra by another that fills the same space and refuse, unchanged, when
// the result would contain a flat or inverted tetrahedron.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <Eigen/Core>

namespace prehend::geometry {

inline constexpr int kGhost = -1;

// The vertices of the face opposite to local vertex i, ordered so that local vertex i lies on its positive
// side.
inline constexpr int kTetFace[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};

struct TetCell {
  std::array<int, 4> vertex;
  // Across the face opposite vertex i: 4 * cell + local face index over there.
  std::array<int, 4> adjacent;
  // A label that replacements pass on; flips do not mix cells of different labels.
  int region{0};
};

// The tetrahedra around an edge u, v: cell i has the vertices u, v, link[i], link[i + 1], positively
// oriented.
struct EdgeRing {
  std::vector<int> cells;
  std::vector<int> link;
};

// What may be chosen when the tetrahedra around an edge are replaced (see TetComplex::remove_edge).
struct RingObjective {
  // Cost of the triangle p, q, r of link vertices that separates two new tetrahedra; smaller is better.
  std::function<double(int, int, int)> triangle;
  // Cost of the new edge p, q between link vertices; absent: free.
  std::function<double(int, int)> diagonal;
  // Costs add up when true; otherwise the largest counts (worst quality).
  bool additive{true};
  // The replacement is made only if its cost is below this.
  double below{0.0};
};

class TetComplex {
 public:
  std::vector<Eigen::Vector3d> points;
  std::vector<TetCell> cells;

  bool is_alive(int cell) const { return cells[cell].vertex[0] != kDead; }
  bool is_ghost(int cell) const { return local_index(cell, kGhost) >= 0; }
  int local_index(int cell, int vertex) const;
  std::array<int, 3> face(int face_code) const;
  int apex(int face_code) const { return cells[face_code / 4].vertex[face_code % 4]; }
  int across(int face_code) const { return cells[face_code / 4].adjacent[face_code % 4]; }
  int some_cell_of(int vertex) const { return vertex_cell_[vertex]; }
  int orient_face(int face_code, const Eigen::Vector3d& p) const;
  // Is p strictly inside the cell's circumscribed sphere? A ghost's is the open half-space beyond its hull
  // face, joined by the open disc around that face.
  bool in_conflict(int cell, const Eigen::Vector3d& p) const;

  // Starts from four points that span a volume; the caller orders them positively.
  void start(int a, int b, int c, int d);
  int add_point(const Eigen::Vector3d& p);
  // The cell whose closure contains p, walking from `hint`; a ghost when p lies outside. -1 after too many
  // steps.
  int locate(const Eigen::Vector3d& p, int hint) const;
  // Delaunay insertion of points[vertex]; false when that point is there already.
  bool insert_delaunay(int vertex, int hint);
  // Replaces cells that points[vertex] sees completely (a star-shaped cavity) by its star.
  void fill_cavity(const std::vector<int>& cavity, int vertex);

  std::vector<int> star(int vertex) const;
  // One cell containing the edge, or -1.
  int find_edge(int u, int v) const;
  EdgeRing ring(int u, int v, int cell) const;

  // Replaces the two cells at a face by three around the edge between their apexes. False if that edge does
  // not cross the face's interior.
  bool flip_face(int face_code);
  // Replaces the n cells around edge u, v by 2 (n - 2) that do not contain it, choosing the best
  // triangulation of the ring's link by dynamic programming (O(n^3)). False if none is valid or none is
  // cheaper than the objective asks.
  bool remove_edge(int u, int v, const EdgeRing& ring, const RingObjective& objective);
  // Moves a vertex; false, unchanged, if a cell at it would become flat or inverted.
  bool move_vertex(int vertex, const Eigen::Vector3d& to);
  // Splits edge u, v at points[vertex], near the edge but not necessarily on it; false if a new cell would be
  // flat.
  // `cell` contains the edge.
  bool split_edge(int u, int v, int vertex, int cell);

  // The cell created last: alive, and near the last change.
  int last_cell() const { return last_cell_; }

 private:
  static constexpr int kDead = -2;
  int new_cell();
  void kill(int cell);
  struct FreshCell {
    std::array<int, 4> vertex;
    int region;
  };
  bool one_region(const std::vector<int>& list) const;
  void replace(const std::vector<int>& old_cells, const std::vector<FreshCell>& fresh);

  std::vector<int> free_;
  std::vector<int> vertex_cell_;
  mutable std::vector<std::uint32_t> mark_;  // scratch of the searches: equal to stamp_ means visited
  mutable std::uint32_t stamp_{0};
  std::uint32_t next_stamp() const;
  int last_cell_{-1};
};

}  // namespace prehend::geometry
