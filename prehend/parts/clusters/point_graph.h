// Points of a surface, joined where a straight line between them stays inside the solid.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/house/cloud_solid.h>

namespace prehend::parts {

struct PointEdge {
  int a, b;
  double length;  // [m]
  double groove;  // 0: flat or convex; 1: the surface folds back on itself
  double colour;  // length of the difference
};

// The edges of the solid's tetrahedra, each once, in a fixed order. Colours may be empty.
std::vector<PointEdge> point_graph(const std::vector<Eigen::Vector3d>& points,
                                   const std::vector<Eigen::Vector3d>& colours,
                                   const geometry::CloudSolid& solid);

// Regions of about equal extent, at most `most`: each point belongs to the nearest of the seeds along the edges, and every new seed
// is the point farthest from those there are (Gonzalez 1985), so that the first k seeds do not depend on how many follow.
// Steps of colour and grooves make an edge longer: regions end there. A piece that no edge joins to the others has a seed of its
// own. Returns the region of each point; -1 for points without edges.
std::vector<int> geodesic_regions(const std::vector<Eigen::Vector3d>& points,
                                  const std::vector<PointEdge>& edges, int most);

}  // namespace prehend::parts
