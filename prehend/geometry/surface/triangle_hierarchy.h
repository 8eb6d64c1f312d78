// The triangles of a TriangleTree: boxes, corners in the order of the leaves, and what clusters look like from afar.
//
// All in the local coordinates of the hierarchy (triangle_bvh.h).
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/surface/triangle_bvh.h>
#include <prehend/geometry/triangle_tree.h>

namespace prehend::geometry {

struct TriangleHierarchy {
  struct Corners {
    Eigen::Vector3d a, b, c;
  };
  // A cluster of triangles seen from afar.
  struct Cluster {
    Eigen::Vector3d centre;              // area-weighted
    Eigen::Vector3d area_vector;         // sum of area times normal
    Eigen::Matrix<double, 6, 1> moment;  // sum of area (x - centre) n^T, symmetrised: xx, yy, zz, xy, xz, yz
    double squared_radius;               // of the ball around the centre that holds the triangles
  };

  // Throws std::invalid_argument as TriangleTree does.
  explicit TriangleHierarchy(const TriangleMesh& mesh);

  // The nearest point of the surface, nearer than the root of `squared_limit`; p local, the answer in the world.
  std::optional<ClosestPoint> closest(const Eigen::Vector3d& p, double squared_limit) const;
  // Clusters are taken as a whole from the root of `squared_ratio` times their radius on.
  double winding(const Eigen::Vector3d& q, double squared_ratio) const;
  double winding_exact(const Eigen::Vector3d& q) const;

  TriangleBvh bvh;
  std::vector<Corners> corners;   // in the order of the leaves
  std::vector<Cluster> clusters;  // per node

 private:
  void build_clusters();
};

double squared_distance(const Eigen::Vector3d& p, const TriangleBvh::Node& box);

}  // namespace prehend::geometry
