#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include <prehend/math/number_text.h>
#include <prehend/math/solvers/solver_input.h>

namespace prehend::math::solver_input {
namespace {

std::string at(std::string_view what, Eigen::Index i) {
  return std::string(what) + "[" + std::to_string(i) + "]";
}

[[noreturn]] void refuse(std::string_view solver, const std::string& sentence) {
  throw std::invalid_argument(std::string(solver) + ": " + sentence);
}

}  // namespace

void require_at_least_one_unknown(std::string_view solver, Eigen::Index unknowns) {
  if (unknowns < 1) refuse(solver, "the problem has 0 unknowns; it needs at least 1");
}

void require_size(std::string_view solver, std::string_view what, Eigen::Index actual,
                  Eigen::Index expected) {
  if (actual == expected) return;
  refuse(solver, "the " + std::string(what) + " is " + std::to_string(actual) + "; it must be " +
                     std::to_string(expected));
}

void require_finite(std::string_view solver, std::string_view what,
                    const Eigen::Ref<const Eigen::VectorXd>& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      refuse(solver, at(what, i) + " is " + number_text(values[i], 9) + "; it must be finite");
  }
}

void require_finite_entry(std::string_view solver, std::string_view matrix, Eigen::Index row,
                          Eigen::Index column, double value) {
  if (std::isfinite(value)) return;
  refuse(solver, std::string(matrix) + "(" + std::to_string(row) + "," + std::to_string(column) + ") is " +
                     number_text(value, 9) + "; it must be finite");
}

void require_finite_matrix(std::string_view solver, std::string_view what, const Eigen::MatrixXd& values) {
  if (values.size() == 0 || values.allFinite()) return;
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    for (Eigen::Index i = 0; i < values.rows(); ++i) require_finite_entry(solver, what, i, j, values(i, j));
  }
}

void require_ordered_bounds(std::string_view solver, std::string_view what, const Eigen::VectorXd& lower,
                            const Eigen::VectorXd& upper) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string low = "lower bound of " + std::string(what), high = "upper bound of " + std::string(what);
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    if (std::isnan(lower[i]) || lower[i] == kInfinity) {
      refuse(solver,
             "the " + at(low, i) + " is " + number_text(lower[i], 9) + "; it must be a number or -infinity");
    }
    if (std::isnan(upper[i]) || upper[i] == -kInfinity) {
      refuse(solver,
             "the " + at(high, i) + " is " + number_text(upper[i], 9) + "; it must be a number or +infinity");
    }
    if (lower[i] > upper[i]) {
      refuse(solver, "the " + at(low, i) + " is " + number_text(lower[i], 9) +
                         "; it must not exceed the upper bound " + number_text(upper[i], 9));
    }
  }
}

}  // namespace prehend::math::solver_input
