// Faces and convex edges of the object, in its own frame: what algorithm 5 lays onto points of the scene.
#pragma once

#include <optional>
#include <vector>

#include <prehend/geometry/polygon2.h>
#include <prehend/math/random.h>
#include <prehend/placement/planning/problem.h>
#include <prehend/placement/source/pose_from_features.h>

namespace prehend::placement {

struct ObjectFeature {
  bool is_edge{false};
  Eigen::Vector3d n{Eigen::Vector3d::Zero()};  // unit, outward; of an edge the mean of its faces'
  Eigen::Vector3d p{Eigen::Vector3d::Zero()};  // [m] a point of it
  // Of a face.
  Plane3 plane;
  Eigen::Vector3d x{Eigen::Vector3d::Zero()}, y{Eigen::Vector3d::Zero()};
  geometry::Polygon2 outline;  // in x, y
  // Of an edge.
  Line3 line;
  double length{0.0};  // [m] from line.p
  Eigen::Vector3d n_left{Eigen::Vector3d::Zero()}, n_right{Eigen::Vector3d::Zero()};
  SideVectors sides;

  bool contains(const Eigen::Vector3d& q, double tolerance) const;
  // Whether a plane of the scene with this normal, in the object's frame, lies flush on the face or touches the edge alone.
  bool affords(const Eigen::Vector3d& m, double tolerance) const;
};

std::vector<ObjectFeature> object_features(const Problem& problem);

// Two points on the features, L apart (feature_points.h), each within its feature. `along`: longest extent of the object.
std::optional<PointPair> points_on(const ObjectFeature& first, const ObjectFeature& second,
                                   const Eigen::Vector3d& along, const Eigen::Vector3d& com, double L);

// Normals that the scene may have at both features, in the object's frame, with this cosine between them; an edge as the first one is asked at
// `share` of its fan. At most two.
std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> normals_at(const ObjectFeature& first,
                                                                    const ObjectFeature& second,
                                                                    double cosine, double share);

}  // namespace prehend::placement
