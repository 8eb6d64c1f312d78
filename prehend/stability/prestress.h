// Whether the loads themselves cause contact forces that hold, or internal stress must exist beforehand.
//
// Statics asks only whether admissible contact forces exist. That is optimistic for jammed bodies: a block
// between two posts is held at any friction, though nothing makes the posts squeeze it. Here contacts are
// stiff springs, and each body has a small displacement that causes the forces
//   f_n = k max(0, -d_n),    f_t = -k d_t,  cut off at |f_t| <= mu f_n    (d: displacement of b against a),
// in equilibrium with the weights and the load. Forces do not depend on k, but in indeterminate scenes on equal
// stiffness. Joints are springs (statics/joint_springs.cpp). `held` is proven by the returned forces and displacements;
// otherwise none were found along one loading path (statics/spring_search.cpp).
//
// Cost: a limit is about as dear as the statics of its push; seconds for some that statics does not bound.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <prehend/stability/push.h>

namespace prehend::stability {

struct ElasticOptions {
  // [N/m] of every contact; scales the displacements, never the forces.
  double stiffness{1e6};
  // Tangential stiffness, relative to the normal one. Source N, (4.1), takes them equal; spheres have 0.7 to 1.
  double tangential_ratio{1.0};
  // Largest unbalanced force or moment (per length of the system) of a body, relative to the forces on that body, or to
  // 1e-4 of all weights and the load where it carries less.
  double tolerance{1e-7};
  // Updates of the friction discs. Most scenes settle within ten; those near a limit need many.
  int max_rounds{200};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

enum class ElasticStatus {
  not_computed,
  held,      // the loads cause forces that balance them
  not_held,  // no such state was found
};
const char* to_string(ElasticStatus status);

struct ElasticResponse {
  ElasticStatus status{ElasticStatus::not_computed};
  std::vector<Eigen::Vector3d> forces_W;  // [N] one per contact, on b; what was reached last when not held
  std::vector<double> joint_forces;       // [N m] or [N] one per joint row of the system
  // One small twist per body about the system's origin [rad, m], for contacts of the options' stiffness.
  std::vector<math::Vector6d> displacements;
  // Of the forces that the law gives at these displacements: what remains unbalanced, as in the options.
  double residual{std::numeric_limits<double>::infinity()};
  int rounds{0};  // updates of the friction discs
  int steps{0};   // of Newton's method

  std::string brief_report() const;
};

// The response to the weights and `multiple` times the load, which may be empty.
ElasticResponse elastic_response(const ContactSystem& system, const Load& load, double multiple,
                                 const ElasticOptions& options = {});

// The largest multiple of the load, up to `static_limit` (infinite: 1e6 times the weight of all bodies, and then
// infinite), that load-caused forces hold, to 0.1 %: raised from rest, state after state (statics/spring_path.h). 0
// when the scene at rest needs prestress already. In the unit of the load.
double load_caused_limit(const ContactSystem& system, const Load& load, double static_limit,
                         const ElasticOptions& options = {});

// Whether a scene that statics calls stable is held only by stress that its weights do not cause. (A scene that falls
// answers true as well: ask for stability first.)
bool needs_prestress(const ContactSystem& system, const ElasticOptions& options = {});

}  // namespace prehend::stability
