// ConeSolver: validation of what comes in, and the choice of route; the work is in cone_engine and
// contact_cone_engine.
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <prehend/math/cone/cone_engine.h>
#include <prehend/math/cone/contact_cone_engine.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>

namespace prehend::math {
namespace {

[[noreturn]] void fail(const std::string& sentence) {
  throw std::invalid_argument("cone program: " + sentence);
}

void require_size(const char* name, Eigen::Index size, Eigen::Index wanted, const char* because) {
  if (size == wanted) return;
  fail(std::string(name) + " has " + std::to_string(size) + " entries; it must have " +
       std::to_string(wanted) + ", " + because);
}

void require_finite(const char* name, const Eigen::Ref<const Eigen::VectorXd>& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      fail(std::string(name) + " entry " + std::to_string(i) + " is " + std::to_string(values[i]) +
           "; all numbers must be finite");
    }
  }
}

void require_finite(const char* name, const Eigen::SparseMatrix<double>& matrix) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      if (std::isfinite(it.value())) continue;
      fail(std::string(name) + "(" + std::to_string(it.row()) + ", " + std::to_string(it.col()) + ") is " +
           std::to_string(it.value()) + "; all numbers must be finite");
    }
  }
}

void validate(const ConeOptions& o) {
  const OptionCheck check("ConeOptions");
  check.strictly_between("tolerance", o.tolerance, 0.0, 1.0);
  check.strictly_between("certificate_tolerance", o.certificate_tolerance, 0.0, 1.0);
  check.at_least("stalled_tolerance", o.stalled_tolerance, o.tolerance);
  check.strictly_between("stalled_tolerance", o.stalled_tolerance, 0.0, 1.0);
  check.at_least("max_iterations", o.max_iterations, 1);
  check.strictly_between("step_fraction", o.step_fraction, 0.0, 1.0);
  check.at_least("equilibration_passes", o.equilibration_passes, 0);
  check.at_least("max_refinements", o.max_refinements, 0);
}

const ConeProgram& validated(const ConeProgram& program, const ConeOptions& options) {
  validate(options);
  const ConeDimensions& cones = program.cones;
  if (cones.nonnegative < 0)
    fail("the orthant has " + std::to_string(cones.nonnegative) + " rows; at least 0");
  if (cones.psd4 < 0) fail("there are " + std::to_string(cones.psd4) + " PSD blocks; at least 0");
  for (std::size_t i = 0; i < cones.second_order.size(); ++i) {
    if (cones.second_order[i] >= 1) continue;
    fail("second-order cone " + std::to_string(i) + " has " + std::to_string(cones.second_order[i]) +
         " rows; at least 1");
  }
  const Eigen::Index n = program.c.size();
  require_size("each row of A", program.A.cols(), n, "one for each entry of c");
  require_size("each row of G", program.G.cols(), n, "one for each entry of c");
  require_size("b", program.b.size(), program.A.rows(), "one for each row of A");
  require_size("h", program.h.size(), program.G.rows(), "one for each row of G");
  require_size("each column of G", program.G.rows(), cones.rows(), "one for each row of the cones");
  require_finite("c", program.c);
  require_finite("b", program.b);
  require_finite("h", program.h);
  require_finite("A", program.A);
  require_finite("G", program.G);
  return program;
}

}  // namespace

struct ConeSolver::Routes {
  Routes(const ConeProgram& given, const ConeOptions& given_options)
      : program(given), options(given_options) {
    program.A.makeCompressed();
    program.G.makeCompressed();
    contact = ContactConeEngine::try_make(program, options.equilibration_passes);
    if (!contact) {
      general = std::make_unique<Engine>(program, options);
      return;
    }
    result.x.setZero(program.c.size());
    result.s.setZero(program.h.size());
    result.y.setZero(program.b.size());
    result.z.setZero(program.h.size());
  }

  ConeProgram program;
  const ConeOptions options;
  std::optional<ContactConeEngine> contact;
  ConeResult result;  // of the quick route
  std::unique_ptr<Engine> general;
};

ConeSolver::ConeSolver(const ConeProgram& program, const ConeOptions& options)
    : routes_(std::make_unique<Routes>(validated(program, options), options)) {}
ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver&&) noexcept = default;
ConeSolver& ConeSolver::operator=(ConeSolver&&) noexcept = default;

void ConeSolver::set_objective(const Eigen::Ref<const Eigen::VectorXd>& c) {
  require_size("c", c.size(), routes_->program.c.size(), "as at construction");
  require_finite("c", c);
  routes_->program.c = c;
  if (routes_->general) routes_->general->c = c;
}

void ConeSolver::set_equality_bounds(const Eigen::Ref<const Eigen::VectorXd>& b) {
  require_size("b", b.size(), routes_->program.b.size(), "as at construction");
  require_finite("b", b);
  routes_->program.b = b;
  if (routes_->general) routes_->general->b = b;
}

void ConeSolver::set_cone_bounds(const Eigen::Ref<const Eigen::VectorXd>& h) {
  require_size("h", h.size(), routes_->program.h.size(), "as at construction");
  require_finite("h", h);
  routes_->program.h = h;
  if (routes_->general) routes_->general->h = h;
}

void ConeSolver::set_matrix_values(const Eigen::Ref<const Eigen::VectorXd>& A_values,
                                   const Eigen::Ref<const Eigen::VectorXd>& G_values) {
  Eigen::SparseMatrix<double>&A = routes_->program.A, &G = routes_->program.G;
  require_size("the values of A", A_values.size(), A.nonZeros(), "the nonzeros at construction");
  require_size("the values of G", G_values.size(), G.nonZeros(), "the nonzeros at construction");
  require_finite("the values of A", A_values);
  require_finite("the values of G", G_values);
  std::copy_n(A_values.data(), A_values.size(), A.valuePtr());
  std::copy_n(G_values.data(), G_values.size(), G.valuePtr());
  if (routes_->contact) {
    routes_->contact->set_matrices(routes_->program, routes_->options.equilibration_passes);
  }
  if (routes_->general) routes_->general->set_matrix_values(A_values.data(), G_values.data());
}

const ConeResult& ConeSolver::solve() {
  Routes& routes = *routes_;
  check_interrupt();
  if (routes.contact && routes.contact->solve(routes.program, routes.options, routes.result)) {
    return routes.result;
  }
  if (!routes.general) routes.general = std::make_unique<Engine>(routes.program, routes.options);
  return routes.general->solve();
}

}  // namespace prehend::math
