#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/math/house/infinity.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/solvers/program_scale.h>
#include <prehend/math/solvers/quadratic_program_check.h>
#include <prehend/math/solvers/solver_input.h>

namespace prehend::math {
namespace {

constexpr const char* kQuadraticName = "quadratic program";

// Median of the non-zero finite right-hand sides: a single huge bound does not blur the rest. Zero if there
// is none.
double typical_length(const QuadraticProgram& program, const QuadraticProgramScale& scale) {
  std::vector<double> lengths;
  const auto collect = [&lengths](double value) {
    if (std::isfinite(value) && value != 0.0) lengths.push_back(std::abs(value));
  };
  for (Eigen::Index i = 0; i < program.b.size(); ++i) collect(program.b[i] * scale.row_A[i]);
  for (Eigen::Index i = 0; i < program.lower.size(); ++i) {
    collect(program.lower[i] * scale.row_C[i]);
    collect(program.upper[i] * scale.row_C[i]);
  }
  if (lengths.empty()) return 0.0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

// b'y plus the support function of [lower, upper] at z; `magnitude` sums the sizes of the terms.
double dual_terms(const QuadraticProgram& program, const Eigen::VectorXd& y, const Eigen::VectorXd& z,
                  double& magnitude) {
  double sum = program.b.dot(y);
  magnitude += program.b.cwiseProduct(y).lpNorm<1>();
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (z[i] == 0.0) continue;
    const double term = z[i] * (z[i] > 0.0 ? program.upper[i] : program.lower[i]);
    sum += term;
    magnitude += std::abs(term);
  }
  return sum;
}

}  // namespace

void validate(const QuadraticProgram& program) {
  const Eigen::Index n = program.g.size(), p = program.b.size(), q = program.lower.size();
  solver_input::require_at_least_one_unknown(kQuadraticName, n);
  solver_input::require_size(kQuadraticName, "number of rows of H", program.H.rows(), n);
  solver_input::require_size(kQuadraticName, "number of columns of H", program.H.cols(), n);
  solver_input::require_size(kQuadraticName, "number of rows of A", program.A.rows(), p);
  if (p > 0) solver_input::require_size(kQuadraticName, "number of columns of A", program.A.cols(), n);
  solver_input::require_size(kQuadraticName, "number of rows of C", program.C.rows(), q);
  if (q > 0) solver_input::require_size(kQuadraticName, "number of columns of C", program.C.cols(), n);
  solver_input::require_size(kQuadraticName, "number of upper bounds", program.upper.size(), q);
  solver_input::require_finite_matrix(kQuadraticName, "H", program.H);
  solver_input::require_finite(kQuadraticName, "g", program.g);
  solver_input::require_finite_matrix(kQuadraticName, "A", program.A);
  solver_input::require_finite(kQuadraticName, "b", program.b);
  solver_input::require_finite_matrix(kQuadraticName, "C", program.C);
  solver_input::require_ordered_bounds(kQuadraticName, "C x", program.lower, program.upper);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j + 1; i < n; ++i) {
      const double above = program.H(j, i), below = program.H(i, j);
      // Entry by entry, so that small blocks of a badly scaled matrix are held to the same rule.
      if (std::abs(above - below) <=
          1e-9 * std::max({std::abs(above), std::abs(below),
                           std::sqrt(std::abs(program.H(i, i) * program.H(j, j)))})) {
        continue;
      }
      throw std::invalid_argument(std::string(kQuadraticName) + ": H(" + std::to_string(i) + "," +
                                  std::to_string(j) + ") is " + number_text(below, 9) + " but H(" +
                                  std::to_string(j) + "," + std::to_string(i) + ") is " +
                                  number_text(above, 9) + "; H must be symmetric");
    }
  }
}

void validate(const QuadraticProgramOptions& options) {
  const OptionCheck check("QuadraticProgramOptions");
  check.strictly_between("tolerance", options.tolerance, 0.0, 0.1);
  check.at_least("max_iterations", options.max_iterations, 1);
  check.strictly_between("convexity_tolerance", options.convexity_tolerance, 0.0, 0.1);
}

void require_convex(const QuadraticProgram& scaled, double tolerance) {
  const double largest = scaled.H.cwiseAbs().maxCoeff();
  if (largest == 0.0) return;
  Eigen::MatrixXd shifted = scaled.H / largest;
  shifted.diagonal().array() += tolerance;
  if (Eigen::LLT<Eigen::MatrixXd>(shifted).info() == Eigen::Success) return;
  // The Cholesky factorisation is the cheap test; the eigenvalue is for the sentence and has the last word.
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(scaled.H / largest),
                                                                         Eigen::EigenvaluesOnly)
                              .eigenvalues()
                              .minCoeff();
  if (smallest >= -tolerance) return;
  throw std::invalid_argument(std::string(kQuadraticName) + ": H has the eigenvalue " +
                              number_text(smallest, 9) +
                              " relative to its largest entry (after equilibration); it must be positive "
                              "semidefinite, not below -" +
                              number_text(tolerance, 9));
}

