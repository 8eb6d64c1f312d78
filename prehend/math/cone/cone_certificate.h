// Checks an answer of the cone solver from the program's own numbers, sharing no code with the solver:
// multiplications by A and G, norms, and eigenvalues of the PSD blocks.
#pragma once

#include <string>

#include <prehend/math/cone_program.h>

namespace prehend::math {

// All residuals are relative: to the data and to the terms of the equation (optimal), or to the gap that the
// proof claims (infeasible, unbounded).
struct ConeCertificate {
  bool valid{false};
  double primal_residual{0.0};  // A x = b (or 0) and G x + s = h (or 0)
  double dual_residual{0.0};    // A'y + G'z + c = 0 (or without c)
  double cone_violation{0.0};   // how far s or z lie outside K, relative to their size
  double gap{0.0};              // optimal: |c'x + b'y + h'z|, relative
  std::string problem;          // one sentence; empty when valid

  std::string brief_report() const;
};

// `tolerance` bounds every entry. A status that claims nothing (iteration limit, numerical error) is never
// valid.
ConeCertificate check_certificate(const ConeProgram& program, const ConeResult& result,
                                  double tolerance = 1e-6);

}  // namespace prehend::math
