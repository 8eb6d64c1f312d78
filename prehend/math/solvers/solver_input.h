// Checks of what callers hand to the solvers. Each throws std::invalid_argument with one sentence that names
// the solver, the quantity, the offending value and the bound it breaks.
#pragma once

#include <string_view>

#include <Eigen/Core>

namespace prehend::math::solver_input {

void require_at_least_one_unknown(std::string_view solver, Eigen::Index unknowns);
void require_size(std::string_view solver, std::string_view what, Eigen::Index actual, Eigen::Index expected);
void require_finite(std::string_view solver, std::string_view what,
                    const Eigen::Ref<const Eigen::VectorXd>& values);
void require_finite_entry(std::string_view solver, std::string_view matrix, Eigen::Index row,
                          Eigen::Index column, double value);
void require_finite_matrix(std::string_view solver, std::string_view what, const Eigen::MatrixXd& values);
// No NaN, lower <= upper entry by entry, no lower bound of +infinity and no upper bound of -infinity.
void require_ordered_bounds(std::string_view solver, std::string_view what, const Eigen::VectorXd& lower,
                            const Eigen::VectorXd& upper);

}  // namespace prehend::math::solver_input
