// The source's approximation (5.4.2): every body by itself, its neighbours standing still; (5.9).
//
// Slipping: the sum over all contacts of the body. Toppling: about the edges of the hull of its contacts. No cuts, no
// flow: linear in the number of bodies, and wrong where the neighbours move: an upper block that only rides along
// counts as a brake, and as a lid.
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/methods/slip_robustness.h>
#include <prehend/stability/methods/source_methods.h>
#include <prehend/stability/methods/topple_robustness.h>

namespace prehend::stability {

std::vector<PushAnswer> isolated_robustness(const model::Scene& scene, const ContactSystem& system,
                                            std::span<const Push> pushes, const RobustnessOptions& options) {
  std::vector<UnitPush> units = unit_pushes(scene, system, pushes);
  const ForceDistribution resting = least_cone_forces(system);
  if (resting.status != DistributionStatus::balanced) return answers_without_rest(resting, units.size());
  const std::vector<bool> corners = interface_corners(system);
  for (const std::span<UnitPush> group : group_by_body(units)) {
    BodySet alone(system.bodies.size(), false);
    alone[group.front().node] = true;
    const SuperObject object = make_super_object(system, resting.forces_W, corners, alone);
    std::vector<ToppleAxis> axes = topple_axes(system, object);
    std::erase_if(axes, [](const ToppleAxis& axis) { return axis.is_normal; });  // hull edges alone
    for (UnitPush& push : group) {
      push.limit = {0.0, Mode::slip, alone};
      for (const CutContact& contact : object.contacts) {
        const Eigen::Matrix3d R_CW = contact.R_WC.transpose();
        push.limit.robustness += cone_exit(R_CW * contact.f_W, -(R_CW * push.e_W), contact.mu);
      }
      for (const ToppleAxis& axis : axes) {
        const double limit = topple_push(axis, push.p_W, push.e_W);
        if (limit < push.limit.robustness) push.limit = {limit, Mode::topple, alone};
      }
    }
  }
  return push_answers(system, units, options);
}

}  // namespace prehend::stability
