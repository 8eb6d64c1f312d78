// Robustness to slipping, source N, 4.4.2.
//
// Where the print is wrong, or says too little:
// - (4.19) adds the push to the contact's force. f acts on the object, so equilibrium takes the push away: f - s e.
//   As printed, pressing a block down would loosen it.
// - (4.19) has |f_n|: a contact that would need tension is gone, and so is its friction. Its cone is |f_t| <= mu f_n
//   alone, not the two nappes of |f_t| <= mu |f_n|.
// - (4.24) has |e_n| |f_n|, which loses the sign of e_n: a push along the cone's edge away from the contact (limit
//   c/2b) counts as one into it (no limit).
// - "s_p could equivalently be used": it is the other root. Inside the opposite cone s_p is where the force enters
//   the nappe of tension, and larger than the limit.
// - (4.25) takes s_m < 0 for "no limit". For a contact that carries nothing both roots are zero, also where the push
//   presses on it; what counts is whether -e lies in the cone.
// - The graph's edges are called undirected. What an interface carries depends on the side from which the push comes:
//   a push away from a support opens what a push towards it closes. Capacities are per direction here.
#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/math/house/infinity.h>
#include <prehend/stability/methods/max_flow.h>
#include <prehend/stability/methods/slip_robustness.h>

namespace prehend::stability {

using Eigen::Vector3d;

namespace {
using math::kInfinity;
// A unit direction this close to the cone's edge lies in it: a limit of 1e12 times the load is none.
constexpr double kEdge = 1e-12;
}  // namespace

double cone_exit(const Vector3d& f_C, const Vector3d& d_C, double mu) {
  const double d_n = d_C[2], d_t = d_C.head<2>().norm();
  if (d_t <= mu * d_n + kEdge * d_C.norm()) return kInfinity;
  // mu^2 (f_n + s d_n)^2 = |f_t + s d_t|^2, that is a s^2 + 2 b s + c = 0 with a, b as in (4.23), (4.21).
  const double f_n = std::max(0.0, f_C[2]);
  const double a = mu * mu * d_n * d_n - d_t * d_t;
  const double b = mu * mu * f_n * d_n - f_C.head<2>().dot(d_C.head<2>());
  const double c = std::max(0.0, mu * mu * f_n * f_n - f_C.head<2>().squaredNorm());
  // b^2 - a c without its cancellation, n^2 of (4.22).
  const Eigen::Vector2d f_t = f_C.head<2>(), e_t = d_C.head<2>();
  const double turned = f_t.x() * e_t.y() - f_t.y() * e_t.x();
  const double root =
      std::sqrt(std::max(0.0, mu * mu * (d_n * f_t - f_n * e_t).squaredNorm() - turned * turned));
  // Both forms give the first way out of the upper nappe; each where nothing cancels.
  if (b > 0.0) return a < 0.0 ? (b + root) / -a : kInfinity;
  return root - b > 0.0 ? c / (root - b) : 0.0;
}

SlipAnalysis::SlipAnalysis(const ContactSystem& system, const ContactGraph& graph,
                           const std::vector<Vector3d>& resting_f_W)
    : system_(system), graph_(graph) {
  f_C_.reserve(resting_f_W.size());
  for (std::size_t k = 0; k < resting_f_W.size(); ++k) {
    f_C_.push_back(system.contacts[k].R_WC.transpose() * resting_f_W[k]);
  }
}

double SlipAnalysis::capacity(InterfaceIndex interface, bool from_b, const Vector3d& e_W) const {
  const SystemInterface& patch = system_.interfaces[interface];
  double sum = 0.0;
  for (int k = 0; k < patch.count; ++k) {
    const auto index = static_cast<std::size_t>(patch.first + k);
    const SystemContact& contact = system_.contacts[index];
    // The force on b loses the push that b passes on, and gains the push that a passes on.
    const Vector3d d_C = contact.R_WC.transpose() * (from_b ? Vector3d(-e_W) : e_W);
    sum += cone_exit(f_C_[index], d_C, contact.mu);
  }
  return sum;
}

SlipAnswer SlipAnalysis::ask(NodeIndex body, const Vector3d& e_W) const {
  std::vector<FlowEdge> edges;
  edges.reserve(graph_.edges.size());
  for (const ContactGraph::Edge& edge : graph_.edges) {
    edges.push_back(
        {edge.b, edge.a, capacity(edge.interface, true, e_W), capacity(edge.interface, false, e_W)});
  }
  const FlowResult flow = max_flow(graph_.ground + 1, edges, graph_.node(body), graph_.ground);
  SlipAnswer answer;
  answer.robustness = flow.value;
  if (std::isinf(flow.value)) return answer;
  answer.moving.assign(flow.source_side.begin(), flow.source_side.end() - 1);
  answer.opens = true;
  for (const ContactGraph::Edge& edge : graph_.edges) {
    const bool has_a = flow.source_side[static_cast<std::size_t>(edge.a)];
    const bool has_b = flow.source_side[static_cast<std::size_t>(edge.b)];
    if (has_a == has_b) continue;
    const SystemInterface& patch = system_.interfaces[edge.interface];
    // Away from the support: the limit is where the force becomes zero, not where it starts to slide.
    const double away = (has_b ? 1.0 : -1.0) * e_W.dot(patch.n_W);
    const double along = (e_W - e_W.dot(patch.n_W) * patch.n_W).norm();
    if (!(away > 0.0 && along <= patch.mu * away)) answer.opens = false;
  }
  return answer;
}

}  // namespace prehend::stability
