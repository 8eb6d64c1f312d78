// The planes of a contact relation as rows of a cone of screws, in units in which one tolerance serves.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/spatial.h>
#include <prehend/observation/cones/polyhedral_cone.h>
#include <prehend/observation/contact_relation.h>

namespace prehend::observation {

// Rows [(p - centre)/length x n, n] for scaled screws [length w, v of the centre].
struct ContactPlanes {
  Eigen::Vector3d centre_W{Eigen::Vector3d::Zero()};
  double length{1.0};          // [m] radius about the centre that holds all points
  Rows ordinary;               // one plane per point
  std::vector<Rows> singular;  // one entry per point, one row per plane
  // Singular contacts of several points, an edge along an edge: the two ends of the line, as indices into `singular`.
  std::vector<std::pair<std::size_t, std::size_t>> singular_lines;

  explicit ContactPlanes(const ContactRelation& relation);

  Rows all() const;
  math::Vector6d scaled(const math::Vector6d& screw_W) const;
  // Of unit angular velocity, or of unit velocity where it only translates.
  math::Vector6d unscaled(const math::Vector6d& screw) const;
};

}  // namespace prehend::observation
