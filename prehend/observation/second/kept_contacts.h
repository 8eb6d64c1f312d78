// Points of contact of two polyhedra with the features they lie on, and the equations that keep them closed.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/polyhedron.h>
#include <prehend/math/pose.h>
#include <prehend/observation/contact_relation.h>
#include <prehend/observation/local/local_cones.h>

namespace prehend::observation {

// A separating plane at a contact, as the distance [m] that keeping it holds at zero.
struct KeptContact {
  Eigen::Vector3d p_F, n_F;  // at the pose it was found in
  Feature moving, fixed;

  // After a further motion X_F of the moving body (X_FM = X_F * X_FM0), in whose pose X_FM0 the contact was found.
  double distance(const geometry::Polyhedron& moving_body, const math::Pose& X_FM0,
                  const geometry::Polyhedron& fixed_body, const math::Pose& X_F) const;
};

// The further motion, near `guess`, that brings all distances to zero; nothing where Newton's method does not get there.
std::optional<math::Pose> closed_exactly(const std::vector<KeptContact>& kept,
                                         const geometry::Polyhedron& moving, const math::Pose& X_FM0,
                                         const geometry::Polyhedron& fixed, const math::Pose& guess,
                                         double tolerance);

}  // namespace prehend::observation
