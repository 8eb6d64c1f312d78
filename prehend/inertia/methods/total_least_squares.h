// Total least squares for the ten inertial parameters (`rtls`; Kubus, Kroeger, Wahl 2008): accelerations have
// errors too.
//
// Generalised total least squares (Van Huffel and Vandewalle 1989) on running sums. With noise of known
// proportions in a, w, al, f and tau, the rows [A b] have in the mean the Gram matrix G0 + C, where G0 is
// noise-free and C that of the noise, summed sample by sample. The parameters are the vector v = [phi; -1]
// with the smallest v^T G v / v^T C v: consistent as the recording grows, unlike least squares. Rows are
// first divided by the expected noise of force and torque. Exact entries (zeros of A, signals without noise)
// have no share in C. When only the wrench has errors, this is weighted least squares.
//
// Constant memory: R and C (11 x 11). No constraint: a physically impossible result is reported as such.
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
