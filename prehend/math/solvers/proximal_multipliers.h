// Proximal method of multipliers for an equilibrated quadratic program (Rockafellar 1976; its use for robots: Bambade et
// al., "ProxQP", RSS 2022; Hermans et al., "QPALM", 2019). Each outer iteration minimises, over x,
//
//   1/2 x'Hx + g'x + rho/2 |x - x_k|^2 + 1/(2 mu) |A x - b + mu y|^2 + 1/(2 mu) dist^2(C x + mu z, [lower, upper])
//
// by Newton steps with an exact line search, and then moves y and z by what the constraints still miss. It converges for
// every convex program that has a solution, also with dependent constraints and a singular H, and starts anywhere. Where
// there is no solution, the steps of the multipliers (of x) tend to a proof of infeasibility (unboundedness).
// Cost per Newton step: one Cholesky factorisation, n^3 / 3, unless the active constraints are those of the last step.
#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <prehend/math/quadratic_program.h>

namespace prehend::math {

class ProximalMultipliers {
 public:
  enum class Ending { not_started, converged, primal_infeasible, dual_infeasible, iteration_limit };
  struct Settings {
    double residual{1e-9};     // SolverResiduals at which the iteration ends
    double certificate{1e-8};  // residual of a proof that ends it; 0: none does
    int max_outer{200}, max_newton{100};
    bool warm{false};  // x, y and z are near the solution
  };
  // x, y, z: the start (zero if cold), then the last point; primal_infeasible: y, z are the proof.
  struct Point {
    Eigen::VectorXd x, y, z;
    int newton_steps{0};
  };

  // `scaled` lives until this returns.
  Ending solve(const QuadraticProgram& scaled, const Settings& settings, Point& point);

 private:
  void minimise(Point& point, double tolerance, int max_newton);
  void evaluate(const Point& point);
  void factorise();
  double exact_step() const;
  double slope_at(double step) const;

  const QuadraticProgram* program_{nullptr};
  double equality_penalty_{0.0}, inequality_penalty_{0.0}, proximal_{0.0};  // mu of A, mu of C, rho
  Eigen::VectorXd centre_;                                                  // x_k
  Eigen::VectorXd Hx_, Ax_, shifted_, gradient_, next_y_, next_z_;          // shifted_: C x + mu z
  Eigen::VectorXd step_, H_step_, A_step_, C_step_;
  Eigen::MatrixXd equality_gram_, active_gram_, newton_;  // A'A; C'C over the active rows; the Newton matrix
  std::vector<char> active_, assembled_;                  // rows outside their bounds; those in active_gram_
  bool factorised_{false};
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  mutable std::vector<double> breaks_;
};

}  // namespace prehend::math
