// The search behind plan_excitation(): Fourier series, the information they carry, and barriers of the limits.
//
// Unknowns are the start q_s and, per joint, coefficients of 2 (H - 1) functions of time that span all sums of H
// sines and cosines with zero value, velocity and acceleration at t = 0 and T. The cost,
//   -log det M + mu * mean over time of sum of -log(slack of each limit),
// and its gradient come from one sweep forth and one back over the nodes: about 3 us per node and six joints.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/excitation_limits.h>
#include <prehend/inertia/excitation_options.h>
#include <prehend/inertia/joint_motion.h>
#include <prehend/inertia/regressor.h>
#include <prehend/model/house/chain_sweep.h>

namespace prehend::inertia {

// All joints share these functions of time.
class FourierBasis {
 public:
  FourierBasis(double period, int harmonics);
  double period() const { return period_; }
  int size() const { return static_cast<int>(sines_.cols() + cosines_.cols()); }
  // Values, first and second derivatives of all functions at t.
  void at(double t, Eigen::VectorXd& f, Eigen::VectorXd& fd, Eigen::VectorXd& fdd) const;

 private:
  double period_;
  Eigen::MatrixXd sines_, cosines_;  // harmonics x functions
};

// q_s and C, one column per joint.
struct SeriesCoefficients {
  Eigen::VectorXd start;
  Eigen::MatrixXd C;
};

JointMotion series_motion(const FourierBasis& basis, const SeriesCoefficients& series, int passes);

class ExcitationCost {
 public:
  // Products of the regressor's entries reach four times the highest harmonic: 12 nodes for each harmonic and period
  // determine the information. Limits between nodes are kept better with more.
  ExcitationCost(const model::JointChain& chain, const ExcitationOptions& options, const FourierBasis& basis,
                 int nodes_per_harmonic = 12);

  // Instead of the options' own.
  void set_criterion(Criterion kind) { kind_ = kind; }
  int variables() const { return joints_ * (1 + basis_size_); }
  Eigen::VectorXd pack(const SeriesCoefficients& series) const;
  SeriesCoefficients unpack(const Eigen::VectorXd& x) const;

  // Infinite outside the limits, or where the information has no full rank.
  double operator()(const Eigen::VectorXd& x, double mu, Eigen::VectorXd& gradient);
  // The criterion alone, as of the last call.
  double criterion() const { return criterion_; }
  // The last call kept all limits, but the information lacks rank.
  bool lost_rank() const { return lost_rank_; }

 private:
  bool sweep_nodes();
  double add_barriers(double mu);
  double add_tool_barrier(double weight, int node, model::FrameGradient& gradient) const;
  double add_room_barrier(double weight, int node, model::FrameGradient& gradient) const;
  double information_cost(math::Matrix10d& slope);

  const model::JointChain& chain_;
  const ExcitationOptions& options_;
  Criterion kind_;
  JointBounds bounds_;
  int joints_, basis_size_, nodes_;
  double samples_per_node_;
  math::Vector10d columns_;                      // units of phi: mass, mass x size, mass x size^2
  math::Vector6d rows_;                          // inverse noise
  Eigen::MatrixXd F_, Fd_, Fdd_;                 // nodes x functions
  Eigen::MatrixXd Q_, Qd_, Qdd_;                 // joints x nodes
  Eigen::MatrixXd gQ_, gQd_, gQdd_;              // gradients of the same
  std::vector<model::ChainSweep> sweeps_;        // by node
  std::vector<Regressor> regressors_;            // scaled
  std::vector<model::FrameGradient> gradients_;  // by node
  double criterion_{0.0};
  bool lost_rank_{false};
};

// Gradient of the sum of G times wrench_regressor(motion), entry by entry, with respect to the motion.
Motion regressor_gradient(const Regressor& G, const Motion& motion);

}  // namespace prehend::inertia
