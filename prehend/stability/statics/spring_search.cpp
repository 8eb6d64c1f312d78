// Method: with friction discs of fixed radius the forces minimise a convex energy (contact_springs.h). Start with
// contacts that never slip, then set the radii to mu f_n and repeat, damped, until forces settle; Newton's method on the
// law itself finishes. Failing that, friction is lowered step by step from far above. Coulomb's law has no energy: there
// may be several such states or none, and this finds one or none. So `held` is proven by the forces and displacements
// that come with it; the contrary means that none was found on this way of loading, all at once and from rest. (In 44
// random systems that statics holds and this does not, 100 random starts each found no further state.)
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <prehend/stability/statics/spring_search.h>
#include <prehend/stability/statics/spring_tangent.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;

// Rounds in which the discs leave as much unbalanced as before, until they are taken to do so for good.
constexpr int kPatience = 4;

// Radii of the friction discs that the normal forces allow.
VectorXd friction_radii(const SpringSystem& springs, const VectorXd& forces) {
  VectorXd radii(springs.size());
  for (int k = 0; k < springs.size(); ++k) {
    radii[k] = springs.mu[static_cast<std::size_t>(k)] * std::max(0.0, forces[3 * k + 2]);
  }
  return radii;
}

// Keeps the better of what it has and the Coulomb forces at u.
void consider(const SpringSystem& springs, const CoulombLaw& law, const VectorXd& u, SpringSearch& best) {
  SpringState state;
  state.evaluate(springs, law, u);
  const double residual = spring_imbalance(springs, state);
  if (residual < best.residual || best.u.size() == 0) {
    best.u = u;
    best.residual = residual;
  }
}

// From contacts that do not slip, with so much friction that the law holds there, down to the true friction, each
// answer the start for the next: finds states that the discs circle around.
void lower_friction(const SpringSystem& springs, const SpringSearchOptions& options,
                    const SpringOptions& newton, const VectorXd& stuck, SpringSearch& best) {
  // [-] Factors of the friction: the first, at which hardly a contact slips; the step below which the search gives up (a state 0.3 % of friction away is none).
  constexpr double kHighest = 64.0, kSmallestStep = 1.003;
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  VectorXd u = stuck;
  std::vector<double> mu;
  double factor = kHighest, step = 2.0;
  for (double next = factor; step > kSmallestStep; next = std::max(1.0, factor / step)) {
    mu = springs.mu;
    for (double& coefficient : mu) coefficient *= next;
    const SpringMinimum found = balance_springs(springs, CoulombLaw(mu, options.tangential_ratio), u, newton);
    best.steps += found.iterations;
    if (found.converged) {
      u = found.u;
      factor = next;
      if (factor <= 1.0) break;
      step = std::min(2.0, 1.0 + 1.5 * (step - 1.0));
    } else if (factor == kHighest && next == kHighest) {
      return;
    } else {
      step = 1.0 + 0.5 * (step - 1.0);
    }
  }
  if (factor <= 1.0) consider(springs, coulomb, u, best);
}

// Where bodies would be if contacts could pull and never slipped: the start of all searches.
VectorXd held_fast(const SpringSystem& springs, double tangential, double anchor) {
  const SpringState state = held_state(springs, tangential);
  SpringTangent tangent(springs, anchor);
  const VectorXd pull = springs.weights + springs.load;
  const std::optional<VectorXd> u = tangent.factor(state) ? tangent.solve(pull) : std::nullopt;
  return u ? *u : VectorXd::Zero(springs.unknowns()).eval();
}

}  // namespace

