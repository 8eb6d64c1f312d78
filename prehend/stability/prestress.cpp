// Method: with friction discs of fixed radius the forces minimise a convex energy (contact_springs.h). Start with
// contacts that never slip, then set the radii to mu f_n and repeat, damped, until forces settle; Newton's method on the
// law itself finishes. Failing that, friction is lowered step by step from far above. Coulomb's law has no energy: there
// may be several such states or none, and this finds one or none. So `held` is proven by the forces and displacements
// that come with it; the contrary means that none was found on this way of loading, all at once and from rest. (In 44
// random systems that statics holds and this does not, 100 random starts each found no further state.)
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/math/option_check.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/statics/contact_springs.h>

namespace prehend::stability {
namespace {

using Eigen::VectorXd;
using math::number_text;

// Relative width at which bisection of the load-caused limit ends: one more digit costs three more responses each.
constexpr double kLimitAccuracy = 1e-3;
// [weights of all bodies] A load that holds at this multiple counts as unbounded; ten times LimitOptions::unbounded_above, so that
// what statics calls bounded is never cut off here.
constexpr double kUnboundedAbove = 1e6;
// [-] of all weights and the load: a body that carries less is measured against this, else rounding alone would unbalance it.
constexpr double kLightest = 1e-4;
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

struct Search {
  VectorXd u;
  double residual{std::numeric_limits<double>::infinity()};
  int rounds{0}, steps{0};
};

// Of the worst body, relative to the forces on it; bodies that carry less than kLightest are measured by that.
double imbalance(const SpringSystem& springs, const VectorXd& forces) {
  const VectorXd rest = springs.unbalanced(forces);
  VectorXd size = springs.weights.cwiseAbs() + springs.load.cwiseAbs();
  for (int k = 0; k < springs.size(); ++k) {
    const SpringSystem::Contact& c = springs.contacts[static_cast<std::size_t>(k)];
    const math::Vector6d wrench = (c.block.transpose() * forces.segment<3>(3 * k)).cwiseAbs();
    if (c.b >= 0) size.segment<6>(c.b) += wrench;
    if (c.a >= 0) size.segment<6>(c.a) += wrench;
  }
  double worst = 0.0;
  for (Eigen::Index i = 0; i < rest.size(); i += 6) {
    const double own = std::clamp(size.segment<6>(i).maxCoeff(), kLightest, 1.0);
    worst = std::max(worst, rest.segment<6>(i).lpNorm<Eigen::Infinity>() / own);
  }
  return worst;
}

// Keeps the better of what it has and the Coulomb forces at u.
void consider(const SpringSystem& springs, const CoulombLaw& law, const VectorXd& u, Search& best) {
  const double residual = imbalance(springs, springs.forces(u, law));
  if (residual < best.residual || best.u.size() == 0) {
    best.u = u;
    best.residual = residual;
  }
}

// From contacts that do not slip, with so much friction that the law holds there, down to the true friction, each
// answer the start for the next: finds states that the discs circle around.
void lower_friction(const SpringSystem& springs, const ElasticOptions& options, const SpringOptions& newton,
                    const VectorXd& stuck, Search& best) {
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

Search search(const SpringSystem& springs, const ElasticOptions& options) {
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  const VectorXd origin = VectorXd::Zero(springs.unknowns());
  SpringOptions convex;
  convex.max_iterations = 200;
  SpringOptions finish;
  finish.tolerance = 1e-13;  // as far as rounding lets it
  finish.anchor_stiffness = 1e-12;
  finish.max_iterations = 40;
  Search best;
  VectorXd radii = VectorXd::Constant(springs.size(), std::numeric_limits<double>::infinity());
  VectorXd u = origin, stuck = origin;
  double damping = 1.0, last_change = std::numeric_limits<double>::infinity(), last_missing = last_change;
  int idle = 0;
  while (best.rounds < options.max_rounds) {
    ++best.rounds;
    const DiscLaw discs(radii, options.tangential_ratio);
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
  if (best.residual > options.tolerance) lower_friction(springs, options, finish, stuck, best);
  return best;
}

double load_size(const ContactSystem& system, const Load& load) {
  double size = 0.0;
  for (const BodyLoad& part : load) {
    size += std::max(part.wrench.tail<3>().norm(), part.wrench.head<3>().norm() / system.length);
  }
  return size;
}

}  // namespace

void ElasticOptions::validate() const {
  const math::OptionCheck check("ElasticOptions");
  check.above("stiffness", stiffness, 0.0, "N/m");
  check.above("tangential_ratio", tangential_ratio, 0.0);
  check.between("tolerance", tolerance, 1e-10, 1.0);
  check.holds(tolerance < 1.0, "tolerance", number_text(tolerance), "below 1");
  check.at_least("max_rounds", max_rounds, 1);
}

const char* to_string(ElasticStatus status) { return enum_text(status); }

std::string ElasticResponse::brief_report() const {
  return std::string(to_string(status)) + "; unbalanced " + number_text(residual, 3) + " of the forces; " +
         std::to_string(rounds) + " rounds, " + std::to_string(steps) + " steps";
}

ElasticResponse elastic_response(const ContactSystem& system, const Load& load, double multiple,
                                 const ElasticOptions& options) {
  options.validate();
  if (!std::isfinite(multiple)) throw std::invalid_argument("the multiple of the load is not finite");
  if (!system.joint_rows.empty()) throw std::invalid_argument("contact springs know no joints");
  ElasticResponse out;
  const SpringSystem springs(system, load, multiple);
  if (system.bodies.empty()) {
    out.status = ElasticStatus::held;
    out.residual = 0.0;
    out.forces_W.assign(system.contacts.size(), Eigen::Vector3d::Zero());
    return out;
  }
  const Search found = search(springs, options);
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  out.forces_W = springs.world_forces(system, springs.forces(found.u, coulomb));
  out.displacements = springs.world_displacements(found.u, options.stiffness);
  out.residual = found.residual;
  out.rounds = found.rounds;
  out.steps = found.steps;
  out.status = out.residual <= options.tolerance ? ElasticStatus::held : ElasticStatus::not_held;
  return out;
}

double load_caused_limit(const ContactSystem& system, const Load& load, double static_limit,
                         const ElasticOptions& options) {
  if (!system.joint_rows.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (!(static_limit >= 0.0)) {
    throw std::invalid_argument("static_limit is " + number_text(static_limit) + ", must not be negative");
  }
  const double size = load_size(system, load);
  if (!(size > 0.0)) throw std::invalid_argument("the load is zero");
  const auto holds = [&](double multiple) {
    math::check_interrupt();
    return elastic_response(system, load, multiple, options).status == ElasticStatus::held;
  };
  const double ceiling = std::min(static_limit, kUnboundedAbove * system.weight / size);
  // At the limit itself everything slides or tips: nothing is definite there.
  if (holds((1.0 - kLimitAccuracy) * ceiling)) return static_limit;
  if (!holds(0.0)) return 0.0;
  // Unbounded or far-off limits are searched by factors first, from below.
  double low = 0.0, high = ceiling;
  for (double middle = std::min(system.weight / size, 0.5 * ceiling); middle < high; middle *= 8.0) {
    if (!holds(middle)) {
      high = middle;
      break;
    }
    low = middle;
  }
  while (high - low > kLimitAccuracy * high && high > 1e-9 * ceiling) {
    const double middle = low > 0.0 && high > 4.0 * low ? std::sqrt(low * high) : 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

bool needs_prestress(const ContactSystem& system, const ElasticOptions& options) {
  return system.joint_rows.empty() &&
         elastic_response(system, {}, 0.0, options).status != ElasticStatus::held;
}

}  // namespace prehend::stability
