// Which triangles of a mesh meet other than along their shared vertices and edges?
//
// Decided exactly on the coordinates (triangle_overlap.h): a crossing, a coplanar overlap, a fold, a vertex
// that touches another triangle's inside. Neighbours are known by their vertex indices: weld first. Two
// triangles on the same three vertices are duplicates (check_mesh() counts them), not intersections;
// triangles of zero area are ignored. Method: a box hierarchy against itself. Cost: 40 ms for 100 000 clean
// triangles. A hostile mesh has quadratically many pairs, so the work is bounded and the result says whether
// the search was complete.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/surface/triangle_bvh.h>

namespace prehend::geometry {

struct SelfIntersectionOptions {
  // Stop after finding this many pairs: enough to tell a spoiled mesh from a scratch. At least 1.
  int max_pairs{10000};
  // Stop after this much work, in tests of one pair of triangles (a pair that needs exact arithmetic counts
  // as a hundred). Clean meshes need about 10 per triangle, so this allows millions of triangles and ends
  // within seconds. At least 1.
  std::int64_t max_tests{50'000'000};
};

struct SelfIntersections {
  bool is_complete{false};                // the whole mesh was searched
  std::vector<std::array<int, 2>> pairs;  // triangle indices, smaller first, in ascending order
  std::int64_t tests{0};                  // pairs of triangles examined
};

SelfIntersections find_self_intersections(const TriangleMesh& welded_mesh,
                                          const SelfIntersectionOptions& options = {});
// The same with a hierarchy of this mesh built before.
SelfIntersections find_self_intersections(const TriangleMesh& welded_mesh, const TriangleBvh& bvh,
                                          const SelfIntersectionOptions& options = {});

}  // namespace prehend::geometry