SpringSearch search_springs(const SpringSystem& springs, const SpringSearchOptions& options) {
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  const VectorXd origin = VectorXd::Zero(springs.unknowns());
  constexpr int kMostConvex = 200;
  SpringOptions convex;
  SpringOptions finish;
  finish.tolerance = 1e-13;  // as far as rounding lets it
  finish.anchor_stiffness = 1e-12;
  finish.max_iterations = 40;
  SpringSearch best;
  VectorXd radii = VectorXd::Constant(springs.size(), std::numeric_limits<double>::infinity());
  VectorXd u = held_fast(springs, options.tangential_ratio, convex.anchor_stiffness), stuck = origin;
  double damping = 1.0, last_change = std::numeric_limits<double>::infinity(), last_missing = last_change;
  int idle = 0;
  while (best.rounds < options.max_rounds && best.steps < options.max_steps) {
    ++best.rounds;
    const DiscLaw discs(radii, options.tangential_ratio);
    convex.max_iterations = std::min(kMostConvex, options.max_steps - best.steps);
    const SpringMinimum minimum = minimise_springs(springs, discs, origin, u, convex);
    best.steps += minimum.iterations;
    u = minimum.u;
    consider(springs, coulomb, u, best);
    if (best.residual <= options.tolerance) break;
    const SpringMinimum exact = balance_springs(springs, coulomb, u, finish);
    best.steps += exact.iterations;
    consider(springs, coulomb, exact.u, best);
    if (best.residual <= options.tolerance) break;

    const VectorXd wanted = friction_radii(springs, springs.forces(u, discs));
    if (best.rounds == 1) {
      stuck = u;
      radii = wanted;
      continue;
    }
    const double change = (wanted - radii).lpNorm<Eigen::Infinity>();
    // Discs at rest without balance: no further round differs.
    if (change <= 1e-3 * options.tolerance) break;
    const double missing =
        convex.anchor_stiffness * u.lpNorm<Eigen::Infinity>();  // what the discs cannot hold
    idle = missing > options.tolerance && missing > 0.95 * last_missing ? idle + 1 : 0;
    if (idle >= kPatience) break;
    last_missing = missing;
    if (change > 0.9 * last_change) damping = std::max(0.5 * damping, 0.02);
    last_change = change;
    radii += damping * (wanted - radii);
  }
  if (best.residual > options.tolerance && best.steps < options.max_steps)
    lower_friction(springs, options, finish, stuck, best);
  return best;
}

SpringSearch resume_springs(const SpringSystem& springs, const SpringSearchOptions& options,
                            const VectorXd& state) {
  constexpr int kRounds = 6;
  SpringOptions convex;
  convex.max_iterations = 20;
  SpringOptions finish;
  finish.tolerance = 1e-13;
  finish.anchor_stiffness = 1e-12;
  finish.max_iterations = 12;
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  SpringSearch out;
  VectorXd u = state, radii = friction_radii(springs, springs.forces(state, coulomb));
  while (out.rounds < kRounds && out.residual > options.tolerance) {
    ++out.rounds;
    const DiscLaw discs(radii, options.tangential_ratio);
    const SpringMinimum minimum = minimise_springs(springs, discs, state, u, convex);
    u = minimum.u;
    const SpringMinimum exact = balance_springs(springs, coulomb, u, finish);
    out.steps += minimum.iterations + exact.iterations;
    consider(springs, coulomb, u, out);
    consider(springs, coulomb, exact.u, out);
    radii = friction_radii(springs, springs.forces(u, discs));
  }
  return out;
}

SpringSearch try_springs(const SpringSystem& springs, const SpringSearchOptions& options) {
  SpringOptions convex;
  convex.max_iterations = 20;
  SpringOptions finish;
  finish.tolerance = 1e-13;
  finish.anchor_stiffness = 1e-12;
  finish.max_iterations = 20;
  SpringSearch out;
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  const VectorXd never_slip = VectorXd::Constant(springs.size(), std::numeric_limits<double>::infinity());
  const VectorXd start = held_fast(springs, options.tangential_ratio, convex.anchor_stiffness);
  const SpringMinimum stuck = minimise_springs(springs, DiscLaw(never_slip, options.tangential_ratio),
                                               VectorXd::Zero(springs.unknowns()), start, convex);
  consider(springs, coulomb, stuck.u, out);
  if (out.residual > options.tolerance) {
    const SpringMinimum exact = balance_springs(springs, coulomb, stuck.u, finish);
    consider(springs, coulomb, exact.u, out);
    out.steps += exact.iterations;
  }
  out.steps += stuck.iterations;
  return out;
}

}  // namespace prehend::stability
