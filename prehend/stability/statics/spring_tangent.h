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

  void evaluate(const SpringSystem& springs, const SpringLaw& law, const Eigen::VectorXd& u);
};

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
