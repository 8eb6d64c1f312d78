#include <algorithm>
#include <limits>

#include <prehend/placement/source/force_checks.h>
#include <prehend/stability/contact_forces.h>

namespace prehend::placement {
namespace {

// Of the weight, that least-norm forces may leave unbalanced: rounding.
constexpr double kUnbalanced = 1e-6;

}  // namespace

ForceChecks::ForceChecks(const Problem& problem) : problem_(problem), search_(problem), assembly_(problem) {}

double ForceChecks::largest_pull(const math::Pose& X_WO, const model::SceneContacts& all) const {
  std::vector<bool> alone(problem_.scene.bodies.size(), false);
  alone[problem_.object] = true;
  stability::ContactForcesOptions options;
  options.method = stability::ForceMethod::qr;
  options.check_prestress = false;
  const stability::ContactForcesResult forces =
      stability::contact_forces(assembly_.system(X_WO, all, alone), options);
  if (!(forces.equilibrium_residual <= kUnbalanced)) return std::numeric_limits<double>::infinity();
  double pull = 0.0;
  for (const stability::ContactForce& contact : forces.contacts)
    pull = std::max(pull, -contact.n_W.dot(contact.f_W));
  return pull;
}

ForceCheck ForceChecks::of(const math::Pose& X_WO) const {
  const ObjectContacts contacts = search_.at(X_WO);
  if (contacts.deepest.is_valid()) return ForceCheck::penetrates;
  if (contacts.interfaces.empty()) return ForceCheck::floats;
  const model::SceneContacts all = search_.together(contacts);
  if (largest_pull(X_WO, all) > problem_.body().inertia.mass * problem_.gravity) return ForceCheck::pulls;
  std::vector<bool> touched(problem_.scene.bodies.size(), false);
  for (const model::SceneInterface& i : contacts.interfaces) touched[i.body_a] = touched[i.body_b] = true;
  stability::ContactForcesOptions options;
  options.method = stability::ForceMethod::pyramid;
  options.pyramid_sides = 4;
  options.check_prestress = false;
  const stability::ContactForcesResult forces =
      stability::contact_forces(assembly_.system(X_WO, all, assembly_.with_object(touched)), options);
  return forces.status == stability::ContactForcesStatus::stable ? ForceCheck::passed : ForceCheck::unbalanced;
}

}  // namespace prehend::placement
