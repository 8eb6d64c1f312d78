#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include <prehend/math/house/limited_memory_bfgs.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>

namespace prehend::math {
namespace {

struct Pair {
  Eigen::VectorXd s, y;
  double inverse;  // 1 / s.y
};

// The two-loop recursion: an approximate inverse Hessian times the gradient, turned downhill.
Eigen::VectorXd direction(const std::deque<Pair>& pairs, const Eigen::VectorXd& gradient) {
  Eigen::VectorXd d = -gradient;
  std::vector<double> weights(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    weights[i] = pairs[i].inverse * pairs[i].s.dot(d);
    d -= weights[i] * pairs[i].y;
  }
  if (!pairs.empty()) d *= pairs.back().s.dot(pairs.back().y) / pairs.back().y.squaredNorm();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    d += (weights[i] - pairs[i].inverse * pairs[i].y.dot(d)) * pairs[i].s;
  }
  return d;
}

}  // namespace

void LimitedMemoryBfgsOptions::validate() const {
  const OptionCheck check("LimitedMemoryBfgsOptions");
  check.at_least("memory", memory, 1);
  check.at_least("max_iterations", max_iterations, 0);
  check.at_least("gradient_tolerance", gradient_tolerance, 0.0);
  check.at_least("decrease_tolerance", decrease_tolerance, 0.0);
}

LimitedMemoryBfgsResult limited_memory_bfgs(const SmoothFunction& function, const Eigen::VectorXd& start,
                                            const LimitedMemoryBfgsOptions& options) {
  options.validate();
  constexpr double kSufficient = 1e-4,
                   kCurvature = 0.9;  // Wolfe conditions, the customary values (Nocedal, Wright)
  constexpr int kMostTrials = 60;     // halvings to the rounding of doubles
  LimitedMemoryBfgsResult result;
  result.x = start;
  Eigen::VectorXd gradient(start.size()), trial_gradient(start.size()), trial;
  result.value = function(result.x, gradient);
  result.evaluations = 1;
  if (!std::isfinite(result.value) || !gradient.allFinite()) {
    throw std::invalid_argument("the function to minimise is not finite at its start");
  }
  std::deque<Pair> pairs;
  int stalled = 0;
  while (true) {
    check_interrupt();
    result.gradient = start.size() > 0 ? gradient.cwiseAbs().maxCoeff() : 0.0;
    if (result.gradient <= options.gradient_tolerance || stalled >= 2) {
      result.status = SolverStatus::optimal;
      return result;
    }
    if (result.iterations >= options.max_iterations) {
      result.status = SolverStatus::iteration_limit;
      return result;
    }
    Eigen::VectorXd d = direction(pairs, gradient);
    if (!(d.dot(gradient) < 0.0)) {
      pairs.clear();
      d = -gradient;
    }
    const double slope = d.dot(gradient);
    double low = 0.0, high = 0.0, step = pairs.empty() ? 1.0 / std::max(1.0, gradient.norm()) : 1.0;
    double value = 0.0;
    bool found = false;
    for (int attempt = 0; attempt < kMostTrials && !found; ++attempt) {
      trial = result.x + step * d;
      value = function(trial, trial_gradient);
      ++result.evaluations;
      const bool falls = std::isfinite(value) && value <= result.value + kSufficient * step * slope;
      if (!falls) {
        high = step;
      } else if (trial_gradient.dot(d) < kCurvature * slope) {
        low = step;
      } else {
        found = true;
        break;
      }
      step = high > 0.0 ? 0.5 * (low + high) : 2.0 * step;
    }
    if (!found && low > 0.0) {  // falls, though without the curvature condition: better than nothing
      trial = result.x + low * d;
      value = function(trial, trial_gradient);
      ++result.evaluations;
      found = std::isfinite(value) && value < result.value;
    }
    if (!found) {
      if (pairs.empty()) {  // not even along the gradient: the function is flat to rounding
        result.status = stalled > 0 ? SolverStatus::optimal : SolverStatus::numerical_error;
        return result;
      }
      pairs.clear();
      continue;
    }
    Pair pair{trial - result.x, trial_gradient - gradient, 0.0};
    const double curvature = pair.s.dot(pair.y);
    stalled = result.value - value <= options.decrease_tolerance * (1.0 + std::abs(value)) ? stalled + 1 : 0;
    result.x = trial;
    result.value = value;
    gradient = trial_gradient;
    ++result.iterations;
    if (curvature > 1e-14 * pair.s.norm() * pair.y.norm()) {
      pair.inverse = 1.0 / curvature;
      pairs.push_back(std::move(pair));
      if (static_cast<int>(pairs.size()) > options.memory) pairs.pop_front();
    }
  }
}

}  // namespace prehend::math
