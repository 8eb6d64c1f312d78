#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/house/infinity.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/stability/methods/linear_limit.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using Triplets = std::vector<Eigen::Triplet<double>>;
using math::kInfinity;

// The column of a force at a contact: on b, and against a; moments in units of the system's length.
void add_force(const ContactSystem& system, const SystemContact& contact, const Vector3d& f_W, int column,
               Triplets& entries) {
  math::Vector6d wrench = system.force_wrench(f_W, contact.p_W);
  wrench.head<3>() /= system.length;
  for (int i = 0; i < 6; ++i) {
    if (wrench[i] == 0.0) continue;
    if (contact.b.is_valid()) entries.emplace_back(6 * contact.b.value() + i, column, wrench[i]);
    if (contact.a.is_valid()) entries.emplace_back(6 * contact.a.value() + i, column, -wrench[i]);
  }
}

Eigen::SparseMatrix<double> edge_wrenches(const ContactSystem& system, int sides) {
  Triplets entries;
  int column = 0;
  for (const SystemContact& contact : system.contacts) {
    for (int k = 0; k < sides; ++k) {
      const double angle = (2 * k + 1) * math::kPi / sides;
      const Vector3d f_C(contact.mu * std::cos(angle), contact.mu * std::sin(angle), 1.0);
      add_force(system, contact, contact.R_WC * f_C, column++, entries);
    }
  }
  Eigen::SparseMatrix<double> edges(system.unknowns(), column);
  edges.setFromTriplets(entries.begin(), entries.end());
  return edges;
}

VectorXd scaled_weights(const ContactSystem& system) {
  VectorXd weights(system.unknowns());
  for (NodeIndex b(0); b < system.bodies.size(); ++b) {
    weights.segment<6>(6 * b.value()) = system.gravity_wrench(b) / system.weight;
    weights.segment<3>(6 * b.value()) /= system.length;
  }
  return weights;
}

void append_column(Eigen::SparseMatrix<double>& matrix, const VectorXd& column) {
  matrix.conservativeResize(matrix.rows(), matrix.cols() + 1);
  for (Eigen::Index i = 0; i < column.size(); ++i) {
    if (column[i] != 0.0) matrix.insert(i, matrix.cols() - 1) = column[i];
  }
  matrix.makeCompressed();
}

// minimise y >= 0 subject to S'f + y g = rhs.
math::LinearProgram reciprocal_program(Eigen::SparseMatrix<double> edges, const VectorXd& weights,
                                       const VectorXd& rhs) {
  append_column(edges, weights);
  const Eigen::Index n = edges.cols();
  return {VectorXd::Unit(n, n - 1),        std::move(edges), rhs, rhs, VectorXd::Zero(n),
          VectorXd::Constant(n, kInfinity)};
}

}  // namespace

void LinearLimitOptions::validate() const {
  const math::OptionCheck check("LinearLimitOptions");
  check.at_least("sides", sides, 3);
  check.above("unbounded_above", unbounded_above, 0.0);
}

LinearLimit::LinearLimit(const ContactSystem& system, const LinearLimitOptions& options)
    : system_(system),
      options_((options.validate(), options)),
      edges_(edge_wrenches(system, options.sides)),
      weights_(scaled_weights(system)),
      // The weights themselves as the load: feasible exactly when they can be balanced.
      solver_(reciprocal_program(edges_, weights_, -weights_)) {
  const math::LinearProgramResult rest = solver_.solve();
  at_rest_ = rest.status == math::SolverStatus::optimal             ? AnswerStatus::ok
             : rest.status == math::SolverStatus::primal_infeasible ? AnswerStatus::unstable
                                                                    : AnswerStatus::undetermined;
}

VectorXd LinearLimit::scaled(const Load& load, double& size) const {
  VectorXd w = VectorXd::Zero(system_.unknowns());
  for (const BodyLoad& part : load) {
    math::Vector6d wrench = part.wrench;
    wrench.head<3>() /= system_.length;
    w.segment<6>(6 * part.body.value()) += wrench;
  }
  size = w.norm();
  if (!(size > 0.0) || !std::isfinite(size)) throw std::invalid_argument("the load is zero or not finite");
  return w / size;
}

