#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <prehend/inertia/methods/divergence_newton.h>
#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/methods/geometric.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using math::Vector10d;

// Linear in J: unlike SpatialInertia it never divides by the mass.
Vector10d parameters_of(const Eigen::Matrix4d& J) {
  Vector10d phi;
  phi << J(3, 3), J(0, 3), J(1, 3), J(2, 3), J(1, 1) + J(2, 2), -J(0, 1), -J(0, 2), J(0, 0) + J(2, 2),
      -J(1, 2), J(0, 0) + J(1, 1);
  return phi;
}

Eigen::Matrix4d pseudo_inertia_of(const Vector10d& phi) {
  const double half_trace = 0.5 * (phi[4] + phi[7] + phi[9]);
  Eigen::Matrix4d J;
  J << half_trace - phi[4], -phi[5], -phi[6], phi[1], -phi[5], half_trace - phi[7], -phi[8], phi[2], -phi[6],
      -phi[8], half_trace - phi[9], phi[3], phi[1], phi[2], phi[3], phi[0];
  return J;
}

Cholesky<4> factor_prior(const math::SpatialInertia& prior_S) {
  const Cholesky<4> factor(prior_S.pseudo_inertia());
  if (!prior_S.pseudo_inertia().allFinite() || !factor.is_positive()) {
    throw std::invalid_argument(
        "the prior must be a body with mass and extent in all directions; this one is " +
        math::check_consistency(prior_S).brief_report());
  }
  return factor;
}

// The problem in coordinates y of L^-1 J L^-T, J0 = L L^T, divided by gamma.
struct Whitened {
  DivergenceProblem problem;
  math::Matrix10d to_phi;  // phi = to_phi y
  double gamma{0.0};
};

Whitened whiten(const Matrix11d& R, const Eigen::Matrix4d& L, double alpha) {
  Whitened whitened;
  for (int k = 0; k < 10; ++k) {
    whitened.to_phi.col(k) = parameters_of(L * symmetric_of(Vector10d::Unit(k)) * L.transpose());
  }
  whitened.gamma = alpha * R.topLeftCorner<10, 10>().squaredNorm();
  const double scale = 1.0 / std::sqrt(whitened.gamma);
  whitened.problem.M = scale * R.topLeftCorner<10, 10>() * whitened.to_phi;
  whitened.problem.z = scale * R.topRightCorner<10, 1>();
  whitened.problem.rest = scale * scale * R(10, 10) * R(10, 10);
  return whitened;
}

Estimate refused(std::string problem) {
  Estimate estimate;
  estimate.method = Method::geo;
  estimate.problems.push_back(std::move(problem));
  return estimate;
}

Estimate solve(const NormalEquations& sums, const Matrix11d& R, const Observability& seen,
               const math::SpatialInertia& prior_S, const GeometricOptions& options) {
  const Eigen::Matrix4d L = factor_prior(prior_S).L();
  const Whitened whitened = whiten(R, L, options.alpha);
  const DivergenceMinimum newton =
      minimise_divergence(whitened.problem, options.tolerance, options.max_iterations);
  Estimate estimate;
  estimate.method = Method::geo;
  estimate.status = !newton.converged         ? Status::failed
                    : seen.determines("mass") ? Status::ok
                                              : Status::undetermined;
  if (!newton.converged) {
    estimate.problems.push_back("no minimum was reached in " + std::to_string(newton.iterations) +
                                " Newton steps");
  }
  estimate.iterations = newton.iterations;
  estimate.condition = seen.condition;
  estimate.rank = seen.rank;
  estimate.undetermined = seen.undetermined;
  if (seen.rank < 10) {
    std::string names;
    for (const std::string& name : seen.undetermined) names += (names.empty() ? "" : ", ") + name;
    estimate.notes.push_back("the data do not determine " + names + ": those come from the prior");
  }
  const Vector10d phi = whitened.to_phi * newton.y;
  report_fit(sums, phi, estimate);

  // Laplace: K = A^T W^2 A + gamma/2 D'', the prior's share counted with the weighted rows' pooled variance.
  const math::Matrix10d inverse = Cholesky<10>(newton.hessian).inverse();
  const math::Matrix10d inverse_normal =
      (2.0 / whitened.gamma) * whitened.to_phi * inverse * whitened.to_phi.transpose();
  const RowVariances variances = row_variances(sums, phi);
  const double pooled = 0.5 * (options.weights.force * options.weights.force * variances.force +
                               options.weights.torque * options.weights.torque * variances.torque);
  const math::Matrix10d prior_hessian =
      0.5 * whitened.gamma * (newton.hessian - 2.0 * whitened.problem.M.transpose() * whitened.problem.M);
  const math::Matrix10d through = (2.0 / whitened.gamma) * whitened.to_phi * inverse;
  estimate.covariance = wrench_noise_covariance(sums, inverse_normal, options.weights, variances) +
                        pooled * through * prior_hessian * through.transpose();
  return estimate;
}

}  // namespace

