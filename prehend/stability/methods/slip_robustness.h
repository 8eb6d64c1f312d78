// Robustness to slipping (source N, 4.4.2): how much of a push in direction e can be passed on to the ground.
//
// One contact: it carries f at rest and f - s e under a share s of the push; it slips (or opens) where that leaves the
// friction cone, (4.21)-(4.25). An interface: the sum over its points, (4.28). The scene: the largest flow from the
// pushed body to the ground with these capacities, (4.29); the smallest cut tells which bodies slip.
//
// Where the print is wrong or says too little: slip_robustness.cpp.
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
