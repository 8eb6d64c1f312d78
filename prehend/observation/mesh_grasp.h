// Grasps of a body given as a mesh: normals and curvatures estimated at the contact points, with their uncertainty.
//
// Around the point of the surface nearest to a wanted contact, a paraboloid z = a + b.x + 1/2 x'C x is fitted to the nearest vertices whose triangles
// face the same way; the surface is n.x + 1/2 x'm x = 0 with m = -C in the plane of the fitted normal n. The standard deviation holds two
// parts: the scatter of the vertices about the paraboloid, and what the fit changes when only the nearer half of the vertices is used (a surface
// that is no paraboloid, or one with an edge in it). Cost: one pass over all vertices per point.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/observation/contact_relation.h>

namespace prehend::observation {

struct CurvatureOptions {
  // [vertices] of the fit; six unknowns, and the nearer half must determine them too.
  int neighbours{40};

  void validate() const;
};

struct CurvatureEstimate {
  Eigen::Vector3d p_B{Eigen::Vector3d::Zero()};  // [m] on the fitted surface
  Eigen::Vector3d n_B{Eigen::Vector3d::UnitZ()};
  Eigen::Matrix3d curvature_B{Eigen::Matrix3d::Zero()};  // [1/m]
  double std{0.0};    // [1/m] of a curvature, the largest of all directions
  double reach{0.0};  // [m] distance of the farthest vertex used
};

// Throws std::invalid_argument: fewer than 12 vertices to fit to, or all of them in a line.
CurvatureEstimate estimate_curvature(const geometry::TriangleMesh& mesh, const Eigen::Vector3d& near_B,
                                     const CurvatureOptions& options = {});

struct FingerTip {
  Eigen::Vector3d near_B{Eigen::Vector3d::Zero()};  // [m] where it shall touch
  double curvature{0.0};                            // [1/m] of a ball; 0 is flat
};

struct MeshGrasp {
  ContactRelation relation;  // fingers are fixed, the body moves; frame of the mesh
  std::vector<CurvatureEstimate> estimates;
  // Signatures (positive, negative) of the only form, where there is one: as estimated, and the share of random curvatures within
  // the uncertainty that have the same one.
  int positive{0}, negative{0};
  double sure{0.0};
  std::vector<std::string> notes;
};

MeshGrasp mesh_grasp(const geometry::TriangleMesh& mesh, std::span<const FingerTip> fingers,
                     std::uint64_t seed = 0, const CurvatureOptions& options = {});

}  // namespace prehend::observation
