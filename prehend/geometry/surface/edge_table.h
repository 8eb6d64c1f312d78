// The edges of an indexed mesh and the triangles along each: the ground for orientation, closedness and
// shells.
//
// A half-edge h = 3 t + k runs from corner k to corner k+1 of triangle t. An edge gathers the half-edges
// between its two vertices, in either direction. Linear cost (buckets by the smaller vertex).
#pragma once

#include <span>
#include <vector>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

struct EdgeTable {
  struct Edge {
    int low, high;  // vertices, low < high
    int first;      // into half_edges
    int count;
  };
  std::vector<Edge> edges;      // ascending by (low, high)
  std::vector<int> half_edges;  // per edge ascending

  std::span<const int> along(const Edge& edge) const {
    return {half_edges.data() + edge.first, static_cast<std::size_t>(edge.count)};
  }
};

inline int start_of(const TriangleMesh& mesh, int half_edge) {
  return mesh.triangles[half_edge / 3][half_edge % 3];
}
inline int end_of(const TriangleMesh& mesh, int half_edge) {
  return mesh.triangles[half_edge / 3][half_edge % 3 == 2 ? 0 : half_edge % 3 + 1];
}
inline int opposite_of(const TriangleMesh& mesh, int half_edge) {
  return mesh.triangles[half_edge / 3][half_edge % 3 == 0 ? 2 : half_edge % 3 - 1];
}

// `use[t]` tells which triangles take part; these must have three different indices, all in range.
EdgeTable build_edge_table(const TriangleMesh& mesh, const std::vector<char>& use);

// Disjoint sets with path halving; the smallest member stands for its set, so the numbering does not depend
// on the order of the unions.
class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(count) {
    for (int i = 0; i < count; ++i) parent_[i] = i;
  }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(int i, int j) {
    i = find(i);
    j = find(j);
    if (i < j) {
      parent_[j] = i;
    } else {
      parent_[i] = j;
    }
  }

 private:
  std::vector<int> parent_;
};

}  // namespace prehend::geometry
