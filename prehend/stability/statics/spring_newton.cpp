#include <cmath>
#include <optional>

#include <prehend/math/interrupt.h>
#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {

using Eigen::VectorXd;

SpringMinimum minimise_springs(const SpringSystem& springs, const SpringLaw& law, const VectorXd& anchor,
                               const VectorXd& start, const SpringOptions& options) {
  const VectorXd pull = springs.weights + springs.load;
  const double a = options.anchor_stiffness;
  const auto cost = [&](const SpringState& r, const VectorXd& u) {
    return r.energy - pull.dot(u) + 0.5 * a * (u - anchor).squaredNorm();
  };
  const auto gradient = [&](const SpringState& r, const VectorXd& u) -> VectorXd {
    return a * (u - anchor) - r.pull - pull;
  };
  SpringState response, trial;
  SpringMinimum out;
  out.u = start;
  response.evaluate(springs, law, out.u);
  double value = cost(response, out.u);
  VectorXd slope = gradient(response, out.u);
  SpringTangent tangent(springs, a);
  while (out.iterations < options.max_iterations) {
    // Rounding of J u, and of the balance at it, grows with u.
    const double floor = 1e-15 * std::max(1.0, out.u.lpNorm<Eigen::Infinity>());
    out.converged = slope.lpNorm<Eigen::Infinity>() <= std::max(options.tolerance, floor);
    if (out.converged) break;
    ++out.iterations;
    math::check_interrupt();
    if (!tangent.factor(response)) break;
    const std::optional<VectorXd> step = tangent.solve(-slope);
    if (!step) break;
    const double descent = slope.dot(*step);
    if (!(descent < 0.0)) break;
    bool accepted = false;
    // Where hardly any contact is closed only the anchor holds the system, and a step is up to 1 / anchor_stiffness (1e9) long: halvings go
    // down to where such a step is below the rounding of displacements of one.
    for (double length = 1.0; length > 1e-16 && !accepted; length *= 0.5) {
      const VectorXd u = out.u + length * *step;
      trial.evaluate(springs, law, u);
      const double next = cost(trial, u);
      const VectorXd next_slope = gradient(trial, u);
      // Where the cost differs by less than its rounding, the slope along the step decides.
      const bool lower = next <= value + 1e-4 * length * descent;
      const bool same = std::abs(next - value) <= 1e-13 * (std::abs(value) + trial.energy) &&
                        std::abs(next_slope.dot(*step)) < 0.9 * std::abs(descent);
      if (!lower && !same) continue;
      accepted = true;
      out.u = u;
      value = next;
      slope = next_slope;
      std::swap(response, trial);
    }
    if (!accepted) break;
  }
  return out;
}

SpringMinimum balance_springs(const SpringSystem& springs, const SpringLaw& law, const VectorXd& start,
                              const SpringOptions& options) {
  const double a = options.anchor_stiffness;
  SpringState response, trial;
  SpringMinimum out;
  out.u = start;
  response.evaluate(springs, law, out.u);
  const VectorXd pull = springs.weights + springs.load;
  VectorXd rest = response.pull + pull - a * out.u;
  SpringTangent tangent(springs, a);
  while (out.iterations < options.max_iterations) {
    out.converged = rest.lpNorm<Eigen::Infinity>() <= options.tolerance;
    if (out.converged) break;
    ++out.iterations;
    math::check_interrupt();
    if (!tangent.factor(response)) break;
    const std::optional<VectorXd> step = tangent.solve(rest);
    if (!step) break;
    bool accepted = false;
    for (double length = 1.0; length > 1e-3 && !accepted; length *= 0.5) {
      const VectorXd u = out.u + length * *step;
      trial.evaluate(springs, law, u);
      const VectorXd next = trial.pull + pull - a * u;
      if (!(next.norm() <= (1.0 - 1e-2 * length) * rest.norm())) continue;
      accepted = true;
      out.u = u;
      rest = next;
      std::swap(response, trial);
    }
    if (!accepted) break;
  }
  return out;
}

}  // namespace prehend::stability
