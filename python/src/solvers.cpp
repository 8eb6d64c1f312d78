// prehend.math, the solvers: quadratic, linear and cone programs, non-negative least squares.
#include <limits>

#include <Eigen/SparseCore>

#include "bindings.h"
#include <prehend/math/cone_program.h>
#include <prehend/math/linear_program.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/quadratic_program.h>

namespace prehend::python {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

VectorXd or_filled(const std::optional<VectorXd>& given, Eigen::Index size, double value) {
  return given ? *given : VectorXd(VectorXd::Constant(size, value));
}

// A dense array, nested lists, or anything of SciPy's sparse kind (it has tocsc()).
Sparse sparse_matrix(nb::handle source, Eigen::Index columns) {
  if (source.is_none()) return Sparse(0, columns);
  if (!nb::hasattr(source, "tocsc")) return nb::cast<MatrixXd>(source).sparseView();
  const nb::object csc = source.attr("tocsc")("copy"_a = true);
  csc.attr("sum_duplicates")();
  using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  const auto shape = nb::cast<std::pair<Eigen::Index, Eigen::Index>>(csc.attr("shape"));
  const auto values = nb::cast<Values>(csc.attr("data").attr("astype")("float64"));
  const auto inner = nb::cast<Indices>(csc.attr("indices").attr("astype")("int32"));
  const auto outer = nb::cast<Indices>(csc.attr("indptr").attr("astype")("int32"));
  return Eigen::Map<const Sparse>(shape.first, shape.second, static_cast<Eigen::Index>(values.size()),
                                  outer.data(), inner.data(), values.data());
}

void bind_results(nb::module_& m) {
  nb::class_<math::SolverResiduals>(m, "SolverResiduals",
                                    "How far an answer is from optimality; free of units.")
      .def_ro("primal", &math::SolverResiduals::primal)
      .def_ro("dual", &math::SolverResiduals::dual)
      .def_ro("gap", &math::SolverResiduals::gap)
      .def("largest", &math::SolverResiduals::largest);

  using Qp = math::QuadraticProgramResult;
  auto qp = nb::class_<Qp>(m, "QuadraticProgramResult",
                           "Minimiser and multipliers, or a certificate that there is none.");
  qp.def_prop_ro(
        "status", [](const Qp& r) { return std::string(math::to_string(r.status)); },
        "'optimal', 'primal_infeasible', ...")
      .def_ro("x", &Qp::x)
      .def_ro("y", &Qp::y)
      .def_ro("z", &Qp::z)
      .def_ro("ray", &Qp::ray)
      .def_ro("objective", &Qp::objective)
      .def_ro("residuals", &Qp::residuals)
      .def_ro("certificate_residual", &Qp::certificate_residual)
      .def_ro("iterations", &Qp::iterations)
      .def("brief_report", &Qp::brief_report);
  def_result(qp);

  using Lp = math::LinearProgramResult;
  auto lp = nb::class_<Lp>(m, "LinearProgramResult",
                           "Minimiser and multipliers, or a certificate that there is none.");
  lp.def_prop_ro(
        "status", [](const Lp& r) { return std::string(math::to_string(r.status)); },
        "'optimal', 'primal_infeasible', ...")
      .def_ro("x", &Lp::x)
      .def_ro("y", &Lp::y)
      .def_ro("w", &Lp::w)
      .def_ro("ray", &Lp::ray)
      .def_ro("objective", &Lp::objective)
      .def_ro("residuals", &Lp::residuals)
      .def_ro("certificate_residual", &Lp::certificate_residual)
      .def_ro("iterations", &Lp::iterations)
      .def("brief_report", &Lp::brief_report);
  def_result(lp);

  using Cone = math::ConeResult;
  auto cone = nb::class_<Cone>(m, "ConeResult",
                               "Solutions of a cone program and its dual, or a proof that there is none.");
  cone.def_prop_ro(
          "status", [](const Cone& r) { return std::string(math::to_string(r.status)); },
          "'optimal', 'primal_infeasible', ...")
      .def_ro("x", &Cone::x)
      .def_ro("s", &Cone::s)
      .def_ro("y", &Cone::y)
      .def_ro("z", &Cone::z)
      .def_ro("primal_objective", &Cone::primal_objective, "c'x")
      .def_ro("dual_objective", &Cone::dual_objective, "-b'y - h'z")
      .def_ro("gap", &Cone::gap)
      .def_ro("primal_residual", &Cone::primal_residual)
      .def_ro("dual_residual", &Cone::dual_residual)
      .def_ro("iterations", &Cone::iterations)
      .def("brief_report", &Cone::brief_report);
  def_result(cone);

  using Nnls = math::NonnegativeLeastSquaresResult;
  auto nnls = nb::class_<Nnls>(m, "NonnegativeLeastSquaresResult", "Minimiser and gradient.");
  nnls.def_prop_ro("status", [](const Nnls& r) { return std::string(math::to_string(r.status)); })
      .def_ro("x", &Nnls::x)
      .def_ro("gradient", &Nnls::gradient)
      .def_ro("objective", &Nnls::objective)
      .def_ro("residual_norm", &Nnls::residual_norm)
      .def_ro("residuals", &Nnls::residuals)
      .def_ro("iterations", &Nnls::iterations)
      .def("brief_report", &Nnls::brief_report);
  def_result(nnls);
}

void bind_quadratic_programs(nb::module_& m) {
  m.def(
      "solve_quadratic_program",
      [](const MatrixXd& H, const VectorXd& g, const std::optional<MatrixXd>& A,
         const std::optional<VectorXd>& b, const std::optional<MatrixXd>& C,
         const std::optional<VectorXd>& lower, const std::optional<VectorXd>& upper, double tolerance,
         int max_iterations) {
        math::QuadraticProgram program;
        program.H = H;
        program.g = g;
        program.A = A ? *A : MatrixXd(0, g.size());
        program.b = b ? *b : VectorXd(VectorXd::Zero(program.A.rows()));
        program.C = C ? *C : MatrixXd(0, g.size());
        program.lower = or_filled(lower, program.C.rows(), -kInfinity);
        program.upper = or_filled(upper, program.C.rows(), kInfinity);
        math::QuadraticProgramOptions options;
        options.tolerance = tolerance;
        options.max_iterations = max_iterations;
        return math::solve_quadratic_program(program, options);
      },
      "H"_a, "g"_a, "A"_a = nb::none(), "b"_a = nb::none(), "C"_a = nb::none(), "lower"_a = nb::none(),
      "upper"_a = nb::none(), nb::kw_only(), "tolerance"_a = math::QuadraticProgramOptions{}.tolerance,
      "max_iterations"_a = math::QuadraticProgramOptions{}.max_iterations, Released(),
      R"(minimise 1/2 x'Hx + g'x  subject to  A x = b,  lower <= C x <= upper.

>>> import numpy as np
>>> from prehend.math import solve_quadratic_program
>>> answer = solve_quadratic_program(np.eye(2), [-1, -1], C=np.eye(2), upper=[0.5, 2])
>>> answer.status, answer.x.round(6).tolist()
('optimal', [0.5, 1.0])
)");
}

void bind_linear_programs(nb::module_& m) {
  m.def(
      "solve_linear_program",
      [](const VectorXd& c, nb::object A, const std::optional<VectorXd>& row_lower,
         const std::optional<VectorXd>& row_upper, const std::optional<VectorXd>& lower,
         const std::optional<VectorXd>& upper, double tolerance, int max_iterations) {
        math::LinearProgram program;
        program.c = c;
        program.A = sparse_matrix(A, c.size());
        program.row_lower = or_filled(row_lower, program.A.rows(), -kInfinity);
        program.row_upper = or_filled(row_upper, program.A.rows(), kInfinity);
        program.lower = or_filled(lower, c.size(), -kInfinity);
        program.upper = or_filled(upper, c.size(), kInfinity);
        math::LinearProgramOptions options;
        options.tolerance = tolerance;
        options.max_iterations = max_iterations;
        const LongCall release;
        return math::solve_linear_program(program, options);
      },
      "c"_a, "A"_a = nb::none(), "row_lower"_a = nb::none(), "row_upper"_a = nb::none(),
      "lower"_a = nb::none(), "upper"_a = nb::none(), nb::kw_only(),
      "tolerance"_a = math::LinearProgramOptions{}.tolerance,
      "max_iterations"_a = math::LinearProgramOptions{}.max_iterations,
      R"(minimise c'x  subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.

A may be dense or a SciPy sparse matrix; bounds that are left out are infinite.

>>> from prehend.math import solve_linear_program
>>> answer = solve_linear_program([-1, -2], [[1, 1]], row_upper=[4], lower=[0, 0], upper=[3, 3])
>>> answer.status, answer.x.tolist(), answer.objective
('optimal', [1.0, 3.0], -7.0)
)");
}

void bind_cone_programs(nb::module_& m) {
  m.def(
      "solve_cone_program",
      [](const VectorXd& c, nb::object G, const VectorXd& h, nb::object A, const std::optional<VectorXd>& b,
         int nonnegative, const std::vector<int>& second_order, int psd4, double tolerance,
         int max_iterations) {
        math::ConeProgram program;
        program.c = c;
        program.G = sparse_matrix(G, c.size());
        program.h = h;
        program.A = sparse_matrix(A, c.size());
        program.b = or_filled(b, program.A.rows(), 0.0);
        program.cones = {nonnegative, second_order, psd4};
        math::ConeOptions options;
        options.tolerance = tolerance;
        options.max_iterations = max_iterations;
        const LongCall release;
        return math::solve_cone_program(program, options);
      },
      "c"_a, "G"_a, "h"_a, "A"_a = nb::none(), "b"_a = nb::none(), nb::kw_only(), "nonnegative"_a = 0,
      "second_order"_a = nb::make_tuple(), "psd4"_a = 0, "tolerance"_a = math::ConeOptions{}.tolerance,
      "max_iterations"_a = math::ConeOptions{}.max_iterations,
      R"(minimise c'x  subject to  A x = b,  G x + s = h,  s in K.

K is, from the top of s: `nonnegative` rows, one second-order cone for each entry of `second_order` (its number of rows, the
first bounds the norm of the rest), and `psd4` positive semidefinite 4x4 blocks of 10 rows each (upper triangle by columns,
off-diagonals times sqrt 2). A and G may be dense or SciPy sparse matrices.

>>> from prehend.math import solve_cone_program
>>> answer = solve_cone_program([1], [[-1], [0], [0]], [0, 3, 4], second_order=[3])   # smallest x >= |(3, 4)|
>>> answer.status, answer.x.round(6).tolist()
('optimal', [5.0])
)");
}

void bind_nonnegative_least_squares(nb::module_& m) {
  m.def(
      "solve_nonnegative_least_squares",
      [](const MatrixXd& A, const VectorXd& b, double ridge, double tolerance, int max_iterations) {
        math::NonnegativeLeastSquaresOptions options;
        options.ridge = ridge;
        options.tolerance = tolerance;
        options.max_iterations = max_iterations;
        return math::solve_nonnegative_least_squares(A, b, options);
      },
      "A"_a, "b"_a, nb::kw_only(), "ridge"_a = math::NonnegativeLeastSquaresOptions{}.ridge,
      "tolerance"_a = math::NonnegativeLeastSquaresOptions{}.tolerance,
      "max_iterations"_a = math::NonnegativeLeastSquaresOptions{}.max_iterations, Released(),
      R"(minimise 1/2 |A x - b|^2 + ridge/2 |x|^2  subject to  x >= 0.

>>> from prehend.math import solve_nonnegative_least_squares
>>> solve_nonnegative_least_squares([[1, 0], [0, 1]], [2, -1]).x.tolist()
[2.0, 0.0]
)");
}

}  // namespace

void bind_solvers(nb::module_& m) {
  bind_results(m);
  bind_quadratic_programs(m);
  bind_linear_programs(m);
  bind_cone_programs(m);
  bind_nonnegative_least_squares(m);
}

}  // namespace prehend::python
