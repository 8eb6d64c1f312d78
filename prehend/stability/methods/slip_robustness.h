// Robustness to slipping (source N, 4.4.2): how much of a push in direction e can be passed on to the ground.
//
// One contact: it carries f at rest and f - s e under a share s of the push; it slips (or opens) where that leaves the
// friction cone, (4.21)-(4.25). An interface: the sum over its points, (4.28). The scene: the largest flow from the
// pushed body to the ground with these capacities, (4.29); the smallest cut tells which bodies slip.
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
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/stability/methods/contact_graph.h>

namespace prehend::stability {

// Largest s >= 0 at which f + s d is still in the cone |x_t| <= mu x_n (third component); infinite when there is none.
// f is in the cone, up to rounding; a force outside counts as on its edge. (4.21)-(4.25).
double cone_exit(const Eigen::Vector3d& f_C, const Eigen::Vector3d& d_C, double mu);

struct SlipAnswer {
  double robustness{0.0};    // [N] for a unit direction; may be infinite
  std::vector<bool> moving;  // by NodeIndex; empty when nothing moves
  bool opens{false};         // every contact at the cut opens rather than slides
};

class SlipAnalysis {
 public:
  // Forces: one per contact, on b [N]. Keeps references to its arguments.
  SlipAnalysis(const ContactSystem& system, const ContactGraph& graph,
               const std::vector<Eigen::Vector3d>& resting_f_W);
  // e_W: unit. Does not depend on where the body is pushed.
  SlipAnswer ask(NodeIndex body, const Eigen::Vector3d& e_W) const;
  // [N] What an interface passes on from its body b to its body a, or from a to b; (4.28).
  double capacity(InterfaceIndex interface, bool from_b, const Eigen::Vector3d& e_W) const;

 private:
  const ContactSystem& system_;
  const ContactGraph& graph_;
  std::vector<Eigen::Vector3d> f_C_;  // by contact, in its own frame
};

}  // namespace prehend::stability
