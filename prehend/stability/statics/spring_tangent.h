// All contacts of a spring system at one displacement, and the linear systems of their stiffness.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/stability/statics/block_lu.h>
#include <prehend/stability/statics/contact_springs.h>

namespace prehend::stability {

struct SpringState {
  double energy{0.0};
  Eigen::VectorXd forces;  // three per contact, then one per joint spring
  std::vector<Eigen::Matrix3d> stiffness;
  Eigen::VectorXd joint_stiffness;
  Eigen::VectorXd pull;   // of all of them on the bodies, J'f
  Eigen::VectorXd sizes;  // the same with the size of each, entry by entry: what balances there

  void evaluate(const SpringSystem& springs, const SpringLaw& law, const Eigen::VectorXd& u);
};

// What the forces of a state leave unbalanced under the weights and `multiple` times the system's load: of the worst body, relative to the forces on
// it; bodies that carry less than 1e-4 of all weights and the load are measured by that.
double spring_imbalance(const SpringSystem& springs, const SpringState& state, double multiple = 1.0);

// Stiffness alone, if contacts could pull and neither they nor joints slipped; `tangential` as in DiscLaw.
SpringState held_state(const SpringSystem& springs, double tangential);

// J' D J plus the anchor: the stiffness of all bodies at a state. The system must outlive it.
class SpringTangent {
 public:
  SpringTangent(const SpringSystem& springs, double anchor);

  // False where it is singular.
  bool factor(const SpringState& state);
  // Of the last factor; nothing where the answer is not finite. Refined once where digits were lost.
  std::optional<Eigen::VectorXd> solve(const Eigen::VectorXd& right) const;

 private:
  Eigen::VectorXd backsubstitute(const Eigen::VectorXd& right) const;
  Eigen::VectorXd product(const Eigen::VectorXd& u) const;

  const SpringSystem& springs_;
  const double anchor_;
  const SpringState* state_{nullptr};
  Eigen::MatrixXd dense_;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu_;
  std::optional<BlockLu> blocks_;
};

}  // namespace prehend::stability
