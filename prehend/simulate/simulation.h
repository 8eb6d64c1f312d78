// Rigid-body physics of a scene: step, read, push, remember and go back.
//
// The engine is MuJoCo; its contacts are soft (a resting body sinks by about 1e-5 of what it weighs in
// typical scenes), its friction cone is the exact one unless asked otherwise, and mesh geoms collide with
// their convex hulls: notes() says where that matters. Same scene, options and calls give the same numbers,
// bit for bit, on one machine.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/math/spatial.h>
#include <prehend/model/scene.h>

namespace prehend::simulate {

// The engine refused the scene, or the simulation exploded: names body and time where there are any.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SimulationOptions {
  // [s] Half of what MuJoCo's default scenes use: stacks of light blocks stay quiet.
  double timestep{0.001};
  // [s] Time constant of contacts: the engine's own default, at least two time steps. Chosen on one scene, a block that
  // slides down a slope 0.05 rad above its friction angle: with 0.004 it chatters and its mean acceleration is 10 % too
  // small, with 0.02 it is 0.7 % too small. Other stiffness ratios and time steps there gave errors up to 1.6 % at 0.02.
  double contact_time_constant{0.02};
  // Ratio of frictional to normal stiffness: above 1 slows creep under friction.
  double friction_to_normal_impedance{10.0};
  // Exact (elliptic) friction cone; false: the four-sided pyramid.
  bool exact_cone{true};
  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

struct SimulatedContact {
  model::GeomRef a, b;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};  // unit, from a to b
  Eigen::Vector3d f_W{Eigen::Vector3d::Zero()};  // [N] on b
  double gap{0.0};                               // [m] negative: penetration
};

class Simulation {
 public:
  explicit Simulation(const model::Scene& scene, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const model::Scene& scene() const;
  // The scene with every body where it is now.
  model::Scene scene_now() const;
  // How the engine's physics differs from the scene, one sentence each.
  const std::vector<std::string>& notes() const;

  double time() const;  // [s]
  // Advances by `count` time steps. Throws SimulationError when a number leaves the finite world.
  void step(int count = 1);
  // Steps until time() has passed `seconds` more.
  void run(double seconds);

  math::Pose X_WB(model::BodyIndex body) const;
  // Velocity of the body's origin, in the world's axes.
  math::Twist velocity(model::BodyIndex body) const;
  void set_pose(model::BodyIndex body, const math::Pose& X_WB);         // movable bodies only
  void set_velocity(model::BodyIndex body, const math::Twist& V_WB_W);  // movable bodies only

  // States of a joint with one freedom ([rad] or [m]; a screw's is its angle).
  double joint_state(model::JointIndex joint) const;
  double joint_velocity(model::JointIndex joint) const;
  void set_joint_state(model::JointIndex joint, double state, double velocity = 0.0);
  // Acts until changed: [N m] or [N].
  void set_joint_force(model::JointIndex joint, double force);

  // Acts on the body until cleared; several add up. Moment about the point p_W, given in the world's axes;
  // the point and the axes stay where they are when the body moves.
  void apply_wrench(model::BodyIndex body, const math::Wrench& F_W, const Eigen::Vector3d& p_W);
  void clear_wrenches();

  std::vector<SimulatedContact> contacts() const;
  // Sum of all contact forces on the body, moment about its origin, in the world's axes.
  math::Wrench contact_wrench(model::BodyIndex body) const;
  // What a force-torque sensor between the body and its parent would measure: the wrench that the parent exerts
  // on the body (with all that hangs on it), moment about the body's origin, in the world's axes.
  math::Wrench parent_wrench(model::BodyIndex body) const;

  double kinetic_energy() const;  // [J]
  math::Wrench momentum() const;  // linear [N s] in `force`, angular about the world's origin in `moment`

  // Everything that decides the future: restoring and stepping again gives the same numbers.
  struct AppliedWrench {
    model::BodyIndex body;
    math::Wrench F_W;     // moment about p_W
    Eigen::Vector3d p_W;  // [m]
  };
  struct Snapshot {
    std::vector<double> numbers;
    std::vector<AppliedWrench> wrenches;
  };
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace prehend::simulate
