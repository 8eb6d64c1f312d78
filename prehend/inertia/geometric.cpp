#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/inertia/fit_report.h>
#include <prehend/inertia/geometric.h>
#include <prehend/inertia/least_squares.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using math::Vector10d;

// Orthonormal basis of symmetric 4x4 matrices: (i, i) and, with a root of two, (i, j).
struct Entry {
  int i, j;
};
constexpr std::array<Entry, 10> kEntries{
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
const double kRootHalf = std::sqrt(0.5);

Eigen::Matrix4d symmetric_of(const Vector10d& y) {
  Eigen::Matrix4d Y;
  for (int k = 0; k < 10; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    Y(i, j) = Y(j, i) = i == j ? y[k] : kRootHalf * y[k];
  }
  return Y;
}

Vector10d coordinates_of(const Eigen::Matrix4d& Y) {
  Vector10d y;
  for (int k = 0; k < 10; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    y[k] = i == j ? Y(i, i) : 2.0 * kRootHalf * Y(i, j);
  }
  return y;
}

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

// Second derivative of -log det in the basis above, P the inverse: trace(P B_k P B_l).
Matrix10d log_det_hessian(const Eigen::Matrix4d& P) {
  Matrix10d H;
  for (int k = 0; k < 10; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    const double first = i == j ? kRootHalf : 1.0;
    for (int l = 0; l <= k; ++l) {
      const auto [p, q] = kEntries[static_cast<std::size_t>(l)];
      const double second = p == q ? kRootHalf : 1.0;
      H(k, l) = H(l, k) = first * second * (P(i, p) * P(j, q) + P(i, q) * P(j, p));
    }
  }
  return H;
}

Eigen::LLT<Eigen::Matrix4d> factor_prior(const math::SpatialInertia& prior_S) {
  const Eigen::LLT<Eigen::Matrix4d> llt(prior_S.pseudo_inertia());
  if (!prior_S.pseudo_inertia().allFinite() || llt.info() != Eigen::Success) {
    throw std::invalid_argument(
        "the prior must be a body with mass and extent in all directions; this one is " +
        math::check_consistency(prior_S).brief_report());
  }
  return llt;
}

// The problem in coordinates y of L^-1 J L^-T, J0 = L L^T, divided by gamma: |M y - z|^2 + trace Y - log det Y.
struct Whitened {
  Matrix10d to_phi;  // phi = to_phi y
  Matrix10d M;
  Vector10d z;
  double gamma{0.0};
  double rest{0.0};  // [objective] what no parameters can fit
};

Whitened whiten(const Matrix11d& R, const Eigen::Matrix4d& L, double alpha) {
  Whitened problem;
  for (int k = 0; k < 10; ++k) {
    problem.to_phi.col(k) = parameters_of(L * symmetric_of(Vector10d::Unit(k)) * L.transpose());
  }
  problem.gamma = alpha * R.topLeftCorner<10, 10>().squaredNorm();
  const double scale = 1.0 / std::sqrt(problem.gamma);
  problem.M = scale * R.topLeftCorner<10, 10>() * problem.to_phi;
  problem.z = scale * R.topRightCorner<10, 1>();
  problem.rest = R(10, 10) * R(10, 10);
  return problem;
}

struct NewtonResult {
  Vector10d y;
  Matrix10d hessian;  // of |M y - z|^2 + D, at y
  int iterations{0};
  bool converged{false};
};

// How far along D: the exact minimum on the line, by Newton in one unknown on
//   t^2 |M D|^2 + 2 t r.(M D) + t trace D - sum log(1 + t e),  e the eigenvalues of Y^-1 D.
double line_minimum(double curvature, double slope, const Eigen::Vector4d& e) {
  const double largest = e.minCoeff() < 0.0 ? -1.0 / e.minCoeff() : std::numeric_limits<double>::infinity();
  double low = 0.0, high = largest, t = std::min(1.0, 0.9 * largest);
  for (int i = 0; i < 30; ++i) {
    const Eigen::Array4d ratio = e.array() / (1.0 + t * e.array());
    const double first = 2.0 * curvature * t + slope - ratio.sum();
    const double second = 2.0 * curvature + ratio.square().sum();
    (first > 0.0 ? high : low) = t;
    const double next = t - first / second;
    const double step =
        next > low && next < high ? next : (std::isfinite(high) ? 0.5 * (low + high) : 2.0 * t);
    if (std::abs(step - t) <= 1e-3 * t) return step;  // more would be lost on the next direction
    t = step;
  }
  return t;
}

NewtonResult minimise(const Whitened& problem, const GeometricOptions& options) {
  NewtonResult result;
  const Matrix10d data_hessian = 2.0 * problem.M.transpose() * problem.M;
  const Vector10d trace_slope = coordinates_of(Eigen::Matrix4d::Identity());
  result.y = trace_slope;  // the prior
  for (result.iterations = 0; result.iterations < options.max_iterations; ++result.iterations) {
    const Eigen::Matrix4d Y = symmetric_of(result.y);
    const Eigen::LLT<Eigen::Matrix4d> llt(Y);
    const Eigen::Matrix4d C_inverse = llt.matrixL().solve(Eigen::Matrix4d::Identity());
    const Eigen::Matrix4d P = C_inverse.transpose() * C_inverse;
    const Vector10d residual = problem.M * result.y - problem.z;
    const Vector10d gradient = 2.0 * problem.M.transpose() * residual + trace_slope - coordinates_of(P);
    result.hessian = data_hessian + log_det_hessian(P);
    const Vector10d step = -result.hessian.llt().solve(gradient);
    const double decrement = -gradient.dot(step);  // twice what a full step promises
    const double log_det = -2.0 * C_inverse.diagonal().array().log().sum();
    const double objective =
        residual.squaredNorm() + problem.rest / problem.gamma + Y.trace() - log_det - 4.0;
    if (decrement <= 2.0 * options.tolerance * std::max(objective, options.tolerance)) {
      result.converged = true;
      break;
    }
    double t = 1.0;
    if (decrement > 1e-4) {
      const Eigen::Matrix4d D = symmetric_of(step);
      const Eigen::Matrix4d E = C_inverse * D * C_inverse.transpose();
      const Eigen::Vector4d e =
          Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(E, Eigen::EigenvaluesOnly).eigenvalues();
      const Vector10d along = problem.M * step;
      t = line_minimum(along.squaredNorm(), 2.0 * residual.dot(along) + D.trace(), e);
    }
    result.y += t * step;
  }
  return result;
}

Estimate refused(std::string problem) {
  Estimate estimate;
  estimate.method = Method::geo;
  estimate.problems.push_back(std::move(problem));
  return estimate;
}

Estimate solve(const NormalEquations& sums, const Matrix11d& R, const Observability& told,
               const math::SpatialInertia& prior_S, const GeometricOptions& options) {
  const Eigen::Matrix4d L = factor_prior(prior_S).matrixL();
  const Whitened problem = whiten(R, L, options.alpha);
  const NewtonResult newton = minimise(problem, options);
  Estimate estimate;
  estimate.method = Method::geo;
  estimate.status = !newton.converged    ? Status::failed
                    : told.tells("mass") ? Status::ok
                                         : Status::undetermined;
  if (!newton.converged) {
    estimate.problems.push_back("no minimum was reached in " + std::to_string(newton.iterations) +
                                " Newton steps");
  }
  estimate.iterations = newton.iterations;
  estimate.condition = told.condition;
  estimate.rank = told.rank;
  estimate.undetermined = told.undetermined;
  if (told.rank < 10) {
    std::string names;
    for (const std::string& name : told.undetermined) names += (names.empty() ? "" : ", ") + name;
    estimate.notes.push_back("the data do not tell " + names + ": those come from the prior");
  }
  const Vector10d phi = problem.to_phi * newton.y;
  report_fit(sums, phi, estimate);

  // Laplace: K = A^T W^2 A + gamma/2 D'', the prior's share counted with the weighted rows' pooled variance.
  const Matrix10d inverse = newton.hessian.llt().solve(Matrix10d::Identity());
  const Matrix10d inverse_normal =
      (2.0 / problem.gamma) * problem.to_phi * inverse * problem.to_phi.transpose();
  const RowVariances variances = row_variances(sums, phi, inverse_normal, options.weights);
  const double pooled = 0.5 * (options.weights.force * options.weights.force * variances.force +
                               options.weights.torque * options.weights.torque * variances.torque);
  const Matrix10d prior_hessian =
      0.5 * problem.gamma * (newton.hessian - 2.0 * problem.M.transpose() * problem.M);
  const Matrix10d through = (2.0 / problem.gamma) * problem.to_phi * inverse;
  estimate.covariance = wrench_noise_covariance(sums, inverse_normal, options.weights, variances) +
                        pooled * through * prior_hessian * through.transpose();
  return estimate;
}

}  // namespace

