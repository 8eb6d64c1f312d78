#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include <prehend/articulation/fit/state_spread.h>

namespace prehend::articulation {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

// The mean that goes with a spread, and what both are worth.
double information(std::span<const FrameTerms> terms, std::span<const State> states,
                   const std::vector<int>& used, const Matrix& A, State& mean) {
  const Eigen::Index d = A.rows();
  Matrix precision = Matrix::Zero(d, d);
  State sum = State::Zero(d);
  for (const int i : used) {
    const Matrix T = (A + terms[i].state_covariance).inverse();
    precision += T;
    sum += T * states[i];
  }
  mean = precision.ldlt().solve(sum);
  double total = 0;
  for (const int i : used) {
    const Eigen::LLT<Matrix> T(Matrix(A + terms[i].state_covariance)), C(Matrix(terms[i].state_covariance));
    total += T.matrixL().solve(State(states[i] - mean)).squaredNorm();
    for (Eigen::Index k = 0; k < d; ++k)
      total += 2 * (std::log(T.matrixLLT()(k, k)) - std::log(C.matrixLLT()(k, k)));
  }
  return total / static_cast<double>(used.size());
}

}  // namespace

double varied_state_information(std::span<const FrameTerms> terms, std::span<const State> states,
                                const std::vector<int>& used) {
  const Eigen::Index d = states[used.front()].size();
  const double n = static_cast<double>(used.size());
  State mean = State::Zero(d);
  const double at_rest = information(terms, states, used, Matrix::Zero(d, d), mean);
  for (const int i : used) mean += states[i] / n;
  Matrix A = Matrix::Zero(d, d);
  for (const int i : used) A += (states[i] - mean) * (states[i] - mean).transpose() / n;
  constexpr int kRounds = 12;  // further ones change less than a hundredth of a nat per frame
  for (int round = 0; round < kRounds; ++round) {
    Matrix next = Matrix::Zero(d, d);
    State sum = State::Zero(d);
    for (const int i : used) {
      const Matrix K = A * Matrix(A + terms[i].state_covariance).inverse();
      const State z = K * (states[i] - mean);
      next += (A - K * A + z * z.transpose()) / n;
      sum += z / n;
    }
    mean += sum;
    A = 0.5 * (next + next.transpose());
  }
  const double moving = information(terms, states, used, A, mean);
  return std::isfinite(moving) ? std::min(at_rest, moving) : at_rest;
}

}  // namespace prehend::articulation