QuadraticProgramScale equilibrate(const QuadraticProgram& program, QuadraticProgram& scaled) {
  const Eigen::Index n = program.g.size(), p = program.b.size(), q = program.lower.size();
  QuadraticProgramScale scale{Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(p), Eigen::VectorXd::Ones(q)};
  // Programs without equations or inequalities may come without the matrix, too.
  scaled.H = 0.5 * (program.H + program.H.transpose());
  scaled.A = p > 0 ? program.A : Eigen::MatrixXd(0, n);
  scaled.C = q > 0 ? program.C : Eigen::MatrixXd(0, n);
  // Ruiz' iteration on the matrix of the conditions of optimality, [H A' C'; A 0 0; C 0 0].
  const auto factor = [](double norm) {
    return norm > 0.0 ? nearest_power_of_two(1.0 / std::sqrt(norm)) : 1.0;
  };
  for (int pass = 0; pass < 6; ++pass) {
    Eigen::VectorXd column = scaled.H.cwiseAbs().colwise().maxCoeff().transpose();
    if (p > 0) column = column.cwiseMax(scaled.A.cwiseAbs().colwise().maxCoeff().transpose());
    if (q > 0) column = column.cwiseMax(scaled.C.cwiseAbs().colwise().maxCoeff().transpose());
    Eigen::VectorXd row_A = scaled.A.cwiseAbs().rowwise().maxCoeff(),
                    row_C = scaled.C.cwiseAbs().rowwise().maxCoeff();
    for (double& value : column) value = factor(value);
    for (double& value : row_A) value = factor(value);
    for (double& value : row_C) value = factor(value);
    scaled.H = column.asDiagonal() * scaled.H * column.asDiagonal();
    scaled.A = row_A.asDiagonal() * scaled.A * column.asDiagonal();
    scaled.C = row_C.asDiagonal() * scaled.C * column.asDiagonal();
    scale.column = scale.column.cwiseProduct(column);
    scale.row_A = scale.row_A.cwiseProduct(row_A);
    scale.row_C = scale.row_C.cwiseProduct(row_C);
  }
  const Eigen::VectorXd g = program.g.cwiseProduct(scale.column);
  const double curvature = scaled.H.cwiseAbs().maxCoeff(), slope = g.cwiseAbs().maxCoeff();
  double length = typical_length(program, scale);
  if (length == 0.0) length = curvature > 0.0 && slope > 0.0 ? slope / curvature : 1.0;
  scale.length = nearest_power_of_two(length);
  // Where the bounds are far larger than the minimiser, curvature over that length would drown the gradient's
  // digits.
  constexpr double kShareOfCurvature = 1e-3;
  const double share = slope > 0.0 ? kShareOfCurvature : 1.0;
  const double cost = std::max(share * curvature * scale.length * scale.length, slope * scale.length);
  scale.cost = cost > 0.0 ? nearest_power_of_two(cost) : 1.0;
  scaled.H *= scale.length * scale.length / scale.cost;
  scaled.g = g * (scale.length / scale.cost);
  scaled.b = program.b.cwiseProduct(scale.row_A) / scale.length;
  scaled.lower = program.lower.cwiseProduct(scale.row_C) / scale.length;
  scaled.upper = program.upper.cwiseProduct(scale.row_C) / scale.length;
  return scale;
}

void clean_multipliers(const QuadraticProgram& program, Eigen::VectorXd& z) {
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (z[i] > 0.0 ? program.upper[i] == kInfinity : program.lower[i] == -kInfinity) z[i] = 0.0;
  }
}

SolverResiduals optimality_residuals(const QuadraticProgram& program, const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& y, const Eigen::VectorXd& z) {
  SolverResiduals residuals;
  if (!x.allFinite() || !y.allFinite() || !z.allFinite()) return residuals;
  const Eigen::VectorXd Hx = program.H * x, Cx = program.C * x;
  double violation = largest_entry(program.A * x - program.b);
  for (Eigen::Index i = 0; i < Cx.size(); ++i) {
    violation = std::max({violation, program.lower[i] - Cx[i], Cx[i] - program.upper[i]});
  }
  residuals.primal = violation / std::max(1.0, largest_entry(x));
  residuals.dual = largest_entry(Hx + program.g + program.A.transpose() * y + program.C.transpose() * z) /
                   std::max({1.0, largest_entry(Hx), largest_entry(y), largest_entry(z)});
  double magnitude = Hx.cwiseProduct(x).lpNorm<1>() + program.g.cwiseProduct(x).lpNorm<1>();
  const double gap = x.dot(Hx) + program.g.dot(x) + dual_terms(program, y, z, magnitude);
  residuals.gap = std::abs(gap) / std::max(1.0, magnitude);
  return residuals;
}

double normalise_infeasibility(const QuadraticProgram& program, Eigen::VectorXd& y, Eigen::VectorXd& z) {
  if (!y.allFinite() || !z.allFinite()) return kInfinity;
  clean_multipliers(program, z);
  double magnitude = 0.0;
  const double proof = -dual_terms(program, y, z, magnitude);
  // A sum that cancels to rounding proves nothing.
  if (!(proof > 1e-13 * magnitude) || !std::isfinite(proof)) return kInfinity;
  y /= proof;
  z /= proof;
  return largest_entry(program.A.transpose() * y + program.C.transpose() * z);
}

double normalise_ray(const QuadraticProgram& program, Eigen::VectorXd& ray) {
  if (!ray.allFinite()) return kInfinity;
  const double descent = -program.g.dot(ray);
  if (!(descent > 0.0) || !std::isfinite(descent)) return kInfinity;
  ray /= descent;
  double violation = std::max(largest_entry(program.H * ray), largest_entry(program.A * ray));
  const Eigen::VectorXd rows = program.C * ray;
  for (Eigen::Index i = 0; i < rows.size(); ++i) {
    if (program.upper[i] < kInfinity) violation = std::max(violation, rows[i]);
    if (program.lower[i] > -kInfinity) violation = std::max(violation, -rows[i]);
  }
  return violation;
}

}  // namespace prehend::math
