// The equations behind every question of this room: bodies that may move, points where they touch, weights.
//
// Unknown forces f_k act at the contact points (on body b, and -f_k on body a), inside the friction cones
// |f_t| <= mu f_n. Unknown virtual motions are one twist per movable body. All twists and wrenches are taken about one
// point, `origin_W`, in the world's axes, angular part first: then the relative velocity at a contact depends on the
// difference of the two bodies' twists alone, and what one body does to another adds up to zero by itself.
//
// Joints are rows (JointRow).
//
// Fixed bodies are one: the ground, an invalid NodeIndex. A force inside a patch is a convex combination of the same
// force at the patch's corners, so corners alone describe a flat interface exactly; sampled points (what the source
// uses) describe it from inside.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/index.h>
#include <prehend/math/se3.h>
#include <prehend/model/scene_contacts.h>

namespace prehend::stability {

using NodeIndex = math::Index<struct NodeTag>;            // a movable body of the system; invalid: the ground
using ContactIndex = math::Index<struct ContactTag>;      // a contact point
using InterfaceIndex = math::Index<struct InterfaceTag>;  // a patch between two bodies

struct SystemBody {
  model::BodyIndex body;
  double mass{0.0};                                // [kg]
  Eigen::Vector3d com_W{Eigen::Vector3d::Zero()};  // [m]
  // What carries some of its weight (model::Body::carried_mass): [N], at a point [m].
  Eigen::Vector3d lift_W{Eigen::Vector3d::Zero()};
  Eigen::Vector3d lift_at_W{Eigen::Vector3d::Zero()};
};

struct SystemContact {
  NodeIndex a, b;  // one of them may be the ground
  InterfaceIndex interface;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Matrix3d R_WC{
      Eigen::Matrix3d::Zero()};  // columns: two tangents u, v and the unit normal n, from a to b
  double mu{0.0};                // [-]

  auto n_W() const { return R_WC.col(2); }
};

struct SystemInterface {
  NodeIndex a, b;
  model::BodyIndex body_a, body_b;  // of the scene; n_W points from a to b
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};
  double mu{0.0};
  double area{0.0};  // [m^2]
  int first{0};      // its contact points are contacts[first .. first + count)
  int count{0};
};

// A joint force of size `lower` to `upper` along unit wrenches on some bodies; the wrenches' power on a motion is the rate
// that it resists. What a joint carries without bound is bilateral, a limit one-sided, a motor or friction an interval.
struct JointRow {
  struct Part {
    NodeIndex body;
    math::Vector6d wrench;  // about origin_W, per unit of the row's force
  };
  std::vector<Part> parts;  // the ground has none
  // [N m] or [N]
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  int joint{-1};  // of the system's joints; -1: a coupling
  bool is_bilateral() const { return std::isinf(lower) && std::isinf(upper); }
  // Power per unit force: the rate that the row resists; one twist per body.
  double rate(const std::vector<math::Vector6d>& motion) const;
};

// A joint of the scene as the statics take it, also one that only holds fixed bodies.
struct SystemJoint {
  std::string name;
  model::JointType type{model::JointType::rigid};
  model::BodyIndex parent, child;
  NodeIndex a, b;                                // of parent and child
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m] anchor
  bool is_held{false};                           // by a motor: carries all six components
  bool is_at_limit{false};
  // Along its first freedom, [N m] or [N]: both 0 when free.
  double lower{0.0}, upper{0.0};
};

enum class ContactPoints {
  corners,  // the corners of each patch's convex hull: exact
  sampled,  // points spread over the patch by farthest-point sampling, as in source N, 4.5.1
};

struct ContactSystemOptions {
  geometry::ContactOptions contact;
  ContactPoints points{ContactPoints::corners};
  int samples_per_interface{20};  // as in the source; at least 3
  std::uint64_t seed{0};          // of the sampling
  // Bodies of at least this mass [kg] count as fixed (source N, 4.7.3); 0: none.
  double fixed_above{0.0};
  // [m/s^2] Uniform acceleration of the ground; in its frame gravity is less by it.
  Eigen::Vector3d acceleration_W{Eigen::Vector3d::Zero()};

  void validate() const;
};

struct ContactSystem {
  std::vector<SystemBody> bodies;  // by NodeIndex
  std::vector<SystemContact> contacts;
  std::vector<SystemInterface> interfaces;
  std::vector<SystemJoint> joints;      // all but rigid and free ones
  std::vector<JointRow> joint_rows;     // empty: no joint moves
  std::vector<NodeIndex> node_of_body;  // by model::BodyIndex; invalid: fixed
  std::vector<std::string> body_names;  // of the scene, by model::BodyIndex
  Eigen::Vector3d origin_W{Eigen::Vector3d::Zero()};
  Eigen::Vector3d gravity_W{Eigen::Vector3d::Zero()};  // [m/s^2] minus the acceleration of the ground
  double length{1.0};  // [m] size of what may move: scales rotations against translations
  double weight{1.0};  // [N] of all movable bodies together; 1 without gravity: scales forces
  std::vector<model::ScenePenetration> penetrations;
  std::vector<NodeIndex> floating;    // movable bodies that touch nothing
  std::vector<std::string> problems;  // sentences: overlaps, floating bodies

  int unknowns() const { return 6 * static_cast<int>(bodies.size()); }
  // Weight of a body, less what is carried of it, about origin_W.
  math::Vector6d gravity_wrench(NodeIndex body) const;
  // A force on the body, at a point of the world, about origin_W.
  math::Vector6d force_wrench(const Eigen::Vector3d& f_W, const Eigen::Vector3d& p_W) const;
  // Relative velocity of b against a at the contact's point, in the world's axes; motion: one twist per body.
  Eigen::Vector3d relative_velocity(ContactIndex contact, const std::vector<math::Vector6d>& motion) const;
};

// "held by motors: a, b; free: c", with at most eight names each; empty where there are no joints.
std::string joints_text(const ContactSystem& system);
// [{name,type,parent,child,held,at_limit,lower_Nm,upper_Nm}], lower_N and upper_N of a slide; null: without bound.
std::string joints_json(const ContactSystem& system);

ContactSystem build_contact_system(const model::Scene& scene, const ContactSystemOptions& options = {});
// From interfaces that were found before.
ContactSystem build_contact_system(const model::Scene& scene, const model::SceneContacts& contacts,
                                   const ContactSystemOptions& options);

}  // namespace prehend::stability