math::SpatialInertia homogeneous_prior(const Shape& shape, const math::Pose& X_SO, double mass) {
  if (!(mass > 0.0))
    throw std::invalid_argument("the prior's mass is " + math::number_text(mass) + " kg, must be positive");
  math::SpatialInertia unit_O = shape.of_unit_mass;
  if (!(unit_O.mass > 0.0)) {
    if (shape.box.isEmpty())
      throw std::invalid_argument("the shape is empty: it has neither points nor a box");
    unit_O = math::SpatialInertia::solid_box(1.0, shape.box.sizes());
    unit_O.com = shape.box.center();
  }
  math::SpatialInertia prior = unit_O.expressed_in(X_SO);
  prior.I_com *= mass / prior.mass;
  prior.mass = mass;
  return prior;
}

Estimate geometric(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                   const GeometricOptions& options) {
  options.validate();
  if (sums.samples() == 0) return refused("there are no samples");
  const Matrix11d R = sums.factor(options.weights);
  if (R.leftCols<10>().isZero(0.0)) return refused("the samples show neither motion nor weight");
  return solve(sums, R, solve_scaled(R, options.rank_tolerance).observability, prior_S, options);
}

Estimate geometric(const NormalEquations& sums, const Shape& shape, const math::Pose& X_SO,
                   const GeometricOptions& options) {
  options.validate();
  if (sums.samples() == 0) return refused("there are no samples");
  const Matrix11d R = sums.factor(options.weights);
  const ScaledSolution free = solve_scaled(R, options.rank_tolerance);
  if (!(free.phi[0] > 0.0)) {
    return refused("least squares finds a mass of " + math::number_text(free.phi[0]) +
                   " kg, which no prior body can have");
  }
  Estimate estimate =
      solve(sums, R, free.observability, homogeneous_prior(shape, X_SO, free.phi[0]), options);
  estimate.notes.push_back(
      "prior: a homogeneous " + std::string(shape.of_unit_mass.mass > 0.0 ? "object" : "box") + " of " +
      math::number_text(free.phi[0], 4) +
      " kg, weighted by alpha, which is no likelihood: deviations leave out how far the "
      "object is from homogeneous, and hold the truth in half of the cases at low noise");
  return estimate;
}

double geometric_objective(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                           const Vector10d& phi, const GeometricOptions& options) {
  options.validate();
  const Cholesky<4> prior = factor_prior(prior_S);
  const Eigen::Matrix4d half = prior.half_solve(pseudo_inertia_of(phi));
  const Eigen::Matrix4d Y = prior.half_solve(Eigen::Matrix4d(half.transpose()));
  const Cholesky<4> factor(Y);
  if (!factor.is_positive()) return std::numeric_limits<double>::infinity();
  const double log_det = factor.log_determinant();
  const Matrix11d R = sums.factor(options.weights);
  Eigen::Matrix<double, 11, 1> v;
  v << phi, -1.0;
  const double gamma = options.alpha * R.topLeftCorner<10, 10>().squaredNorm();
  return (R.triangularView<Eigen::Upper>() * v).squaredNorm() + gamma * (Y.trace() - log_det - 4.0);
}

}  // namespace prehend::inertia
