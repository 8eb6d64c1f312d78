// Joints between bodies, with one convention for all file formats.
//
// At state zero the child C stands at X_PC in the parent P. The joint's motion is described in the child's
// own frame: axis_C and the anchor point p_CJ on it. A revolute state q [rad] turns the child by q about the
// axis through the anchor, a prismatic state [m] shifts it along the axis, a screw state [rad] does both,
// shifting pitch * q.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include <prehend/math/index.h>
#include <prehend/math/pose.h>
#include <prehend/model/body.h>

namespace prehend::model {

using JointIndex = math::Index<struct JointTag>;

enum class JointType { rigid, prismatic, revolute, screw, cylindrical, universal, spherical, planar, free };

// "rigid", "prismatic", ...
const char* to_string(JointType type);

struct Joint {
  std::string name;
  JointType type{JointType::rigid};
  BodyIndex parent;
  BodyIndex child;
  math::Pose X_PC;                                // child in parent at state `reference`
  Eigen::Vector3d p_CJ{Eigen::Vector3d::Zero()};  // [m] anchor: a point on the axis, or the centre, in C
  Eigen::Vector3d axis_C{
      Eigen::Vector3d::UnitZ()};  // unit; the normal of a planar joint; unused by rigid, spherical, free
  Eigen::Vector3d axis2_C{
      Eigen::Vector3d::UnitX()};  // unit; universal: the second axis; planar: a direction in the plane
  // State limits, [rad] or [m] (screw: [rad]); infinite where there are none. Of the first state for several.
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  double pitch{0.0};      // [m/rad] screw: advance along the axis per turn angle
  double reference{0.0};  // [rad] or [m] state at which X_PC holds (MuJoCo's `ref`; 0 in other formats)
  // [rad/s] or [m/s] (screw: [rad/s]); infinite where the file has none, and MJCF never has one.
  double speed_limit{std::numeric_limits<double>::infinity()};

  // What acts along the joint's freedoms, [N m] about an axis or [N] along one, of each freedom where there are several.
  // A motor holds the state with at most this much: 0 has none, infinite never yields.
  double motor{0.0};
  double friction{0.0};  // dry friction: at most this much against any motion
  double spring{0.0};    // what a spring exerts as posed, towards larger states
  double stiffness{0.0};  // of that spring, [N m/rad] or [N/m]

  // Carries all six components, whatever the load: child and parent are one body.
  bool is_held() const {
    return type == JointType::rigid || motor == std::numeric_limits<double>::infinity();
  }
  bool has_limits() const {
    return lower > -std::numeric_limits<double>::infinity() ||
           upper < std::numeric_limits<double>::infinity();
  }
};

}  // namespace prehend::model
