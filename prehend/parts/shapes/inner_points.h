// Points spread evenly inside a closed surface, along parallel lines through it.
//
// The lines run along the last of the given axes, one in each cell of a grid over the other two, and are inside between triangles
// that they enter and leave by. No tree is needed, and sheets far thinner than the cells get as many points as anything else. Lines
// whose entries and exits do not add up, at cracks, are left out. Cost: linear in triangles and crossings.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>

namespace prehend::parts {

struct InnerPoints {
  std::vector<Eigen::Vector3d> points;
  // Shares of the length inside that the surface goes around twice or more, and that it goes around the wrong way: it crosses itself.
  double doubled{0.0}, reversed{0.0};
};

// About `wanted` points; axes orthonormal, best along the spread of the solid with the shortest last. Fewer, or none, where the surface
// has cracks almost everywhere.
InnerPoints inner_points(const geometry::TriangleMesh& mesh, const Eigen::Matrix3d& axes, int wanted);

}  // namespace prehend::parts