void GeometricOptions::validate() const {
  require_weights(weights, "GeometricOptions.weights");
  const auto require = [](double value, bool right, const char* field, const char* bound) {
    if (!right) {
      throw std::invalid_argument(std::string("GeometricOptions.") + field + " is " +
                                  math::number_text(value) + ", must be " + bound);
    }
  };
  require(alpha, std::isfinite(alpha) && alpha > 0.0, "alpha", "finite and positive");
  require(tolerance, tolerance > 0.0 && tolerance < 1.0, "tolerance", "between 0 and 1");
  require(rank_tolerance, rank_tolerance > 0.0 && rank_tolerance < 1.0, "rank_tolerance", "between 0 and 1");
  require(max_iterations, max_iterations > 0, "max_iterations", "at least 1");
}

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
  estimate.notes.push_back("prior: a homogeneous " +
                           std::string(shape.of_unit_mass.mass > 0.0 ? "object" : "box") + " of " +
                           math::number_text(free.phi[0], 4) + " kg");
  return estimate;
}

double geometric_objective(const NormalEquations& sums, const math::SpatialInertia& prior_S,
                           const Vector10d& phi, const GeometricOptions& options) {
  options.validate();
  const Eigen::Matrix4d L = factor_prior(prior_S).matrixL();
  const Eigen::Matrix4d half = L.triangularView<Eigen::Lower>().solve(pseudo_inertia_of(phi));
  const Eigen::Matrix4d Y = L.triangularView<Eigen::Lower>().solve(half.transpose());
  const Eigen::LLT<Eigen::Matrix4d> llt(Y);
  if (llt.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  const double log_det = 2.0 * llt.matrixLLT().diagonal().array().log().sum();
  const Matrix11d R = sums.factor(options.weights);
  Eigen::Matrix<double, 11, 1> v;
  v << phi, -1.0;
  const double gamma = options.alpha * R.topLeftCorner<10, 10>().squaredNorm();
  return (R.triangularView<Eigen::Upper>() * v).squaredNorm() + gamma * (Y.trace() - log_det - 4.0);
}

}  // namespace prehend::inertia
