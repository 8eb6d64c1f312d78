// Bodies on springs: every contact answers the relative displacement of its two bodies with a force, and the bodies
// take the place where these forces balance what pulls at them.
//
// In scaled units: forces in a reference force, lengths in the system's length, unit stiffness. The unknowns are one
// small displacement per body, angular part (times length) first, about the system's origin; a contact sees its
// relative displacement d in its own frame (tangents, normal) and answers with f(d). Equilibrium: J'f(J u) + w = 0. Joints
// answer with springs of their own (JointSpring).
//
// A law that has an energy (f = -dE/dd, E convex) makes this the minimum of a convex function; minimise_springs finds
// it by Newton's method with a line search, superlinear where the law is piecewise smooth. Cost: ten to thirty
// factorisations of order 6 x bodies, sparse where there are many.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <prehend/stability/limit/block_pattern.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

struct SpringResponse {
  double energy{0.0};                                  // unused by laws that have none
  Eigen::Vector3d force{Eigen::Vector3d::Zero()};      // on body b
  Eigen::Matrix3d stiffness{Eigen::Matrix3d::Zero()};  // -df/dd
};

// What a contact answers; `contact` counts the system's contacts.
class SpringLaw {
 public:
  virtual ~SpringLaw() = default;
  virtual SpringResponse respond(int contact, const Eigen::Vector3d& d) const = 0;
};

// The least energy of forces in the friction cone: f = nearest point of the cone to -d. Its equilibrium is the least sum
// of squared forces that balance (friction and normal as one associated law: sliding dilates).
class ConeLaw : public SpringLaw {
 public:
  explicit ConeLaw(const std::vector<double>& mu) : mu_(mu) {}
  SpringResponse respond(int contact, const Eigen::Vector3d& d) const override;

 private:
  const std::vector<double>& mu_;
};

// Unilateral normal springs, tangential springs that slip at a given radius (Tresca): f_n = max(0, -d_n).
class DiscLaw final : public SpringLaw {
 public:
  DiscLaw(const Eigen::VectorXd& radii, double tangential) : radii_(radii), tangential_(tangential) {}
  SpringResponse respond(int contact, const Eigen::Vector3d& d) const override;

 private:
  const Eigen::VectorXd& radii_;
  const double tangential_;  // stiffness, relative to the normal one
};

// The same with the radius mu f_n: Coulomb's law, which has no energy.
class CoulombLaw final : public SpringLaw {
 public:
  CoulombLaw(const std::vector<double>& mu, double tangential) : mu_(mu), tangential_(tangential) {}
  // Inline: paths of loads evaluate it for all contacts at every step.
  SpringResponse respond(int contact, const Eigen::Vector3d& d) const override {
    SpringResponse out;
    if (!(d.z() < 0.0)) return out;
    out.force.z() = -d.z();
    out.stiffness(2, 2) = 1.0;
    const double mu = mu_[static_cast<std::size_t>(contact)], radius = -mu * d.z(), t = d.head<2>().norm();
    if (tangential_ * t <= radius) {
      out.force.head<2>() = -tangential_ * d.head<2>();
      out.stiffness(0, 0) = out.stiffness(1, 1) = tangential_;
      return out;
    }
    const Eigen::Vector2d along = d.head<2>() / t;
    out.force.head<2>() = -radius * along;
    const double turn = radius / t;
    out.stiffness(0, 0) = turn * (1.0 - along.x() * along.x());
    out.stiffness(1, 1) = turn * (1.0 - along.y() * along.y());
    out.stiffness(0, 1) = out.stiffness(1, 0) = -turn * along.x() * along.y();
    out.stiffness(0, 2) = -mu * along.x();
    out.stiffness(1, 2) = -mu * along.y();
    return out;
  }

 private:
  const std::vector<double>& mu_;
  const double tangential_;
};

// A joint row (contact_system.h) as a spring: it answers its displacement q = sum of wrench.u with a force between its bounds, and slips
// there, as friction and motors do. Bounds without end are a joint's own stiffness; one end is a limit.
struct JointSpring {
  struct Part {
    int body{0};  // its first unknown
    math::Vector6d wrench;
  };
  struct Response {
    double energy{0.0}, force{0.0}, stiffness{0.0};
  };
  std::vector<Part> parts;        // scaled to one, all together
  double lower{0.0}, upper{0.0};  // [N], of the scaled wrenches
  double unit{1.0};               // of the scaled force, per unit of the row's own
  double dry_friction{1.0};       // [-] stiffness of dry friction and of motors with bounds, of a contact's

