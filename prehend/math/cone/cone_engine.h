// The iteration of ConeSolver on the equilibrated program. Homogeneous self-dual embedding: find x, y, z, s
// and tau, kappa >= 0 with
//   A'y + G'z + c tau = 0,   A x = b tau,   G x + s = h tau,   kappa + c'x + b'y + h'z = 0,   s, z in K.
// tau > 0 gives solutions (x, y, z, s)/tau; kappa > 0 gives a proof of infeasibility or unboundedness.
#pragma once

#include <vector>

#include <prehend/math/cone/cone_equilibration.h>
#include <prehend/math/cone/cone_kkt.h>
#include <prehend/math/cone_program.h>

namespace prehend::math {

class ConeSolver::Engine {
 public:
  Engine(const ConeProgram& program, const ConeOptions& options);
  // A_, G_ and layout_ are referred to by kkt_.
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_matrix_values(const double* A_values, const double* G_values);
  const ConeResult& solve();

  Eigen::VectorXd c, b, h;  // as given

 private:
  // Sizes of the residuals of the current point, relative as the options define them.
  struct Progress {
    double primal{0.0}, dual{0.0}, gap{0.0};
    double primal_objective{0.0}, dual_objective{0.0};
    double infeasible{0.0}, unbounded{0.0};  // residual of the proof that the point offers; infinite if none
    double worst() const;
  };
  bool follow_path();
  void start();
  void update_residuals();
  Progress measure();
  // Residual of the proof that the point offers, relative to its own terms.
  double infeasibility_in_given_units() const;
  double unboundedness_in_given_units();
  bool accept(const Progress& progress, double tolerance, double certificate_tolerance);
  void store_solution(const Progress& progress, SolverStatus status);
  void store_infeasibility(const Progress& progress);
  void store_unboundedness(const Progress& progress);
  double predict();
  void correct(double sigma);
  void solve_system(const double* right_side, double* solution);
  bool advance();  // one predictor-corrector step; false when rounding stops it
  // Direction for the complementarity right sides complementarity_ and d_kappa, residuals times `fraction`.
  void find_direction(double fraction, double d_kappa);
  void update_scaled_direction();
  double step_to_boundary(double limit) const;

  const ConeOptions options_;
  const ConeLayout layout_;
  int n_, p_, m_;
  SparseColumns A_, G_;  // scaled
  ConeEquilibration equilibration_;
  ConeKkt kkt_;
  ConeScaling scaling_;
  ConeResult result_;

  std::vector<double> data_;          // [-c; b; h], scaled
  std::vector<double> point_, best_;  // [x; y; z]
  std::vector<double> s_, best_s_;
  double tau_{1.0}, kappa_{1.0}, best_tau_{1.0}, best_kappa_{1.0};
  std::vector<double> residual_;   // [A'y + G'z + c tau; A x - b tau; G x + s - h tau]
  double residual_tau_{0.0};       // kappa + c'x + b'y + h'z
  std::vector<double> A_y_, G_z_;  // A'y and G'z
  double mu_{1.0};
  std::vector<double> constant_, right_side_,
      direction_;  // solutions of the linear system and its right side
  std::vector<double> ds_, scaled_dz_, scaled_ds_, complementarity_, divided_;
  std::vector<double> identity_;
  std::vector<double> unit_;   // of each residual, in the caller's units
  double constant_norm_{0.0};  // -(c, b, h)'constant_
  double d_tau_{0.0}, d_kappa_{0.0};
  bool careful_{
      false};  // refine every linear solve; from the first step on whose direction was inaccurate without
};

}  // namespace prehend::math
