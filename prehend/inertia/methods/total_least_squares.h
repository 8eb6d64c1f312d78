// Total least squares for the ten inertial parameters (`rtls`; Kubus, Kroeger, Wahl 2008): accelerations err as well.
//
// Formulation: generalised total least squares (Van Huffel and Vandewalle 1989) on running sums. With noise of known
// proportions in a, w, al, f and tau, the rows [A b] hold G0 + C in the mean, where G0 is the noise-free Gram matrix and
// C that of the noise, summed sample by sample. The parameters are the vector [phi; -1] with the smallest ratio
// v^T G v / v^T C v: consistent as the recording grows, where least squares is not. Rows are divided by the expected noise
// of force and torque before. Only proportions of the noise matter. With C = identity on columns scaled by hand this is
// plain total least squares; entries that are exact (zeros of A, signals with noise 0) have no share in C and are
// treated as exact (mixed LS-TLS). When only the wrench errs, it is weighted least squares.
// Constant memory: R and C (11 x 11). No constraint: the result may be no body at all, and then says so.
#pragma once

#include <span>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {

// The streaming form; a batch is all samples fed in turn.
class TotalLeastSquares {
 public:
  explicit TotalLeastSquares(const TotalLeastSquaresOptions& options = {});
  void add(const Sample& sample);
  Estimate estimate() const;

 private:
  TotalLeastSquaresOptions options_;
  NormalEquations sums_;
  math::Matrix10d force_noise_{math::Matrix10d::Zero()};   // expected dA^T dA of force rows, of unit weight
  math::Matrix10d torque_noise_{math::Matrix10d::Zero()};  // of torque rows
};

Estimate total_least_squares(std::span<const Sample> samples, const TotalLeastSquaresOptions& options = {});

}  // namespace prehend::inertia
