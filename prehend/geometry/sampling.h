// Points on and in a mesh: uniform, well spread, or on a grid.
//
// All randomness comes from the stream the caller gives; the same stream gives the same points.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/geometry/triangle_tree.h>
#include <prehend/math/random.h>

namespace prehend::geometry {

struct SurfaceSample {
  Eigen::Vector3d point{Eigen::Vector3d::Zero()};   // [m]
  Eigen::Vector3d normal{Eigen::Vector3d::Zero()};  // unit, outward, of the triangle
  int triangle{-1};
};

// `count` independent points, uniform by area. Cost O(T + n log T). Throws std::invalid_argument when the
// count is negative or when the mesh has no area to sample (empty, not finite, or an index out of range).
std::vector<SurfaceSample> sample_surface(const TriangleMesh& mesh, int count, math::RandomStream& random);

// Indices of `count` of the points, `start` first, each next one farthest from those chosen (the smallest
// index among equals). The chosen points are never closer to each other than any left-out point is to its
// nearest chosen one. Cost O(count * N). Throws std::invalid_argument unless 1 <= count <= N and start is an
// index.
std::vector<int> farthest_point_sampling(const std::vector<Eigen::Vector3d>& points, int count, int start);

struct PoissonDiscOptions {
  // Darts thrown per sample that could fit at best (hexagonal packing). 20 leaves less than
  // a hundredth of the surface where another disc would fit. In [1, 1000].
  int darts_per_sample{20};
};

// Random points on the surface, no two closer than `radius` [m] (straight distance, so the two sides of a
// thin plate see each other), thrown until hardly another fits. Throws std::invalid_argument when the radius
// is not positive or so small that more than 50 million darts would be needed.
std::vector<SurfaceSample> poisson_disc_surface(const TriangleMesh& mesh, double radius,
                                                math::RandomStream& random,
                                                const PoissonDiscOptions& options = {});

struct InteriorSamples {
  bool is_complete{false};  // false: the volume is too small a part of its box, fewer points were found
  std::vector<Eigen::Vector3d> points;  // [m]
  int attempts{0};  // points tried; points.size() / attempts estimates volume / volume of the box
};

struct InteriorOptions {
  // Give up after this many tries per wanted point: a solid that fills less than 1/2000 of its box. At
  // least 1.
  int max_attempts_per_point{2000};
};

// `count` independent points, uniform in the volume (rejection from the bounding box).
InteriorSamples sample_interior(const TriangleTree& solid, int count, math::RandomStream& random,
                                const InteriorOptions& options = {});

// The points of a cubic grid of `spacing` [m], centred on the bounding box, that lie inside; x runs fastest.
// Each stands for a cell of spacing^3. Throws std::invalid_argument when the spacing is not positive or the
// grid has more than 100 million points.
std::vector<Eigen::Vector3d> grid_interior(const TriangleTree& solid, double spacing);

}  // namespace prehend::geometry
