// A URDF file as plain data, before it becomes a Scene.
//
// URDF knows fewer things than a scene; our writer keeps the rest in <prehend .../> elements, which other
// readers skip:
//   robot:     <prehend gravity="x y z"> with <pair geom1 geom2 friction condim/>, <body_pair body1 body2
//   friction/>,
//              <exclude body1 body2/> inside
//   collision: <prehend friction priority contype conaffinity condim shape size/>; `shape` and `size` name a
//   primitive that
//              URDF lacks, whose mesh is beside the file
//   link:      <prehend frame="x y z"/>: the body frame's origin in the link frame (URDF puts link frames on
//   their joint);
//              <prehend part_of="joint" type="universal"/>: an empty link inside a joint of several freedoms
//   joint:     <prehend reference="q" axis2="x y z"/>, <prehend implicit="true"/>: the body is fixed without
//   a joint
// A screw is a hinge and a slide that mimics it, around an empty link; that pattern is folded back from any
// file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/model/scene.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

struct UrdfLink {
  std::string name;
  int line{0};
  bool has_inertial{false};
  math::SpatialInertia inertia;  // in the link frame
  int inertia_line{0};
  std::vector<Geom> geoms;                        // X_BG in the link frame
  Eigen::Vector3d p_LB{Eigen::Vector3d::Zero()};  // [m] body frame's origin in the link frame
  std::string part_of;                            // joint that this empty link is inside of
  std::optional<JointType> part_type;

  bool is_empty() const { return !has_inertial && geoms.empty(); }
};

struct UrdfJoint {
  std::string name, type, parent, child;
  int line{0};
  math::Pose X_PL;  // child's link frame in the parent's link frame at state zero
  Eigen::Vector3d axis{Eigen::Vector3d::UnitX()};  // unit, in the child's link frame
  Eigen::Vector3d axis2{Eigen::Vector3d::UnitX()};
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  double speed_limit{std::numeric_limits<double>::infinity()};
  std::string mimic;  // joint that drives this one; empty: none
  double multiplier{1.0}, offset{0.0};
  double reference{0.0};
  bool is_implicit{false};
  double effort{0.0};    // [N m] or [N] of <limit effort>; 0: none is given
  double friction{0.0};  // [N m] or [N] of <dynamics friction>

  bool is_hinge() const { return type == "revolute" || type == "continuous"; }
};

struct UrdfPair {
  std::string a, b;
  double friction{1.0};
  int condim{3};
};

struct UrdfModel {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::optional<Eigen::Vector3d> gravity;
  std::vector<UrdfPair> geom_pairs, body_pairs, excluded;
  std::vector<std::string> driven;  // joints of <transmission> and <ros2_control>
  std::vector<std::string> notes, problems;
};

// Every element checked on its own; names, tree and joints between them are checked by read_urdf().
UrdfModel parse_urdf(const std::string& text, const std::string& file, const SceneOptions& options);

}  // namespace prehend::model
