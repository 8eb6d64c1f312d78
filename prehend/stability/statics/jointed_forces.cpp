// Forces at rest with joints. What joints carry is eliminated (limit_general.h), so the least sum of squares is that of
// the contact forces alone.
#include <prehend/stability/certificate.h>
#include <prehend/stability/limit/limit_general.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {

ForceDistribution jointed_forces(const ContactSystem& system) {
  ForceDistribution out;
  const ScaledSystem scaled = scale_system(system);
  const ScaledLimit rest = solve_resting(scaled);
  if (rest.status == ScaledLimit::Status::unstable) {
    out.falling = motion_in_metres(system, rest.motion);
    const Certificate certificate = check_falling(system, out.falling);
    out.status = certificate.valid ? DistributionStatus::unstable : DistributionStatus::undetermined;
    if (!certificate.valid)
      out.note = "no contact forces were found, but their absence is not proven: " + certificate.problem;
    return out;
  }
  out.status = DistributionStatus::undetermined;
  out.note = "the balance of the weights could not be decided to the solver's accuracy";
  if (rest.status != ScaledLimit::Status::bounded) return out;
  const ScaledLimit least = solve_least_resting(scaled);
  for (const ScaledLimit* found : {&least, &rest}) {
    if (found->status != ScaledLimit::Status::bounded) continue;
    out.forces_W = forces_in_newton(system, found->forces);
    out.joint_forces = joint_forces(scaled, found->forces);
    const Certificate certificate = check_resting_forces(system, out.forces_W, out.joint_forces, {});
    out.note = certificate.problem;
    if (!certificate.valid) continue;
    out.status = DistributionStatus::balanced;
    if (found == &rest) out.note = "the forces hold, but are not proven to be the least";
    return out;
  }
  return out;
}

}  // namespace prehend::stability
