// A second opinion on limits: the direct program with true friction cones, by the general cone solver.
//
//   maximise s   subject to   S'f + g + s w = 0,   |f_t| <= mu f_n  at every contact,
//
// one program per load, nothing shared between loads, no use of mechanisms: slow and plain, so that it can judge the
// faster methods. The tests hold it against Clarabel. Cost: 10 to 20 sparse factorisations.
#pragma once

#include <prehend/math/cone_program.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct ConeLimitAnswer {
  AnswerStatus status{AnswerStatus::not_computed};
  double limit{PushAnswer::kUnknown};  // in the unit of the load; infinite when unbounded
  bool unbounded{false};
  double residual{PushAnswer::kUnknown};  // the largest of the solver's relative residuals and gap
  int iterations{0};
};

// The program itself: unknowns f_n and f_t / mu of every contact (in units of the system's weight), s last.
math::ConeProgram cone_limit_program(const ContactSystem& system, const Load& load);

// `unbounded_above`: in weights of all movable bodies, as in LimitOptions.
ConeLimitAnswer cone_limit(const ContactSystem& system, const Load& load, double unbounded_above = 1e5);

}  // namespace prehend::stability
