// The contact forces at rest that the source's methods start from: the smallest ones, (4.12)-(4.15), with exact cones.
//
//   minimise sum |f_k|^2   subject to   S'f + g = 0,   |f_t| <= mu f_n.
//
// First without the cones, which is one linear solve (the idea of (5.6)-(5.8)); where that obeys all of them it is the
// answer. Otherwise a cone program. Forces are unique: the objective is strictly convex.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/stability/contact_system.h>

namespace prehend::stability {

struct RestingForces {
  enum class Status { not_computed, found, none, failed };  // none: no admissible forces balance the weights
  Status status{Status::not_computed};
  std::vector<Eigen::Vector3d> f_W;  // [N] one per contact, on b
  bool needed_cones{false};          // the linear solve violated some
  std::string note;
};

RestingForces least_norm_forces(const ContactSystem& system);

}  // namespace prehend::stability
