// Which of many boxes come near each other, without trying all pairs.
//
// Sweep and prune: boxes sorted along the axis on which they spread most, compared only while they overlap
// there. O(n log n + k) for boxes of similar size spread out in space; a few huge ones (a floor) cost O(n)
// each.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <prehend/geometry/mesh.h>

namespace prehend::geometry {

// Pairs (i, j), i < j, in ascending order, whose boxes come within `distance` [m] of each other. Empty boxes
// touch nothing.
std::vector<std::pair<int, int>> find_near_boxes(std::span<const Aabb> boxes, double distance);

}  // namespace prehend::geometry
