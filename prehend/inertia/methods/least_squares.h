// Ordinary least squares for the ten inertial parameters (`ols`; Atkeson, An, Hollerbach 1986).
//
// Minimises the sum of squared residuals of all rows [tau; f] = A phi, every row counting the same in SI
// units unless weights say otherwise. Unbiased for noise in the wrench; noise in the accelerations (in A)
// pulls the parameters of weakly excited columns towards zero. There is no constraint: a physically
// impossible result is reported as such.
//
// Columns are scaled to unit length first (Gautier and Khalil 1992), so that rank and condition number do not
// depend on units. Where rank is lost the smallest solution in scaled columns is returned, status
// `undetermined`, with the names of the parameters that have a share in the null space; the covariance then
// covers the rest only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/methods/normal_equations.h>

namespace prehend::inertia {

Estimate least_squares(const NormalEquations& sums, const LeastSquaresOptions& options = {});
Estimate least_squares(std::span<const Sample> samples, const LeastSquaresOptions& options = {});

// Which parameters do these rows determine? Any estimator that has gathered NormalEquations can ask.
struct Observability {
  double condition{0.0};                    // of the column-scaled regressor; infinite: rank lost
  int rank{0};                              // of 10
  std::vector<std::string> undetermined;    // names, in the order of phi
  bool determines(const char* name) const;  // not among the undetermined
};

// Solution of the rows whose triangle is R, with what it rests on; the kernel of `ols`, for estimators that start there.
struct ScaledSolution {
  Observability observability;
  math::Vector10d phi{math::Vector10d::Zero()};
  math::Matrix10d inverse_normal{
      math::Matrix10d::Zero()};  // (R^T R)^-1 of the first ten columns, pseudo where rank is lost
};
ScaledSolution solve_scaled(const Matrix11d& R, double rank_tolerance);

// "mass", "com_x", ..., "I_xx", ...: names of phi's entries.
const char* parameter_name(int index);

}  // namespace prehend::inertia
