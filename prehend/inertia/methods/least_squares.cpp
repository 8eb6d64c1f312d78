#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/SVD>

#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {
namespace {

constexpr std::array<const char*, 10> kNames{"mass", "com_x", "com_y", "com_z", "I_xx",
                                             "I_xy", "I_xz",  "I_yy",  "I_yz",  "I_zz"};
// Share of a unit vector of the null space that makes a parameter undetermined; below, it is the rounding of a log.
constexpr double kNullShare = 1e-3;

// Lengths of the columns. A column shorter than the tolerance times the longest carries rounding, not motion (an
// angular acceleration of 1e-16 in a still log): its length is taken as zero, the column as empty.
struct Columns {
  math::Vector10d inverse_length{math::Vector10d::Ones()};
  std::array<bool, 10> empty{};
  int filled{0};
};

Columns measure_columns(const math::Matrix10d& R, double tolerance) {
  Columns columns;
  const math::Vector10d length = R.colwise().norm();
  const double longest = length.maxCoeff();
  for (int k = 0; k < 10; ++k) {
    columns.empty[static_cast<std::size_t>(k)] = !(length[k] > tolerance * longest);
    if (columns.empty[static_cast<std::size_t>(k)]) continue;
    columns.inverse_length[k] = 1.0 / length[k];
    ++columns.filled;
  }
  return columns;
}

// Full rank beyond doubt, by the eigenvalues of the scaled Gram matrix: ten times quicker than singular values, and
// good to seven digits while the condition number is below 1e4.
bool solve_well_conditioned(const Matrix11d& R, const Columns& columns, ScaledSolution& solution) {
  const math::Matrix10d scaled = R.topLeftCorner<10, 10>() * columns.inverse_length.asDiagonal();
  const math::Matrix10d gram = scaled.transpose() * scaled;
  const math::Vector10d squares = eigenvalues_of<10>(gram);
  if (!(squares[0] > 1e-8 * squares[9])) return false;
  solution.observability.condition = std::sqrt(squares[9] / squares[0]);
  solution.observability.rank = 10;
  const auto triangle = R.topLeftCorner<10, 10>().triangularView<Eigen::Upper>();
  solution.phi = triangle.solve(R.topRightCorner<10, 1>());
  const math::Matrix10d inverse = triangle.solve(math::Matrix10d::Identity());
  solution.inverse_normal = inverse * inverse.transpose();
  return true;
}

void solve_by_singular_values(const Matrix11d& R, const Columns& columns, double tolerance,
                              ScaledSolution& solution) {
  math::Matrix10d scaled = R.topLeftCorner<10, 10>() * columns.inverse_length.asDiagonal();
  for (int k = 0; k < 10; ++k) {
    if (columns.empty[static_cast<std::size_t>(k)]) scaled.col(k).setZero();
  }
  const Eigen::JacobiSVD<math::Matrix10d> svd(scaled, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const math::Vector10d sigma = svd.singularValues();
  int rank = 0;
  while (rank < 10 && sigma[rank] > tolerance * sigma[0]) ++rank;
  Observability& seen = solution.observability;
  seen.rank = rank;
  seen.condition = rank == 10 ? sigma[0] / sigma[9] : std::numeric_limits<double>::infinity();
  math::Vector10d inverse = math::Vector10d::Zero();
  for (int k = 0; k < rank; ++k) inverse[k] = 1.0 / sigma[k];
  const math::Matrix10d V = columns.inverse_length.asDiagonal() * svd.matrixV();
  solution.phi = V * inverse.asDiagonal() * (svd.matrixU().transpose() * R.topRightCorner<10, 1>());
  solution.inverse_normal = V * inverse.cwiseAbs2().asDiagonal() * V.transpose();
  for (int k = 0; k < 10; ++k) {
    if (rank < 10 && svd.matrixV().row(k).tail(10 - rank).norm() > kNullShare) {
      seen.undetermined.emplace_back(kNames[static_cast<std::size_t>(k)]);
    }
  }
}

}  // namespace

const char* parameter_name(int index) {
  if (index < 0 || index > 9)
    throw std::invalid_argument("there are ten parameters, not " + std::to_string(index));
  return kNames[static_cast<std::size_t>(index)];
}

bool Observability::determines(const char* name) const {
  return std::find(undetermined.begin(), undetermined.end(), name) == undetermined.end();
}

ScaledSolution solve_scaled(const Matrix11d& R, double rank_tolerance) {
  ScaledSolution solution;
  const Columns columns = measure_columns(R.topLeftCorner<10, 10>(), rank_tolerance);
  if (columns.filled < 10 || !solve_well_conditioned(R, columns, solution)) {
    solve_by_singular_values(R, columns, rank_tolerance, solution);
  }
  return solution;
}

Estimate least_squares(const NormalEquations& sums, const LeastSquaresOptions& options) {
  options.validate();
  Estimate estimate;
  estimate.method = Method::ols;
  if (sums.samples() == 0) {
    estimate.problems.emplace_back("there are no samples");
    return estimate;
  }
  const ScaledSolution solution = solve_scaled(sums.factor(options.weights), options.rank_tolerance);
  estimate.status = solution.observability.rank == 10 ? Status::ok : Status::undetermined;
  estimate.condition = solution.observability.condition;
  estimate.rank = solution.observability.rank;
  estimate.undetermined = solution.observability.undetermined;
  report_fit(sums, solution.phi, estimate);
  estimate.covariance = wrench_noise_covariance(sums, solution.inverse_normal, options.weights,
                                                row_variances(sums, solution.phi));
  return estimate;
}

Estimate least_squares(std::span<const Sample> samples, const LeastSquaresOptions& options) {
  NormalEquations sums;
  sums.add(samples);
  return least_squares(sums, options);
}

}  // namespace prehend::inertia
