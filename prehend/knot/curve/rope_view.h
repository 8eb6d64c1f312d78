// One rope from one direction: the working part of projection.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/knot/projection.h>

namespace prehend::knot {

// What of a rope does not depend on the view.
struct Rope {
  std::span<const Eigen::Vector3d> points_W;
  std::vector<double> s;     // [m] along the rope, per point
  std::vector<double> turn;  // [rad] at each point; 0 at the ends
  std::vector<double>
      reach;       // [m] at each point, the shorter of the steps before and after it; 0 at the ends
  double size{0};  // [m] diagonal of the bounding box
  std::vector<std::string> notes;  // repeated points
};
// Points closer to the one before than the tolerance, a part of the size, repeat it.
Rope make_rope(std::span<const Eigen::Vector3d> points_W, double tolerance);

// Rows e_x, e_y, e_z of the view: e_z against the looking direction (unit), and the other two turned from the world's
// the shortest way.
Eigen::Matrix3d view_rotation(const Eigen::Vector3d& view_W);

ProjectionResult project_along(const Rope& rope, const Eigen::Vector3d& view_W,
                               const ProjectionOptions& options);

}  // namespace prehend::knot