LinearAnswer LinearLimit::answer(const math::LinearProgramResult& result, double reciprocal,
                                 double size) const {
  LinearAnswer answer;
  answer.pivots = result.iterations;
  answer.status = AnswerStatus::ok;
  answer.unbounded = reciprocal * options_.unbounded_above <= 1.0;
  answer.limit = answer.unbounded ? kInfinity : system_.weight / (reciprocal * size);
  return answer;
}

LinearAnswer LinearLimit::ask_warm(const Load& load) {
  LinearAnswer refused;
  refused.status = at_rest_;
  if (at_rest_ == AnswerStatus::unstable) return refused;
  double size = 0.0;
  const VectorXd rhs = -scaled(load, size);
  solver_.set_row_bounds(rhs, rhs);
  const math::LinearProgramResult result = solver_.solve();
  if (result.status == math::SolverStatus::optimal && at_rest_ == AnswerStatus::ok) {
    return answer(result, std::max(0.0, result.objective), size);
  }
  if (result.status == math::SolverStatus::primal_infeasible && at_rest_ == AnswerStatus::ok) {
    // It rests, but no amount of the load can be balanced, however much weight presses.
    return answer(result, kInfinity, size);
  }
  refused.status = AnswerStatus::undetermined;
  refused.note = result.brief_report();
  return refused;
}

LinearAnswer LinearLimit::maximum(const math::LinearProgram& program, double size) const {
  const math::LinearProgramResult result = math::solve_linear_program(program);
  switch (result.status) {
    case math::SolverStatus::optimal: {
      const double s = result.x[result.x.size() - 1];
      return answer(result, s > 0.0 ? 1.0 / s : kInfinity, size);
    }
    case math::SolverStatus::dual_infeasible:
      return answer(result, 0.0, size);
    default:
      break;
  }
  LinearAnswer refused;
  const bool falls = result.status == math::SolverStatus::primal_infeasible;
  refused.status = falls ? AnswerStatus::unstable : AnswerStatus::undetermined;
  refused.pivots = result.iterations;
  if (!falls) refused.note = result.brief_report();
  return refused;
}

LinearAnswer LinearLimit::ask_cold(const Load& load) const {
  double size = 0.0;
  const VectorXd w = scaled(load, size);
  Eigen::SparseMatrix<double> matrix = edge_wrenches(system_, options_.sides);
  append_column(matrix, w);
  const Eigen::Index n = matrix.cols();
  const VectorXd rhs = -scaled_weights(system_);
  return maximum({-VectorXd::Unit(n, n - 1), std::move(matrix), rhs, rhs, VectorXd::Zero(n),
                  VectorXd::Constant(n, kInfinity)},
                 size);
}

LinearAnswer LinearLimit::ask_printed(const Load& load) const {
  double size = 0.0;
  const VectorXd w = scaled(load, size);
  const int contacts = static_cast<int>(system_.contacts.size()), equations = system_.unknowns();
  const int sides = options_.sides, n = 3 * contacts + 1, rows = equations + sides * contacts;
  Triplets entries;
  VectorXd lower = VectorXd::Constant(n, -kInfinity), row_lower = VectorXd::Constant(rows, -kInfinity);
  for (int k = 0; k < contacts; ++k) {
    const SystemContact& contact = system_.contacts[static_cast<std::size_t>(k)];
    for (int axis = 0; axis < 3; ++axis)
      add_force(system_, contact, contact.R_WC.col(axis), 3 * k + axis, entries);
    lower[3 * k + 2] = 0.0;                     // (4.48)
    for (int side = 0; side < sides; ++side) {  // (4.10), (4.47)
      const double angle = 2.0 * math::kPi * side / sides;
      const int row = equations + sides * k + side;
      entries.emplace_back(row, 3 * k, std::cos(angle));
      entries.emplace_back(row, 3 * k + 1, std::sin(angle));
      entries.emplace_back(row, 3 * k + 2, -contact.mu * std::cos(math::kPi / sides));
    }
  }
  for (int i = 0; i < equations; ++i) entries.emplace_back(i, n - 1, w[i]);
  lower[n - 1] = 0.0;
  Eigen::SparseMatrix<double> matrix(rows, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  VectorXd row_upper = VectorXd::Zero(rows);
  row_lower.head(equations) = row_upper.head(equations) = -scaled_weights(system_);
  return maximum({-VectorXd::Unit(n, n - 1), std::move(matrix), row_lower, row_upper, lower,
                  VectorXd::Constant(n, kInfinity)},
                 size);
}

}  // namespace prehend::stability
