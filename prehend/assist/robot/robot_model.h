// A robot as a tree of segments on a base that moves in the plane: what the controller and the simulation both compute with.
//
// Segment 0 carries the base; segment j + 1 is what joint j moves, with everything welded to it. Links keep their names as frames
// on segments. Joints without a motor, and those that follow another, stand still where the file has them. Every collision shape is
// enclosed by a capsule; a capsule or ball is its own, a cylinder's rim is rounded off. Lengths are bounded by kMaxJoints, so that no computation on a
// robot allocates.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>

namespace prehend::assist {

inline constexpr int kMaxJoints = 32;
inline constexpr int kBaseFreedoms = 3;  // x, y, yaw
inline constexpr int kMaxFreedoms = kMaxJoints + kBaseFreedoms;
inline constexpr int kMaxCapsules = 64;

using Freedoms = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxFreedoms, 1>;
using FreedomMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxFreedoms, kMaxFreedoms>;

struct RobotJoint {
  std::string name;
  int parent{0};    // segment
  math::Pose X_PC;  // the child segment in the parent at zero
  Eigen::Vector3d axis_C{Eigen::Vector3d::UnitZ()};
  bool is_prismatic{false};
  double lower{0.0}, upper{0.0};  // [rad] or [m]
  double speed{0.0};              // [rad/s] or [m/s]
  double effort{0.0};             // [N m] or [N]
  double friction{0.0};           // [N m] or [N], dry
};

struct RobotSegment {
  double mass{0.0};                                // [kg]
  Eigen::Vector3d com{Eigen::Vector3d::Zero()};    // [m]
  Eigen::Matrix3d I_com{Eigen::Matrix3d::Zero()};  // [kg m^2]
};

struct RobotFrame {
  std::string name;
  int segment{0};
  math::Pose X_SF;
};

struct RobotCapsule {
  std::string link;
  int segment{0};
  Eigen::Vector3d a_S{Eigen::Vector3d::Zero()}, b_S{Eigen::Vector3d::Zero()};  // [m] ends of the axis
  double radius{0.0};                                                          // [m]
};

struct RobotModel {
  std::string name;
  std::vector<RobotJoint> joints;
  std::vector<RobotSegment> segments;  // joints + 1
  std::vector<RobotFrame> frames;      // one per link
  std::vector<RobotCapsule> capsules;
  std::vector<std::string> notes;  // sentences

  int joint_count() const { return static_cast<int>(joints.size()); }
  int freedoms() const { return joint_count() + kBaseFreedoms; }
  double mass() const;
  int find_joint(std::string_view joint) const;  // -1: none
  int find_frame(std::string_view link) const;   // -1: none
  // "a, b and c", for messages.
  std::string joint_names() const;
};

// Throws model::InputError: no such file, half a URDF, a joint of several freedoms, too many joints, limits that are missing.
RobotModel read_robot(const std::string& urdf_path);
RobotModel robot_from_text(const std::string& urdf, const std::string& name);
// data/robots/wheeled_humanoid.urdf, which is built in.
RobotModel built_in_robot();

}  // namespace prehend::assist
