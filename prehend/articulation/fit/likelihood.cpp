#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/articulation/fit/likelihood.h>
#include <prehend/articulation/fit/state_spread.h>
#include <prehend/math/angles.h>

namespace prehend::articulation {
namespace {

// n/2 log(1/(1 - phi^2)): gain of an autoregressive model over an independent one, by residuals e of expected squared norm
// n in all.
double autoregressive_gain(std::span<const FrameTerms> terms, const std::vector<int>& used, int first) {
  double squared = 0, lagged = 0;
  for (std::size_t k = 0; k < used.size(); ++k) {
    const Eigen::Vector3d e = terms[used[k]].residual.segment<3>(first);
    squared += e.squaredNorm();
    if (k > 0) lagged += e.dot(terms[used[k - 1]].residual.segment<3>(first));
  }
  if (!(squared > 1e-6)) return 0.0;
  const double phi = std::clamp(lagged / squared, 0.0, 0.999);
  return -0.5 * squared * std::log(1 - phi * phi);
}

// The same of one freedom, which most joints have: numbers instead of matrices.
LogLikelihood scalar_information(std::span<const FrameTerms> terms, std::span<const State> states,
                                 const std::vector<int>& used) {
  const double n = static_cast<double>(used.size());
  double mean = 0, C = 0, product = 1, log_C = 0;
  for (const int i : used) {
    mean += states[i][0];
    const double c = terms[i].state_covariance(0, 0);
    C += c;
    product *= c;  // one logarithm for many factors
    if (!(product > 1e-200 && product < 1e200)) {
      log_C += std::log(product);
      product = 1;
    }
  }
  log_C = (log_C + std::log(product)) / n;
  mean /= n;
  C /= n;
  if (!(C > 0)) return {};
  double squared = 0, lagged = 0, last = 0;
  for (const int i : used) {
    const double z = states[i][0] - mean;
    squared += z * z;
    lagged += z * last;
    last = z;
  }
  const double first = states[used.front()][0] - mean;
  const double phi = squared > 0 ? std::clamp(lagged / squared, 0.0, 0.9999) : 0.0;
  // Sum of (z_k - phi z_k-1)^2, and (1 - phi^2) z_0^2 for the first.
  const double innovations =
      squared * (1 + phi * phi) - 2 * phi * lagged - phi * phi * (last * last + first * first);
  const auto log_ratio = [&](double sum) { return std::log(std::max(sum / n, C)) - log_C; };
  return {log_ratio(std::max(innovations, 0.0)), log_ratio(squared)};
}

// Mean over frames of log |T| - log |C|.
LogLikelihood state_information(std::span<const FrameTerms> terms, std::span<const State> states,
                                const std::vector<int>& used) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  const Eigen::Index d = states[used.front()].size();
  if (d == 1) return scalar_information(terms, states, used);
  const double n = static_cast<double>(used.size());
  State mean = State::Zero(d);
  Matrix C = Matrix::Zero(d, d);
  for (const int i : used) {
    mean += states[i] / n;
    C += terms[i].state_covariance / n;
  }
  const Eigen::LLT<Matrix> llt(C);
  if (llt.info() != Eigen::Success) return {};
  // Whitened by the mean measurement covariance.
  std::vector<State> z;
  z.reserve(used.size());
  double squared = 0, lagged = 0, log_C = 0;
  for (const int i : used) {
    z.push_back(llt.matrixL().solve(State(states[i] - mean)));
    squared += z.back().squaredNorm();
    if (z.size() > 1) lagged += z.back().dot(z[z.size() - 2]);
    log_C += std::log(terms[i].state_covariance.determinant()) / n;
  }
  const double phi = squared > 0 ? std::clamp(lagged / squared, 0.0, 0.9999) : 0.0;
  const auto log_ratio = [&](double coefficient) {
    Matrix T = z.front() * z.front().transpose() * (1 - coefficient * coefficient);
    for (std::size_t k = 1; k < z.size(); ++k) {
      const State e = z[k] - coefficient * z[k - 1];
      T += e * e.transpose();
    }
    T /= n;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(T, Eigen::EigenvaluesOnly);
    double log_T = 2 * Matrix(llt.matrixL()).diagonal().array().log().sum();
    for (Eigen::Index k = 0; k < d; ++k) log_T += std::log(std::max(eigen.eigenvalues()[k], 1.0));
    return log_T - log_C;
  };
  return {log_ratio(phi), log_ratio(0.0)};
}

// Whether states are known so differently from frame to frame that one covariance cannot stand for all: mean variances well above the
// geometric mean.
bool varies(std::span<const FrameTerms> terms, const std::vector<int>& used) {
  constexpr double kAlike = 0.2;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const int i : used) {
    const double c = terms[i].state_covariance(0, 0);
    least = std::min(least, c);
    most = std::max(most, c);
  }
  if (!(least > 0) || most < 2 * least) return false;
  const double n = static_cast<double>(used.size());
  double mean = 0, log_mean = 0;
  for (const int i : used) {
    const double c = terms[i].state_covariance(0, 0);
    mean += c / n;
    log_mean += std::log(c) / n;
  }
  return std::log(mean) - log_mean > kAlike;
}

}  // namespace

int nuisance_parameters(int freedoms, int dimension) {
  return freedoms * (freedoms + 1) / 2 + (dimension == 6 ? 2 : 1);
}

LogLikelihood log_likelihood(std::span<const FrameTerms> terms, std::span<const State> states,
                             std::span<const double> weights, double length, int dimension) {
  std::vector<int> used;
  used.reserve(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (weights[i] >= 0.5) used.push_back(static_cast<int>(i));
  const double ball = std::log(4.0 / 3.0 * math::kPi) + 3 * std::log(length);
  const double anywhere = -ball - (dimension == 6 ? std::log(8 * math::kPi * math::kPi) : 0.0);
  double result = static_cast<double>(terms.size() - used.size()) * (std::log(kOutlierShare) + anywhere);
  if (used.empty()) return {result, result};
  const double n = static_cast<double>(used.size());
  result += n * std::log(1 - kOutlierShare);
  for (const int i : used)
    result -= 0.5 * (dimension * std::log(2 * math::kPi) + terms[i].log_determinant + terms[i].squared);
  LogLikelihood total{result + autoregressive_gain(terms, used, 3), result};
  if (dimension == 6) total.smooth += autoregressive_gain(terms, used, 0);
  const Eigen::Index d = states[used.front()].size();
  if (d > 0) {
    LogLikelihood information = state_information(terms, states, used);
    if (varies(terms, used)) {
      const double independent = varied_state_information(terms, states, used) - static_cast<double>(d);
      information = {information.smooth + independent - information.independent, independent};
    }
    total.smooth -= 0.5 * n * (information.smooth + static_cast<double>(d));
    total.independent -= 0.5 * n * (information.independent + static_cast<double>(d));
  }
  return total;
}

}  // namespace prehend::articulation
