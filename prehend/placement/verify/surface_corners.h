// The pushes that decide the least robustness: at the corners of every face of every movable body, along the inward normal.
//
// Over a flat face 1/R is a convex function of the point, so its corners decide. Round surfaces are sampled at the vertices of their meshes
// (64 around), with true normals; a cylinder's rim has both.
#pragma once

#include <span>
#include <vector>

#include <prehend/placement/planning/problem.h>
#include <prehend/stability/limit_analysis.h>

namespace prehend::placement {

struct SurfaceFace {
  model::BodyIndex body;
  bool is_flat{true};
  Eigen::Vector3d n_B{Eigen::Vector3d::Zero()};  // outward, of flat faces
  double area{0.0};                              // [m^2]
  int first{0}, count{0};                        // its corners
  // Of flat faces: whose face it is; invalid: a cap, whose rim are its corners.
  const PreparedGeom* geom{nullptr};
  geometry::FaceIndex face;
};

struct SurfaceCorner {
  model::BodyIndex body;
  Eigen::Vector3d p_B{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d n_B{Eigen::Vector3d::Zero()};  // outward
};

class SurfaceCorners {
 public:
  explicit SurfaceCorners(const Problem& problem);
  // On the bodies of the system, standing as in the scene. Faces that the interfaces cover wholly are left out.
  std::vector<stability::PointPush> pushes(const model::Scene& scene, const stability::ContactSystem& system,
                                           std::span<const model::SceneInterface> interfaces) const;

 private:
  void add_flat_faces(const Problem& problem, const PreparedGeom& geom);
  void add_round_surface(const PreparedGeom& geom);
  void add_caps(const Problem& problem, const PreparedGeom& geom);  // of a cylinder
  bool is_covered(const SurfaceFace& face, const math::Pose& X_WB,
                  std::span<const model::SceneInterface> interfaces) const;

  std::vector<SurfaceFace> faces_;
  std::vector<SurfaceCorner> corners_;
};

}  // namespace prehend::placement
