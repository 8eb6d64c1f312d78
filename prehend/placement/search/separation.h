// How far a part of the object is from a part of the scene, and how that changes as the object moves: rows for a linear program of motions.
//
// The separating axis of two polytopes is a face normal of either, or square to an edge of each. A face of the scene holds the object's corners
// off a fixed plane; a face of the object takes its plane along, which keeps off the scene's corners; two edges hold one point. Round
// parts count with their true surface where they face a plane.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/math/se3.h>
#include <prehend/placement/search/convex_part.h>

namespace prehend::placement {

struct GapRow {
  double gap{0.0};                                  // [m] negative: overlap
  math::Vector6d rate{math::Vector6d::Zero()};      // of the gap, per twist [w; v] about `centre`, world axes
  int pair{0};                                      // caller's number
};

// A part of the object, moved.
struct MovedPart {
  const ConvexPart* part{nullptr};
  std::vector<Eigen::Vector3d> points_W, normals_W, edges_W;  // edges: directions, each once
  math::Pose X_WS;                                            // of its round surface
  Eigen::AlignedBox3d box;
};
MovedPart moved_part(const ConvexPart& part, const math::Pose& X_WO);

// Rows of the pair, those with a gap below `range` [m]. Returns the separation, a lower bound of the distance; negative: the least overlap.
double gap_rows(const MovedPart& scene, const MovedPart& object, const Eigen::Vector3d& centre, double range, int pair,
                std::vector<GapRow>& rows);

}  // namespace prehend::placement
