#include <algorithm>
#include <cmath>
#include <vector>

#include <prehend/math/house/infinity.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/solvers/linear_program_check.h>
#include <prehend/math/solvers/program_scale.h>
#include <prehend/math/solvers/solver_input.h>

namespace prehend::math {
namespace {

constexpr const char* kLinearName = "linear program";

double median(std::vector<double>& values) {
  if (values.empty()) return 1.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Share of the terms of a sum that counts as its natural size: with the tolerance of 1e-8, sums may be off by
// 1e-13 of their terms, the rounding of long rows, but a solution cannot hide a violation by being large.
constexpr double kShareOfTerms = 1e-5;

// `terms` are the sums of absolute terms that make up `value`.
double largest_violation(const Eigen::VectorXd& value, const Eigen::VectorXd& terms,
                         const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    const double natural = std::max(1.0, kShareOfTerms * terms[i]);
    if (lower[i] > value[i])
      largest = std::max(largest, (lower[i] - value[i]) / std::max(natural, std::abs(lower[i])));
    if (value[i] > upper[i])
      largest = std::max(largest, (value[i] - upper[i]) / std::max(natural, std::abs(upper[i])));
  }
  return largest;
}

void drop_multipliers_of_no_bound(Eigen::VectorXd& multiplier, const Eigen::VectorXd& lower,
                                  const Eigen::VectorXd& upper) {
  for (Eigen::Index i = 0; i < multiplier.size(); ++i) {
    if (multiplier[i] > 0.0 ? upper[i] == kInfinity : lower[i] == -kInfinity) multiplier[i] = 0.0;
  }
}

// Largest value of multiplier * v over lower <= v <= upper, summed; multipliers of absent bounds must be
// zero. `magnitude` grows by the sizes of the terms: what rounding of the sum is measured against.
double support(const Eigen::VectorXd& multiplier, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
               double& magnitude) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < multiplier.size(); ++i) {
    if (multiplier[i] == 0.0) continue;
    const double term = multiplier[i] * (multiplier[i] > 0.0 ? upper[i] : lower[i]);
    sum += term;
    magnitude += std::abs(term);
  }
  return sum;
}

// How far `direction` leaves the recession cone of lower <= v <= upper.
double recession_violation(const Eigen::VectorXd& direction, const Eigen::VectorXd& lower,
                           const Eigen::VectorXd& upper) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    if (upper[i] < kInfinity) largest = std::max(largest, direction[i]);
    if (lower[i] > -kInfinity) largest = std::max(largest, -direction[i]);
  }
  return largest;
}

}  // namespace

void validate(const LinearProgram& program) {
  const Eigen::Index n = program.c.size(), m = program.A.rows();
  solver_input::require_at_least_one_unknown(kLinearName, n);
  if (m > 0) solver_input::require_size(kLinearName, "number of columns of A", program.A.cols(), n);
  validate_objective(program.c, n);
  validate_bounds("the rows", program.row_lower, program.row_upper, m);
  validate_bounds("x", program.lower, program.upper, n);
  for (Eigen::Index j = 0; j < program.A.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(program.A, j); entry; ++entry) {
      solver_input::require_finite_entry(kLinearName, "A", entry.row(), j, entry.value());
    }
  }
}

void validate_objective(const Eigen::VectorXd& c, Eigen::Index size) {
  solver_input::require_size(kLinearName, "number of entries of c", c.size(), size);
  solver_input::require_finite(kLinearName, "c", c);
}

void validate_bounds(const std::string& what, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                     Eigen::Index size) {
  solver_input::require_size(kLinearName, "number of lower bounds of " + what, lower.size(), size);
  solver_input::require_size(kLinearName, "number of upper bounds of " + what, upper.size(), size);
  solver_input::require_ordered_bounds(kLinearName, what, lower, upper);
}

void validate(const LinearProgramOptions& options) {
  const OptionCheck check("LinearProgramOptions");
  check.strictly_between("tolerance", options.tolerance, 0.0, 0.1);
  check.at_least("max_iterations", options.max_iterations, 1);
}

LinearProgramScale equilibrate(const Eigen::SparseMatrix<double>& A) {
  LinearProgramScale scale{Eigen::VectorXd::Ones(A.rows()), Eigen::VectorXd::Ones(A.cols())};
  // Ruiz' iteration halves the logarithms of the row and column norms in each pass: eight bring 1e12 to 1.1.
  for (int pass = 0; pass < 8; ++pass) {
    Eigen::VectorXd row_norm = Eigen::VectorXd::Zero(A.rows()), column_norm = Eigen::VectorXd::Zero(A.cols());
    for (Eigen::Index j = 0; j < A.outerSize(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator entry(A, j); entry; ++entry) {
        const double size = std::abs(entry.value()) * scale.row[entry.row()] * scale.column[j];
        row_norm[entry.row()] = std::max(row_norm[entry.row()], size);
        column_norm[j] = std::max(column_norm[j], size);
      }
    }
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      scale.row[i] /= row_norm[i] > 0.0 ? std::sqrt(row_norm[i]) : 1.0;
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      scale.column[j] /= column_norm[j] > 0.0 ? std::sqrt(column_norm[j]) : 1.0;
    }
  }
  for (double& factor : scale.row) factor = nearest_power_of_two(factor);
  for (double& factor : scale.column) factor = nearest_power_of_two(factor);
  return scale;
}

