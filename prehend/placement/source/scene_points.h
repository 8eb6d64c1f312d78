// Points of the scene on which the object may rest, and how likely each is chosen (N, 5.5.1).
//
// The source samples faces only, so that sharp ridges, tips and rims are never chosen: here convex edges and corners are sampled, too, with the
// cone of normals that a face of the object may have there. (5.10) with Q decaying from a multiple of the largest finite robustness: 10 % for the
// most robust point, as printed, is out of reach with more than a few dozen points. (5.11) holds for points with robustness only; (5.12) has no
// maximum where nothing is movable: the fixed points are then alike.
#pragma once

#include <vector>

#include <prehend/math/random.h>
#include <prehend/placement/planning/problem.h>
#include <prehend/stability/robustness.h>

namespace prehend::placement {

struct SampledPoint {
  model::BodyIndex body;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};  // unit, outward; on edges and corners the mean
  // On edges and corners: normals of the faces that meet there. Empty: on a face.
  std::vector<Eigen::Vector3d> cone_W;
  double robustness{0.0};  // [N] to a push along the inward normal; infinite on what is fixed
  bool is_fixed{false};
};

// Whether a face with this scene-side normal touches the point and cuts into none of the faces that meet there.
bool in_normal_cone(const SampledPoint& point, const Eigen::Vector3d& n_W);

struct ScenePointOptions {
  int on_faces{400}, on_edges{200};  // of what moves, and again of what is fixed
  stability::Method guide{stability::Method::exact};
  bool by_robustness{true};  // false: robustness is not asked for
};
std::vector<SampledPoint> sample_scene(const Problem& problem, math::RandomStream& random, const ScenePointOptions& options);

// (5.10)-(5.14) at iteration k, for all points; the sum is 1. `centre_W` and `scale` of (5.13).
struct PointWeights {
  double first_cap{0.0};  // [N] Q0
  Eigen::Vector3d centre_W{Eigen::Vector3d::Zero()};
  double scale{1.0};  // [m]
};
PointWeights weights_of(const std::vector<SampledPoint>& points);
std::vector<double> probabilities(const std::vector<SampledPoint>& points, const PointWeights& weights, long k);

}  // namespace prehend::placement
