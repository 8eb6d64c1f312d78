// What the quadratic-program wrapper believes: scaling, residuals and certificates computed from the data,
// and the two linear programs that settle infeasibility and unboundedness. Independent of the
// iteration that finds the answer.
#pragma once

#include <prehend/math/quadratic_program.h>

namespace prehend::math {

// Throws std::invalid_argument as documented in quadratic_program.h; convexity is checked on the scaled
// program.
void validate(const QuadraticProgram& program);
void validate(const QuadraticProgramOptions& options);
void require_convex(const QuadraticProgram& scaled, double tolerance);

// Scaled unknowns are x / (length * column), scaled rows are row * (A x) / length, the scaled cost is cost /
// `cost`. All factors are powers of two, so that scaling rounds nothing.
struct QuadraticProgramScale {
  Eigen::VectorXd column, row_A, row_C;
  double length{1.0}, cost{1.0};

  Eigen::VectorXd scale_x(const Eigen::VectorXd& x) const { return x.cwiseQuotient(column) / length; }
  Eigen::VectorXd scale_y(const Eigen::VectorXd& y) const { return y.cwiseQuotient(row_A) * (length / cost); }
  Eigen::VectorXd scale_z(const Eigen::VectorXd& z) const { return z.cwiseQuotient(row_C) * (length / cost); }
};
// Fills `scaled` and returns the factors.
QuadraticProgramScale equilibrate(const QuadraticProgram& program, QuadraticProgram& scaled);

// Multipliers of bounds that are not there become zero.
void clean_multipliers(const QuadraticProgram& program, Eigen::VectorXd& z);
SolverResiduals optimality_residuals(const QuadraticProgram& program, const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& y, const Eigen::VectorXd& z);
// Scales the certificate as documented in the Result and returns its residual; infinite when it proves
// nothing.
double normalise_infeasibility(const QuadraticProgram& program, Eigen::VectorXd& y, Eigen::VectorXd& z);
double normalise_ray(const QuadraticProgram& program, Eigen::VectorXd& ray);

// Decides feasibility and boundedness of `scaled` by linear programs. Returns true when a certificate holds
// (status, certificate and, for dual_infeasible, the feasible point are filled); false leaves a feasible
// point in result.x, if one was found, and the status alone.
bool settle_by_linear_programs(const QuadraticProgram& scaled, double tolerance,
                               QuadraticProgramResult& result);

// The minimiser for the constraints that the multipliers call active, by one dense solve of the conditions of
// optimality: gains the last digits where the iteration stalls. Keeps what it was given when that is no
// better.
void polish(const QuadraticProgram& scaled, QuadraticProgramResult& result);

}  // namespace prehend::math
