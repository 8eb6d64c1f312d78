// What a robot may do while it wields an object: joint limits, the speed of everything it holds, room to move in.
//
// The object is a ball of radius r about c. When the sensor turns with w and c moves with v, the fastest point of the
// ball moves with
//   |v|^2 + r^2 |w|^2 + 2 r |v x w|   (squared),
// exactly: points of the ball add any vector up to r |w| across w to v. Limits are checked on a grid much denser than
// the one a plan was made on, and reported with what is left to each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <prehend/inertia/joint_motion.h>
#include <prehend/math/inertia.h>
#include <prehend/model/joint_chain.h>

namespace prehend::inertia {

// What is known of the object before it is weighed: roughly how heavy, how large, where.
struct ExpectedObject {
  double mass{0.5};   // [kg]
  double size{0.15};  // [m] diameter of the ball that holds it
  // [m] centre of the ball in the sensor's frame; absent: in front of the sensor along z, touching its origin.
  std::optional<Eigen::Vector3d> centre_S{};

  Eigen::Vector3d centre() const { return centre_S ? *centre_S : Eigen::Vector3d(0.0, 0.0, radius()); }
  double radius() const { return 0.5 * size; }
  math::SpatialInertia inertia_S() const;  // of the cube that fits into the ball
};

struct MotionLimits {
  // [m/s] of the sensor's origin and of every point of the object: 0.25 is the reduced speed of ISO 10218-1.
  double tool_speed{0.25};
  // [rad/s] or [m/s] for joints whose model has none; the smaller one counts where both do.
  double joint_speed{3.0};
  // [rad/s^2] or [m/s^2]; models carry none. Arms for shared spaces allow 10 to 40.
  double joint_acceleration{10.0};
  // Share of each joint's range left free at both ends, so that a controller's overshoot meets no stop.
  double position_margin{0.02};
  // [m] the ball stays inside this box of the world (a floor: lower z alone, the rest infinite).
  std::optional<Eigen::AlignedBox3d> workspace_W{};
  // [m] and outside of these.
  std::vector<Eigen::AlignedBox3d> keep_out_W{};

  // Narrows the workspace to what lies above this height of the world, a floor. [m]
  void keep_above(double z);
  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

// Bounds of one joint, the model's and the options' together. Throws as validate() when nothing is left.
struct JointBounds {
  Eigen::VectorXd lower, upper;         // [rad] or [m]; infinite where there are none
  Eigen::VectorXd speed, acceleration;  // finite
};
JointBounds joint_bounds(const model::JointChain& chain, const MotionLimits& limits);

// Squared speed of the fastest point of the ball. [m^2/s^2]
double squared_ball_speed(const Eigen::Vector3d& v_centre, const Eigen::Vector3d& w, double radius);

// How close a motion comes to one limit.
struct LimitUse {
  std::string of;  // "tool speed", "position of 'bend'"
  std::string unit;
  double value{0.0};   // where it is closest
  double limit{0.0};   // the bound that it meets there; infinite: none
  double margin{0.0};  // what is left, in the same unit; negative: broken
  double t{0.0};       // [s] when
};

struct LimitReport {
  LimitUse tool_speed;
  std::vector<LimitUse> position, speed, acceleration;  // one per joint
  std::optional<LimitUse> room;  // distance of the ball to the workspace's bounds, when asked

  bool hold() const;
  std::vector<std::string> broken() const;  // one sentence each
};

// `nodes` instants, equally spaced.
LimitReport check_limits(const model::JointChain& chain, const JointMotion& motion,
                         const ExpectedObject& object, const MotionLimits& limits, int nodes = 4000);

// Distance from the ball to what it must not touch; negative when it does. Infinite without workspace and boxes. [m]
double clearance(const Eigen::Vector3d& centre_W, double radius, const MotionLimits& limits);

}  // namespace prehend::inertia
