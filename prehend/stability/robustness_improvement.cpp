// Robustness improvement, source N, definition 6.
//
// As in slip_robustness.h the contact's force changes by minus the push. (4.27) has no value where a contact carries no
// tangential force: any push along the face worsens it there, by |e_t|. The text before (4.30) refers to (4.41) and to
// toppling; it means (4.27) and slipping. A force that decreases the margin of an axis has tau_e > 0 there, so (4.43) at
// force zero is -2 tau_c tau_e: its sign is as defined only if tau_e is the torque towards the turn.
#include <limits>
#include <queue>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/math/number_text.h>
#include <prehend/stability/methods/contact_graph.h>
#include <prehend/stability/methods/form_closure.h>
#include <prehend/stability/methods/topple_robustness.h>
#include <prehend/stability/robustness_improvement.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

std::vector<int> steps_from(const ContactGraph& graph, int start) {
  std::vector<int> steps(graph.neighbours.size(), std::numeric_limits<int>::max());
  steps[static_cast<std::size_t>(start)] = 0;
  std::queue<int> open({start});
  while (!open.empty()) {
    const auto node = static_cast<std::size_t>(open.front());
    open.pop();
    for (const int other : graph.neighbours[node]) {
      if (steps[static_cast<std::size_t>(other)] != std::numeric_limits<int>::max()) continue;
      steps[static_cast<std::size_t>(other)] = steps[node] + 1;
      open.push(other);
    }
  }
  return steps;
}

// (4.27) where f + s d, both in the contact's frame.
double condition_slope(const Vector3d& f_C, const Vector3d& d_C, double mu, double s) {
  const Eigen::Vector2d f_t = (f_C + s * d_C).head<2>(), d_t = d_C.head<2>();
  const double size = f_t.norm();
  // Rounding of a force that has no tangential part gives it no direction.
  if (size <= 1e-9 * f_C.norm()) return mu * d_C[2] - d_t.norm();
  return mu * d_C[2] - d_t.dot(f_t) / size;
}

}  // namespace

RobustnessImprovement robustness_improvement(const model::Scene& scene, const ContactSystem& system,
                                             const Push& push, double at) {
  if (!(at >= 0.0))
    throw std::invalid_argument("the force is " + math::number_text(at) + " N, must not be negative");
  const NodeIndex body = push_load(scene, system, push).front().body;
  const Vector3d e_W = push.d_W.normalized();
  RobustnessImprovement result;
  if (!system.joint_rows.empty()) {
    result.status = AnswerStatus::undetermined;
    result.note = "the source's slip and topple margins know no joints";
    return result;
  }
  const ForceDistribution resting = least_cone_forces(system);
  if (resting.status != DistributionStatus::balanced) {
    const bool is_unstable = resting.status == DistributionStatus::unstable;
    result.status = is_unstable ? AnswerStatus::unstable : AnswerStatus::undetermined;
    result.note = is_unstable ? "no contact forces hold the scene at rest" : resting.note;
    return result;
  }
  const ContactGraph graph = make_contact_graph(system);
  const std::vector<int> from_push = steps_from(graph, graph.node(body)),
                         from_ground = steps_from(graph, graph.ground);
  for (const InterfaceIndex i : path_interfaces(graph, body)) {
    const SystemInterface& patch = system.interfaces[i];
    const auto a = static_cast<std::size_t>(graph.node(patch.a)),
               b = static_cast<std::size_t>(graph.node(patch.b));
    double side = from_push[b] < from_push[a]   ? 1.0
                  : from_push[a] < from_push[b] ? 0.0
                                                : 0.5;  // share that b passes on
    if (side == 0.5)
      side = from_ground[b] > from_ground[a] ? 1.0 : from_ground[a] > from_ground[b] ? 0.0 : 0.5;
    for (int k = patch.first; k < patch.first + patch.count; ++k) {
      const SystemContact& contact = system.contacts[static_cast<std::size_t>(k)];
      const Eigen::Matrix3d R_CW = contact.R_WC.transpose();
      const Vector3d f_C = R_CW * resting.forces_W[static_cast<std::size_t>(k)], e_C = R_CW * e_W;
      if (side > 0.0) result.slip += side * condition_slope(f_C, -e_C, contact.mu, at);
      if (side < 1.0) result.slip += (1.0 - side) * condition_slope(f_C, e_C, contact.mu, at);
    }
  }
  const std::vector<bool> corners = interface_corners(system);
  SuperObjectSearch search(graph, body);
  BodySet set;
  while (search.next(set)) {
    const SuperObject object = make_super_object(system, resting.forces_W, corners, set);
    if (is_form_closed(system, object)) continue;
    for (const ToppleAxis& axis : topple_axes(system, object)) {
      const double towards = axis.a_W.cross(push.p_W - axis.p_W).dot(e_W);
      result.topple += 2.0 * (at * towards * towards - axis.torque * towards);
    }
  }
  result.status = AnswerStatus::ok;
  return result;
}

}  // namespace prehend::stability