  // In a unit of force [N].
  Response respond(double q, double force) const;
  double displacement(const Eigen::VectorXd& u) const;
  // Against a displacement that does not reach the bounds.
  double held_stiffness() const;
};
std::vector<JointSpring> joint_springs(const ContactSystem& system);

struct SpringSystem {
  using Block = Eigen::Matrix<double, 3, 6>;
  // A contact sees the difference of its bodies' displacements: d = block (u_b - u_a).
  struct Contact {
    int a{-1}, b{-1};  // first unknown of each body; -1: the ground
    Block block{Block::Zero()};
    math::Matrix6d square{math::Matrix6d::Zero()};  // block' block: the stiffness of one that sticks
  };
  // The block once more, for passes over all contacts: its columns and its rows, filled up to whole registers.
  struct Packed {
    double column[6][4], row[3][8];
  };
  std::vector<Contact> contacts;
  std::vector<Packed> packed;
  std::vector<double> mu;
  std::vector<JointSpring> joints;
  Eigen::VectorXd weights;  // on the bodies
  Eigen::VectorXd load;     // the multiple that was asked for
  double force{1.0};        // [N] unit of force
  double length{1.0};       // [m] unit of length
  // [N] Displacement of a contact, times the unit stiffness, where its bodies are at their places; empty: none.
  std::vector<Eigen::Vector3d> slack;
  // Of the stiffness of all bodies; null where there are so few that dense factors are quicker.
  std::shared_ptr<const BlockPattern> pattern;

  // The unit of force is the weight of all bodies and the load, so that either alone may vanish.
  SpringSystem(const ContactSystem& system, const Load& load, double multiple);
  // The same contacts under another load, in the unit of force that belongs to it.
  void set_load(const ContactSystem& system, const Load& load, double multiple);

  int size() const { return static_cast<int>(contacts.size()); }
  int forces_size() const { return 3 * size() + static_cast<int>(joints.size()); }
  int unknowns() const { return static_cast<int>(weights.size()); }
  // J, three rows a contact, six columns a body.
  Eigen::SparseMatrix<double> jacobian() const;
  Eigen::Vector3d relative(int contact, const Eigen::VectorXd& u) const;  // of b against a: block (u_b - u_a)
  Eigen::Vector3d displacement(int contact, const Eigen::VectorXd& u) const;  // the same with its slack
  // All forces, three per contact, then one per joint spring.
  Eigen::VectorXd forces(const Eigen::VectorXd& u, const SpringLaw& law) const;
  // J'f + weights + load.
  Eigen::VectorXd unbalanced(const Eigen::VectorXd& forces) const;
  // Wrenches of all forces on the bodies, as unbalanced() adds them: `take(first unknown, wrench)`.
  template <typename Take>
  void each_wrench(const Eigen::VectorXd& forces, Take take) const {
    for (int k = 0; k < size(); ++k) {
      const Contact& c = contacts[static_cast<std::size_t>(k)];
      const math::Vector6d wrench = c.block.transpose() * forces.segment<3>(3 * k);
      if (c.b >= 0) take(c.b, wrench);
      if (c.a >= 0) take(c.a, (-wrench).eval());
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const double size_of = forces[3 * size() + static_cast<Eigen::Index>(j)];
      for (const JointSpring::Part& part : joints[j].parts) take(part.body, (size_of * part.wrench).eval());
    }
  }
  // In newtons and the world's axes, one per contact.
  std::vector<Eigen::Vector3d> world_forces(const ContactSystem& system, const Eigen::VectorXd& forces) const;
  // Of the joint rows, [N m] or [N].
  std::vector<double> joint_forces(const Eigen::VectorXd& forces) const;
  // Twists about the system's origin, for contacts of that stiffness [N/m].
  std::vector<math::Vector6d> world_displacements(const Eigen::VectorXd& u, double stiffness) const;
};

struct SpringOptions {
  double anchor_stiffness{
      1e-9};                // of weak springs that tie every body to the anchor: they make the answer unique
  double tolerance{1e-12};  // of the forces' balance, in units of force
  int max_iterations{100};
};

struct SpringMinimum {
  bool converged{false};
  Eigen::VectorXd u;  // displacement of the bodies
  int iterations{0};
};

// From `start`, with weak springs towards `anchor`.
SpringMinimum minimise_springs(const SpringSystem& springs, const SpringLaw& law,
                               const Eigen::VectorXd& anchor, const Eigen::VectorXd& start,
                               const SpringOptions& options = {});

// Newton's method for laws without energy: descends the unbalanced force; from a point near the answer, or not at all.
SpringMinimum balance_springs(const SpringSystem& springs, const SpringLaw& law, const Eigen::VectorXd& start,
                              const SpringOptions& options = {});

}  // namespace prehend::stability
