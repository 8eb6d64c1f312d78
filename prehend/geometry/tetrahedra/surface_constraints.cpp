#include <algorithm>
#include <utility>

#include <prehend/geometry/tetrahedra/surface_constraints.h>

namespace prehend::geometry {
namespace {

// +1 when sorting a, b, c takes an even permutation, -1 otherwise.
int parity(int a, int b, int c) { return ((a > b) + (b > c) + (a > c)) % 2 == 0 ? 1 : -1; }

}  // namespace

std::uint64_t SurfaceConstraints::edge_key(int u, int v) {
  if (u > v) std::swap(u, v);
  return (static_cast<std::uint64_t>(u) << 32) | static_cast<std::uint32_t>(v);
}

std::uint64_t SurfaceConstraints::face_key(int a, int b, int c) {
  if (a > b) std::swap(a, b);
  if (b > c) std::swap(b, c);
  if (a > b) std::swap(a, b);
  return (static_cast<std::uint64_t>(a) << 42) | (static_cast<std::uint64_t>(b) << 21) |
         static_cast<std::uint64_t>(c);
}

void SurfaceConstraints::add_facet(const std::array<int, 3>& v, int input_triangle) {
  if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) return;
  const int facet = static_cast<int>(facets.size());
  facets.push_back({v, input_triangle, true});
  for (int i = 0; i < 3; ++i) edge_facets_[edge_key(v[i], v[(i + 1) % 3])].push_back(facet);
  Face& face = faces_[face_key(v[0], v[1], v[2])];
  ++face.count;
  face.net += parity(v[0], v[1], v[2]);
}

void SurfaceConstraints::remove_facet(int facet) {
  facets[facet].alive = false;
  const auto& v = facets[facet].vertex;
  for (int i = 0; i < 3; ++i) {
    const auto found = edge_facets_.find(edge_key(v[i], v[(i + 1) % 3]));
    std::erase(found->second, facet);
    if (found->second.empty()) edge_facets_.erase(found);
  }
  const auto face = faces_.find(face_key(v[0], v[1], v[2]));
  face->second.net -= parity(v[0], v[1], v[2]);
  if (--face->second.count == 0) faces_.erase(face);
}

const std::vector<int>& SurfaceConstraints::facets_at(int u, int v) const {
  static const std::vector<int> none;
  const auto found = edge_facets_.find(edge_key(u, v));
  return found == edge_facets_.end() ? none : found->second;
}

int SurfaceConstraints::winding_step(int a, int b, int c) const {
  const auto found = faces_.find(face_key(a, b, c));
  return found == faces_.end() ? 0 : parity(a, b, c) * found->second.net;
}

std::vector<std::array<int, 2>> SurfaceConstraints::edges() const {
  std::vector<std::array<int, 2>> all;
  all.reserve(edge_facets_.size());
  for (const auto& [key, list] : edge_facets_) {
    all.push_back({static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu)});
  }
  std::sort(all.begin(), all.end());
  return all;
}

int SurfaceConstraints::apex(int facet, int u, int v) const {
  for (int w : facets[facet].vertex) {
    if (w != u && w != v) return w;
  }
  return -1;
}

std::vector<std::array<int, 2>> SurfaceConstraints::split_edge(int u, int v, int s) {
  const std::vector<int> around = facets_at(u, v);
  std::vector<std::array<int, 2>> fresh{{u, s}, {s, v}};
  for (int facet : around) {
    const SurfaceFacet old = facets[facet];
    const int w = apex(facet, u, v);
    remove_facet(facet);
    for (int end : {u, v}) {
      std::array<int, 3> part = old.vertex;
      std::replace(part.begin(), part.end(), end, s);
      add_facet(part, old.input_triangle);
    }
    if (w != s) fresh.push_back({s, w});
  }
  return fresh;
}

std::vector<std::array<int, 2>> SurfaceConstraints::split_facet(int facet, int s) {
  const SurfaceFacet old = facets[facet];
  remove_facet(facet);
  std::vector<std::array<int, 2>> fresh;
  for (int i = 0; i < 3; ++i) {
    add_facet({old.vertex[i], old.vertex[(i + 1) % 3], s}, old.input_triangle);
    fresh.push_back({old.vertex[i], s});
  }
  return fresh;
}

void SurfaceConstraints::swap_edge(int u, int v) {
  const std::vector<int> pair = facets_at(u, v);
  const int p = apex(pair[0], u, v), q = apex(pair[1], u, v);
  const SurfaceFacet first = facets[pair[0]], second = facets[pair[1]];
  remove_facet(pair[0]);
  remove_facet(pair[1]);
  // In `first` one end is replaced by q, in `second` the other end to p: both keep their orientation.
  std::array<int, 3> a = first.vertex, b = second.vertex;
  std::replace(a.begin(), a.end(), u, q);
  std::replace(b.begin(), b.end(), v, p);
  add_facet(a, first.input_triangle);
  add_facet(b, second.input_triangle);
}

}  // namespace prehend::geometry
