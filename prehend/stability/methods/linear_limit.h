// The largest multiple of a load that polyhedral friction can balance: source N, (4.44)-(4.48).
//
//   maximise s   subject to   S'f + g + s w = 0,   f_k in a pyramid of N sides inside each friction cone,
//
// f the contact forces, g the weights, w the load. The pyramid of (4.10) has its corners on the cone, at the angles
// (2k + 1) pi / N from the first tangent, so an answer is a proven lower bound of the true one, and 1 - cos(pi / N) too
// small at most where sliding alone decides (29 % with 4 sides, 8 % with 8).
//
// Three ways to the same number, so that their times can be compared: as printed, cold and warm (see the class).
//
// Cost: cold, some 3 pivots per equation; warm, as many as the new load changes. Not for use by two threads at a time.
#pragma once

#include <string>

#include <prehend/math/linear_program.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct LinearLimitOptions {
  int sides{8};  // of the pyramids; at least 3
  // A limit above this many times the weight of all movable bodies counts as unbounded; see LimitOptions.
  double unbounded_above{1e5};

  void validate() const;
};

struct LinearAnswer {
  AnswerStatus status{AnswerStatus::not_computed};
  double limit{
      PushAnswer::kUnknown};  // in the unit of the load; infinite when unbounded, 0 when nothing can be added
  bool unbounded{false};
  int pivots{0};
  std::string note;  // why there is no answer
};

class LinearLimit {
 public:
  // `system` must outlive this object.
  explicit LinearLimit(const ContactSystem& system, const LinearLimitOptions& options = {});

  // Whether the weights alone can be balanced (within the pyramids). Solved once, at construction.
  AnswerStatus at_rest() const { return at_rest_; }

  // The reciprocal,  minimise y >= 0 subject to  S'f + y g = -w  (s = 1 / y; y = 0: no multiple is too large), where the
  // load stands on the right-hand side: the dual simplex goes on from the last basis.
  LinearAnswer ask_warm(const Load& load);
  // The cone by its N edges: unknowns >= 0, six equations per body and nothing else; solved from scratch.
  LinearAnswer ask_cold(const Load& load) const;
  // The program as the source writes it: three unknowns a contact, N inequalities each.
  LinearAnswer ask_printed(const Load& load) const;

 private:
  // The load in the units of the programs (forces by weight, moments by weight times length), and its size there.
  Eigen::VectorXd scaled(const Load& load, double& size) const;
  LinearAnswer answer(const math::LinearProgramResult& result, double reciprocal, double size) const;
  LinearAnswer maximum(const math::LinearProgram& program, double size) const;

  const ContactSystem& system_;
  LinearLimitOptions options_;
  Eigen::SparseMatrix<double> edges_;  // wrenches of the pyramids' edges, one column each
  Eigen::VectorXd weights_;
  math::LinearProgramSolver solver_;  // warm
  AnswerStatus at_rest_{AnswerStatus::not_computed};
};

}  // namespace prehend::stability
