// What the linear-program wrapper believes: residuals and certificates multiplied out from the data, and the
// scaling in which they are measured. Independent of the simplex code.
#pragma once

#include <prehend/math/linear_program.h>

namespace prehend::math {

// Throws std::invalid_argument as documented in linear_program.h.
void validate(const LinearProgram& program);
void validate(const LinearProgramOptions& options);
void validate_objective(const Eigen::VectorXd& c, Eigen::Index size);
void validate_bounds(const std::string& what, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                     Eigen::Index size);

// Scaled unknowns are x / (length * column), scaled rows are row * (A x) / length, the scaled cost is c'x /
// cost. All factors are powers of two.
struct LinearProgramScale {
  Eigen::VectorXd row, column;
  double length{1.0}, cost{1.0};
};
// Row and column factors that bring the largest entry of every row and column near one.
LinearProgramScale equilibrate(const Eigen::SparseMatrix<double>& A);
// `length` and `cost` from the median size of finite bounds and of costs: a single huge bound does not blur
// the rest.
void update_scale(const LinearProgram& program, LinearProgramScale& scale);
// The bounds and the cost of `program` in scaled units; A is left alone.
void scale_vectors(const LinearProgram& program, const LinearProgramScale& scale, LinearProgram& scaled);

// Multipliers of bounds that are not there become zero; w becomes what stationarity asks for, where it may.
void clean_multipliers(const LinearProgram& program, const Eigen::VectorXd& cost, Eigen::VectorXd& y,
                       Eigen::VectorXd& w);

double primal_residual(const LinearProgram& program, const Eigen::VectorXd& x);
SolverResiduals optimality_residuals(const LinearProgram& program, const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& y, const Eigen::VectorXd& w);
// Scales (y, w) so that it proves 0 <= -1 and returns its residual; infinite when it proves nothing.
double normalise_infeasibility(const LinearProgram& program, Eigen::VectorXd& y, Eigen::VectorXd& w);
// Scales the ray to c'ray = -1 and returns its residual; infinite when the cost does not fall.
double normalise_ray(const LinearProgram& program, Eigen::VectorXd& ray);

}  // namespace prehend::math
