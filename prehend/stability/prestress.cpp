#include <cmath>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/statics/load_caused.h>
#include <prehend/stability/statics/spring_search.h>

namespace prehend::stability {

using math::number_text;

namespace {

SpringSearchOptions search_options(const ElasticOptions& options) {
  options.validate();
  return {options.tangential_ratio, options.tolerance, options.max_rounds};
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
  ElasticResponse out;
  const SpringSystem springs(system, load, multiple);
  if (system.bodies.empty()) {
    out.status = ElasticStatus::held;
    out.residual = 0.0;
    out.forces_W.assign(system.contacts.size(), Eigen::Vector3d::Zero());
    return out;
  }
  const SpringSearch found = search_springs(springs, search_options(options));
  const CoulombLaw coulomb(springs.mu, options.tangential_ratio);
  const Eigen::VectorXd forces = springs.forces(found.u, coulomb);
  out.forces_W = springs.world_forces(system, forces);
  out.joint_forces = springs.joint_forces(forces);
  out.displacements = springs.world_displacements(found.u, options.stiffness);
  out.residual = found.residual;
  out.rounds = found.rounds;
  out.steps = found.steps;
  out.status = out.residual <= options.tolerance ? ElasticStatus::held : ElasticStatus::not_held;
  return out;
}

double load_caused_limit(const ContactSystem& system, const Load& load, double static_limit,
                         const ElasticOptions& options) {
  return LoadCaused(system, search_options(options)).limit(load, static_limit);
}

bool needs_prestress(const ContactSystem& system, const ElasticOptions& options) {
  return !LoadCaused(system, search_options(options)).rests();
}

}  // namespace prehend::stability
