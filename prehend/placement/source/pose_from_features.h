// The object's pose from two points of the scene and two features of the object (N, 5.5.3).
#pragma once

#include <optional>

#include <prehend/math/pose.h>
#include <prehend/placement/source/feature_points.h>

namespace prehend::placement {

// A point of the scene and the normal there, out of the scene's body.
struct ScenePoint {
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()}, n_W{Eigen::Vector3d::UnitZ()};
};

// (5.15)-(5.17), with the axis divided by its norm, which the source does not: turns `from` to `to`, both unit.
Eigen::Matrix3d turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

// An edge u that runs with `left` on its left, seen from outside, and `right` on its right: vectors square to it, along its faces, into them.
// (5.18), (5.19) with one direction for both make one of the two point outward.
struct SideVectors {
  Eigen::Vector3d left, right;
};
SideVectors side_vectors(const Eigen::Vector3d& u, const Eigen::Vector3d& n_left, const Eigen::Vector3d& n_right);
// Whether a plane with normal n, out of what the edge touches, touches the edge and leaves its faces on its outer side: u . n = 0 and both side
// vectors rise. (5.21)-(5.23) have the signs reversed, take the vertical for the edge, and are right for right angles only.
bool affords_edge(const Eigen::Vector3d& n, const Eigen::Vector3d& u, const SideVectors& sides, double tolerance = 1e-7);

// (5.55)-(5.63): q comes to a, r towards b, and the outward normal at q is turned against the scene's as far as the line a-b allows. With the rows
// of (5.60), (5.61) the rotation is Fs^T Fo, not (5.62). None: the line runs along a normal.
std::optional<math::Pose> pose_from_points(const ScenePoint& a, const ScenePoint& b, const PointPair& points,
                                           const Eigen::Vector3d& n_q);

// Two features that lie flush on the planes through a and b, which intersect: orientation from both normals, place from both planes, and along
// their common line the centre of mass stands halfway between a and b. The source's four points make two faces flush by chance only.
struct FlushFeature {
  Eigen::Vector3d m{Eigen::Vector3d::UnitZ()};  // the scene's normal there, in the object's frame: into the object
  Eigen::Vector3d p{Eigen::Vector3d::Zero()};   // [m] a point of it
};
std::optional<math::Pose> pose_from_planes(const ScenePoint& a, const ScenePoint& b, const FlushFeature& first,
                                           const FlushFeature& second, const Eigen::Vector3d& com);

}  // namespace prehend::placement
