// Triangles of a polygon in space: a fan where it is strictly convex, ear clipping otherwise.
//
// The polygon is seen along its Newell normal (the vector area), so that slightly warped faces work too.
// Strictly convex ears are cut first; corners on a straight edge are cut last, because they give triangles
// without area. The triangles use every corner, keep the polygon's direction, and their vector areas add up
// to the polygon's, also when the polygon crosses itself and no ear is left (then the rest becomes a fan and
// the status says so). Cost: O(n) when convex; with r corners that are not strictly convex usually O(n r), at
// worst O(n^2 r), which the budget bounds.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace prehend::model {

// One triangulator serves one file: it keeps its memory, and a budget, so that a file made to be slow is
// refused.
class PolygonTriangulator {
 public:
  enum class Status {
    ok,
    not_simple,   // crosses itself so that no ear is left, or has no area: the rest is a fan
    too_complex,  // not triangulated: the budget of corner tests is spent
  };

  // About one second of corner tests for all polygons of a file; a face with 10 000 corners, half of them
  // inward, takes a sixth of it.
  static constexpr std::size_t kDefaultBudget = 300'000'000;
  explicit PolygonTriangulator(std::size_t budget = kDefaultBudget) : budget_(budget) {}

  // Appends the n - 2 triangles of the polygon with `corners` (indices into points, n >= 3) to `triangles`.
  Status triangulate(std::span<const int> corners, std::span<const Eigen::Vector3d> points,
                     std::vector<Eigen::Vector3i>& triangles);

 private:
  bool project(std::span<const int> corners, std::span<const Eigen::Vector3d> points);
  bool is_strictly_convex() const;
  double turn(int a, int b, int c) const;
  bool is_ear(int corner);
  Status clip_ears(std::span<const int> corners, std::vector<Eigen::Vector3i>& triangles);
  void start_ring();
  void unblock(int corner);
  void cut(int corner, std::span<const int> corners, std::vector<Eigen::Vector3i>& triangles);
  // The first corner of the ring from `at` whose edges lie in one line, or -1.
  int straight_corner(int at, int left);

  std::vector<Eigen::Vector2d> flat_;  // corners seen along the normal, counter-clockwise
  std::vector<int> previous_, next_;   // the polygon that is left, as a ring
  std::vector<int> blockers_;          // corners left that can lie inside an ear
  std::vector<int> blocker_slot_;      // per corner its place in blockers_, or -1
  std::size_t budget_;                 // corner tests that may still be made
};

}  // namespace prehend::model
