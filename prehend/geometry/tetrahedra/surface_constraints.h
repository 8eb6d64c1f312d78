// The surface that a tetrahedralisation has to contain, as facets that may be subdivided while it is
// recovered.
//
// Facets start as the input triangles. Splitting an edge or a facet at a new vertex, and swapping the
// diagonal of two coplanar facets, change the facets but not the surface (up to the rounding of the new
// vertex). A new vertex counts as lying on the surface because the facets say so, not because its coordinates
// satisfy an equation.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace prehend::geometry {

struct SurfaceFacet {
  std::array<int, 3> vertex;  // counter-clockwise seen from outside
  int input_triangle;         // the triangle it is a part of
  bool alive;
};

class SurfaceConstraints {
 public:
  std::vector<SurfaceFacet> facets;

  // Vertex indices stay below 2^21, so that a face packs into one key.
  static constexpr int kMostVertices = 1 << 21;

  // A facet with a repeated vertex has no area and is left out.
  void add_facet(const std::array<int, 3>& vertex, int input_triangle);
  void remove_facet(int facet);

  bool has_edge(int u, int v) const { return edge_facets_.contains(edge_key(u, v)); }
  const std::vector<int>& facets_at(int u, int v) const;
  bool has_face(int a, int b, int c) const { return faces_.contains(face_key(a, b, c)); }
  // How much the winding number grows from the positive side of a, b, c (where it looks counter-clockwise) to
  // the negative: the number of facets of that orientation less those of the opposite one.
  int winding_step(int a, int b, int c) const;
  std::vector<std::array<int, 2>> edges() const;  // sorted

  // Every facet at the edge becomes two; returns the edges from `s` that the facets now have.
  std::vector<std::array<int, 2>> split_edge(int u, int v, int s);
  // The facet becomes three around `s`.
  std::vector<std::array<int, 2>> split_facet(int facet, int s);
  // The two facets at u, v, which have the apexes p and q, become those of the other diagonal.
  void swap_edge(int u, int v);
  // The vertex of a facet that is neither u nor v.
  int apex(int facet, int u, int v) const;

 private:
  static std::uint64_t edge_key(int u, int v);
  static std::uint64_t face_key(int a, int b, int c);
  std::unordered_map<std::uint64_t, std::vector<int>> edge_facets_;
  struct Face {
    int count{0};
    int net{0};  // orientation of the sorted vertices
  };
  std::unordered_map<std::uint64_t, Face> faces_;
};

}  // namespace prehend::geometry
