// Which forces do the contacts carry, and does the scene stand at all?
//
// Forces at all contact points that balance every movable body, of the least sum of squares, inside the friction cones
// (force_distribution.h: three methods). A hyperstatic scene has many; the least is what equally stiff contacts would
// carry if sliding cost nothing more (source N, 4.3). A scene without any falls, and the falling motion is given.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <prehend/stability/contact_system.h>
#include <prehend/stability/critical_friction.h>

namespace prehend::stability {

enum class ForceMethod {
  cones,    // the true friction cones
  pyramid,  // pyramids of N sides inside the cones
  qr,       // no cones: quick, may violate them, and says by how much
};
const char* to_string(ForceMethod method);

struct ContactForcesOptions {
  ForceMethod method{ForceMethod::cones};
  // Of the pyramid; an inscribed octagon covers 90 % of the friction disc, a square 64 %.
  int pyramid_sides{8};
  ContactSystemOptions system{};
  bool check_prestress{true};     // fills needs_prestress
  bool critical_friction{false};  // fills critical_friction

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

enum class ContactForcesStatus {
  not_computed,
  stable,        // forces inside the cones balance everything
  unstable,      // it falls: see `falling`
  undetermined,  // the method cannot tell; see `note`
};
const char* to_string(ContactForcesStatus status);

struct ContactForce {
  model::BodyIndex body_a, body_b;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};  // unit, from a to b
  Eigen::Vector3d f_W{Eigen::Vector3d::Zero()};  // [N] on body b
  double mu{0.0};                                // [-]
};

// What a joint carries, motors and limits included; what a coupling adds is not.
struct JointForce {
  int joint{0};                                  // of the system's joints
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m] anchor
  Eigen::Vector3d f_W{Eigen::Vector3d::Zero()};  // [N] on the child
  Eigen::Vector3d m_W{Eigen::Vector3d::Zero()};  // [N m] on the child, about the anchor
};

struct ContactForcesResult {
  ContactForcesStatus status{ContactForcesStatus::not_computed};
  ForceMethod method{ForceMethod::cones};
  std::vector<ContactForce> contacts;  // with zero forces when there are none that balance
  // Of the forces, as checked by certificate.h: relative to the weight of all movable bodies; NaN without forces.
  double equilibrium_residual{std::numeric_limits<double>::quiet_NaN()};
  double cone_violation{std::numeric_limits<double>::quiet_NaN()};
  // Stable, but only by internal stress that the weights do not cause; see prestress.h.
  bool needs_prestress{false};
  bool prestress_checked{false};  // false: `needs_prestress` says nothing
  // Joints of the system (contact_system.h) and what they carry.
  std::vector<JointForce> joint_forces;
  std::vector<std::string> joint_names;
  std::string joints_text, joints_json;
  // Unstable: a motion that no contact resists, one twist per body of the system about its origin, largest speed
  // 1 m/s, and the bodies that move in it.
  std::vector<math::Vector6d> falling;
  std::vector<model::BodyIndex> moving;
  std::string note;                   // one sentence, where something needs one
  std::vector<std::string> problems;  // of the scene: overlaps, floating bodies
  // Where it was asked for; not computed where bodies overlap.
  std::optional<CriticalFriction> critical_friction;
  std::vector<std::string> body_names;  // of the scene, by model::BodyIndex

  std::string brief_report() const;
  // {"status","method","needs_prestress","contacts":[{body_a,body_b,p_W_m,n_W,f_W_N,mu}],"equilibrium_residual",
  //  "cone_violation","moving":[names],"problems":[...]}; "note" and "critical_friction" where there are any; with
  //  joints "joints" (joints_json()) and "joint_forces":[{joint,p_W_m,f_W_N,m_W_Nm}] on the child.
  std::string to_json() const;
};

ContactForcesResult contact_forces(const model::Scene& scene, const ContactForcesOptions& options = {});
// For a system that was built before; options.system is not used.
ContactForcesResult contact_forces(const ContactSystem& system, const ContactForcesOptions& options);

}  // namespace prehend::stability
