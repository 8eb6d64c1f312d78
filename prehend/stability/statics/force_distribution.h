// Contact forces that hold a system at rest: of all that balance the weights, those of the least sum of
// squares (the least energy of equally stiff contacts; source N, (4.1)). They are unique. Three methods:
//
// - cones: the true friction cones, by Newton's method on the dual problem, a displacement of every body
//   (contact_springs.h). Where it does not converge (the scene falls, or is only just stable), the general cone
//   program decides.
// - pyramid: N-sided pyramids inside the cones, source N, (4.9)-(4.15): a dense quadratic program of 3 x contacts
//   unknowns and N + 1 rows per contact.
// - qr: no cones, the least-norm solution of the equilibrium by a rank-revealing orthogonal decomposition,
//   source N, (5.6)-(5.8): forces may pull or leave the cones.
//
// When no forces exist, a motion proves it: one that no contact resists and on which the weights do positive
// work.
#pragma once

#include <string>
#include <vector>

#include <prehend/stability/push.h>

namespace prehend::stability {

enum class DistributionStatus {
  not_computed,
  balanced,      // forces_W, one per contact, on b
  unstable,      // falling is the proof
  undetermined,  // the method could not tell; note says why
};

struct ForceDistribution {
  DistributionStatus status{DistributionStatus::not_computed};
  std::vector<Eigen::Vector3d> forces_W;  // [N]
  std::vector<double> joint_forces;       // one per joint row of the system
  std::vector<math::Vector6d> falling;    // one twist per body about the system's origin, largest speed 1 m/s
  std::string note;
};

ForceDistribution least_cone_forces(const ContactSystem& system);
// With joints: the least contact forces; what joints can carry they carry.
ForceDistribution jointed_forces(const ContactSystem& system);
// The same by the general cone program alone: a second opinion.
ForceDistribution general_cone_forces(const ContactSystem& system);
// At least 3 sides. No forces in the pyramids does not mean that none are in the cones: those decide between `unstable`
// and `undetermined`.
ForceDistribution least_pyramid_forces(const ContactSystem& system, int sides);
ForceDistribution least_norm_forces(const ContactSystem& system);

}  // namespace prehend::stability
