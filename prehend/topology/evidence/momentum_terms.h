// The total momentum as a constant and one term per joint and type: what the wrenches say of a combination of types.
//
// h = I V_base + sum_j I_j V_j, with I the inertia of the whole object, I_j that of all that hangs on joint j, and V_j the joint's twist under
// a type (all about one fixed point, in the world's axes). Rates are averaged by the windows of link_balance.h; the constant is the base's part less
// the total wrench. Whitened by the covariance of the balance with all poses as they are and of the base alone carrying
// everything, which bounds what any combination's errors are: errors are then comparable between combinations,
// and no larger than stated. Where the base is fixed by an unknown wrench nothing balances, and there are no rows.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/topology/evidence/combination_search.h>
#include <prehend/topology/evidence/joint_evidence.h>
#include <prehend/topology/evidence/link_balance.h>

namespace prehend::topology {

struct MomentumTerms {
  Eigen::VectorXd constant;               // 6 rows per window [N m, N]
  Eigen::MatrixXd terms;                  // by joint, then by type
  std::vector<math::Matrix6d> whitening;  // per window
  std::vector<int> options;
  // One joint at a time, all other poses as they are: what a type changes against the relative motion as measured, and the whitening of the total
  // with the noise of that motion.
  Eigen::VectorXd balance;                                   // total residual with all poses as they are
  Eigen::MatrixXd measured;                                  // by joint: its term by the measured motion
  std::vector<std::vector<math::Matrix6d>> joint_whitening;  // [joint][window]

  // Squared norm of the whitened residual with one joint of that type and the rest as measured: errors of other joints' types
  // do not leak in. `spread` (term_spread()) counts as noise that all windows share: an axis that is off by what the poses leave open, the same all
  // the time, is no evidence in each.
  double joint_error(int joint, int option, const Eigen::MatrixXd& spread = {}) const;

  CombinationProblem problem(const std::vector<double>& cost = {}) const;
  // Sum over windows of the residual's norm, each counted `rows` times: T (14), (15).
  double source_error(const std::vector<int>& choice, double rows_per_window) const;
};

// `joints[j][m]`: fitted joint of each option.
MomentumTerms momentum_terms(const ArticulatedObject& object, const Recording& recording,
                             const MotionBlocks& blocks, const LinkBalance& balance,
                             const std::vector<std::vector<articulation::Joint>>& joints,
                             const RecordingNoise& noise);

// What the uncertainty of a fitted joint does to its term: one column per parameter, a standard deviation each, independent; by
// differences. Cost: as much as the term, per parameter.
Eigen::MatrixXd term_spread(const ArticulatedObject& object, const MotionBlocks& blocks,
                            const LinkBalance& balance, int joint, const articulation::JointFit& fit,
                            const RecordingNoise& noise);

}  // namespace prehend::topology
