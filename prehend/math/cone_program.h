// Linear programs over cones, with proofs:
//
//   minimise c'x   subject to   A x = b,   G x + s = h,   s in K,
//
// K = nonnegative orthant x second-order cones {s0 >= |s1..|} x positive semidefinite 4x4 blocks. The dual is
//   maximise -b'y - h'z   subject to   A'y + G'z + c = 0,   z in K.
// Friction (|f_t| <= mu f_n) and the pseudo inertia of a body are such cones; equilibrium of a pile under a
// push is one such program.
//
// Method: primal-dual interior point on the homogeneous self-dual embedding, Nesterov-Todd scaling,
// Mehrotra's predictor and corrector (Vandenberghe, "The CVXOPT linear and quadratic cone program solvers",
// 2010; Domahidi, Chu, Boyd, "ECOS", 2013). It ends in a pair of solutions, a proof that no x exists, or a
// proof that the objective has no bound. Cost: 8 to 20 iterations, each with one sparse factorisation
// (cone_kkt.h).
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <prehend/math/solver_status.h>

namespace prehend::math {

// The rows of G and h, from the top: `nonnegative` rows, then each second-order cone, then each PSD block.
struct ConeDimensions {
  int nonnegative{0};
  std::vector<int>
      second_order;  // rows of each cone, at least 1; the first row is the bound on the norm of the rest
  // Each block is 10 rows: the upper triangle by columns, (0,0) (0,1) (1,1) (0,2) .. (3,3), off-diagonals
  // times sqrt 2, so that the inner product of two such vectors is that of the matrices.
  int psd4{0};

  int rows() const;
};

inline constexpr int kPsd4Rows = 10;
Eigen::Matrix<double, kPsd4Rows, 1> psd4_vector(const Eigen::Matrix4d& symmetric);
Eigen::Matrix4d psd4_matrix(const Eigen::Matrix<double, kPsd4Rows, 1>& vector);

struct ConeProgram {
  Eigen::VectorXd c;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd b;
  Eigen::SparseMatrix<double> G;
  Eigen::VectorXd h;
  ConeDimensions cones;
};

struct ConeOptions {
  // Relative size of equation residuals and duality gap at which a solution is accepted. References are the
  // data (|b|, |h|, |c|) and the terms of the equations themselves, so units do not matter. The last
  // step of the method gains two or three digits, so 1e-9 costs at most one step more than the customary
  // 1e-8.
  double tolerance{1e-9};
  // A proof of infeasibility or unboundedness is accepted when its equations hold to this, relative to its
  // gap: then no solution smaller than 1e8 (in equilibrated units) exists.
  double certificate_tolerance{1e-8};
  // When rounding stops all progress, what may still be called an answer. Programs without interior (Slater's
  // condition fails) often end between 1e-8 and 1e-6. Residuals in the result always tell; set it to
  // `tolerance` to forbid it.
  double stalled_tolerance{1e-6};
  // Most programs take 5 to 20, hard ones 40; a hundred means something is wrong. When rounding ends the path
  // early, it is followed anew with more regularisation, within this limit in all.
  int max_iterations{100};
  // Fraction of the way to the boundary of the cones that a step may go.
  double step_fraction{0.99};
  // Passes of Ruiz equilibration over rows and columns; each halves the exponent range. 0 turns it off.
  int equilibration_passes{8};
  // Corrections of one linear solve, at most; most solves need none or one.
  int max_refinements{6};
};

struct ConeResult {
  SolverStatus status{SolverStatus::numerical_error};
  // optimal: the solutions. primal_infeasible: y, z with A'y + G'z = 0, z in K, b'y + h'z = -1 (x, s are
  // zero). dual_infeasible: x, s with A x = 0, G x + s = 0, s in K, c'x = -1 (y, z are zero). Otherwise the
  // last iterate.
  Eigen::VectorXd x, s, y, z;
  double primal_objective{0.0};  // c'x
  double dual_objective{0.0};    // -b'y - h'z
  // Relative, as compared with the options' tolerances. For a proof, the residual of its equations stands in
  // dual_residual (primal_infeasible) or primal_residual (dual_infeasible).
  double gap{std::numeric_limits<double>::infinity()};
  double primal_residual{std::numeric_limits<double>::infinity()};
  double dual_residual{std::numeric_limits<double>::infinity()};
  int iterations{0};

  std::string brief_report() const;
};

// For many programs of one sparsity pattern. All memory is taken at construction; replacing numbers and
// solving again takes none. Two exceptions: a matrix G whose numbers make a block singular that was regular
// before, for instance a friction coefficient that becomes zero, is analysed anew; and a program of few
// bodies in contact, for which there is a quick route (contact_cone_engine.h), sets up the general one when
// the quick one first fails to answer to the tolerances.
class ConeSolver {
 public:
  // Throws std::invalid_argument, with a sentence, for mismatched dimensions, NaN or infinite numbers, bad
  // options.
  explicit ConeSolver(const ConeProgram& program, const ConeOptions& options = {});
  ~ConeSolver();
  ConeSolver(ConeSolver&&) noexcept;
  ConeSolver& operator=(ConeSolver&&) noexcept;

  void set_objective(const Eigen::Ref<const Eigen::VectorXd>& c);
  void set_equality_bounds(const Eigen::Ref<const Eigen::VectorXd>& b);
  void set_cone_bounds(const Eigen::Ref<const Eigen::VectorXd>& h);
  // Nonzeros in the order of the compressed matrices given at construction (Eigen's column-major valuePtr()).
  void set_matrix_values(const Eigen::Ref<const Eigen::VectorXd>& A_values,
                         const Eigen::Ref<const Eigen::VectorXd>& G_values);

  // The reference stays valid, and its content unchanged, until the next solve.
  const ConeResult& solve();

 private:
  class Engine;
  struct Routes;
  std::unique_ptr<Routes> routes_;
};

ConeResult solve_cone_program(const ConeProgram& program, const ConeOptions& options = {});

}  // namespace prehend::math