void update_scale(const LinearProgram& program, LinearProgramScale& scale) {
  std::vector<double> lengths, costs;
  const auto collect = [](std::vector<double>& values, double value) {
    if (std::isfinite(value) && value != 0.0) values.push_back(std::abs(value));
  };
  for (Eigen::Index i = 0; i < program.row_lower.size(); ++i) {
    collect(lengths, program.row_lower[i] * scale.row[i]);
    collect(lengths, program.row_upper[i] * scale.row[i]);
  }
  for (Eigen::Index j = 0; j < program.c.size(); ++j) {
    collect(lengths, program.lower[j] / scale.column[j]);
    collect(lengths, program.upper[j] / scale.column[j]);
    collect(costs, program.c[j] * scale.column[j]);
  }
  scale.length = nearest_power_of_two(median(lengths));
  scale.cost = nearest_power_of_two(median(costs)) * scale.length;
}

void scale_vectors(const LinearProgram& program, const LinearProgramScale& scale, LinearProgram& scaled) {
  scaled.c = program.c.cwiseProduct(scale.column) * (scale.length / scale.cost);
  scaled.row_lower = program.row_lower.cwiseProduct(scale.row) / scale.length;
  scaled.row_upper = program.row_upper.cwiseProduct(scale.row) / scale.length;
  scaled.lower = program.lower.cwiseQuotient(scale.column) / scale.length;
  scaled.upper = program.upper.cwiseQuotient(scale.column) / scale.length;
}

void clean_multipliers(const LinearProgram& program, const Eigen::VectorXd& cost, Eigen::VectorXd& y,
                       Eigen::VectorXd& w) {
  drop_multipliers_of_no_bound(y, program.row_lower, program.row_upper);
  w = -cost - program.A.transpose() * y;
  drop_multipliers_of_no_bound(w, program.lower, program.upper);
}

double primal_residual(const LinearProgram& program, const Eigen::VectorXd& x) {
  if (!x.allFinite()) return kInfinity;
  const Eigen::VectorXd rows = program.A * x, terms = program.A.cwiseAbs() * x.cwiseAbs();
  return std::max(largest_violation(rows, terms, program.row_lower, program.row_upper),
                  largest_violation(x, x.cwiseAbs(), program.lower, program.upper));
}

SolverResiduals optimality_residuals(const LinearProgram& program, const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& y, const Eigen::VectorXd& w) {
  SolverResiduals residuals;
  if (!x.allFinite() || !y.allFinite() || !w.allFinite()) return residuals;
  residuals.primal = primal_residual(program, x);
  const Eigen::VectorXd gradient = program.c + program.A.transpose() * y + w;
  const Eigen::VectorXd terms = program.c.cwiseAbs() + program.A.cwiseAbs().transpose() * y.cwiseAbs();
  residuals.dual = largest_entry(gradient.cwiseQuotient((kShareOfTerms * terms).cwiseMax(1.0)));
  double magnitude = program.c.cwiseProduct(x).lpNorm<1>();
  const double dual_cost = -support(y, program.row_lower, program.row_upper, magnitude) -
                           support(w, program.lower, program.upper, magnitude);
  residuals.gap = std::abs(program.c.dot(x) - dual_cost) / std::max(1.0, magnitude);
  return residuals;
}

double normalise_infeasibility(const LinearProgram& program, Eigen::VectorXd& y, Eigen::VectorXd& w) {
  if (!y.allFinite()) return kInfinity;
  clean_multipliers(program, Eigen::VectorXd::Zero(program.c.size()), y, w);
  double magnitude = 0.0;
  const double proof = -support(y, program.row_lower, program.row_upper, magnitude) -
                       support(w, program.lower, program.upper, magnitude);
  // A sum that cancels to rounding proves nothing.
  if (!(proof > 1e-13 * magnitude) || !std::isfinite(proof)) return kInfinity;
  y /= proof;
  w /= proof;
  const Eigen::VectorXd combination = program.A.transpose() * y + w;
  return largest_entry(combination);
}

double normalise_ray(const LinearProgram& program, Eigen::VectorXd& ray) {
  if (!ray.allFinite()) return kInfinity;
  const double descent = -program.c.dot(ray);
  if (!(descent > 0.0) || !std::isfinite(descent)) return kInfinity;
  ray /= descent;
  const Eigen::VectorXd rows = program.A * ray;
  return std::max(recession_violation(rows, program.row_lower, program.row_upper),
                  recession_violation(ray, program.lower, program.upper));
}

}  // namespace prehend::math
