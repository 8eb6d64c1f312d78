// A scene: bodies, joints, gravity and the friction between them, in SI units and one world frame W.
//
// bodies[0] is always the fixed body `world`; geoms of the world belong to it, and it is parent of whatever
// stands free. A body with a free joint is movable, everything else is fixed where the file puts it. A body
// welded (rigid joint, or none) to a movable body is merged into it: its geoms and inertia move to the
// movable body, in that body's frame, and `notes` says so. A body on another joint moves as the joint allows,
// unless a motor holds it (Joint::motor).
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/body.h>
#include <prehend/model/joint.h>

namespace prehend::model {

struct GeomRef {
  BodyIndex body;
  GeomIndex geom;
  friend bool operator==(const GeomRef&, const GeomRef&) = default;
};

// An explicit pair overrides every rule, also the contact filter.
struct GeomPair {
  GeomRef a, b;
  double friction{1.0};  // [-]
  int condim{3};
};
struct BodyPair {
  BodyIndex a, b;
  double friction{1.0};  // [-]
};
struct ExcludedPair {
  BodyIndex a, b;
};

// A force along sum of ratio * (rate of the joint's first state) + direction * (velocity of a point): gears, mimicking joints, a motor
// that pulls several at once; ropes and other tendons, where that sum is the rate of their length. Without bounds the rate is 0.
struct JointCoupling {
  struct Term {
    JointIndex joint;
    double ratio{1.0};
  };
  struct Point {
    BodyIndex body;
    Eigen::Vector3d p_B{Eigen::Vector3d::Zero()};          // [m]
    Eigen::Vector3d direction_W{Eigen::Vector3d::Zero()};  // as posed; length over way
  };
  std::string name;
  std::vector<Term> terms;
  std::vector<Point> points;
  // [N], or [N m] where the sum is an angle: a taut rope has no lower bound, and 0 above.
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  bool is_rigid() const { return std::isinf(lower) && std::isinf(upper); }
};

struct Scene {
  std::string name;
  std::string format;                          // "mjcf", "urdf", "sdf", "compas", "arrangement"
  Eigen::Vector3d gravity_W{0.0, 0.0, -9.81};  // [m/s^2]
  std::vector<Body> bodies;
  std::vector<Joint> joints;  // a tree
  // Joints that close loops of the tree (MJCF <connect>, <weld>), as posed. They hold; writers and engine leave them out.
  std::vector<Joint> loop_joints;
  std::vector<JointCoupling> couplings;
  std::vector<GeomPair> geom_pairs;
  std::vector<BodyPair> body_pairs;
  std::vector<ExcludedPair> excluded_pairs;
  // Of two geoms' coefficients the smaller one holds, as SDF's engines take it; false: the larger, as MuJoCo does.
  bool smaller_friction{false};
  std::vector<std::string> notes;     // what the reader converted or assumed, one sentence each
  std::vector<std::string> problems;  // what deserves a look, one sentence each; errors are thrown instead

  Scene();  // with the body `world`

  BodyIndex world() const { return BodyIndex(0); }
  // Invalid when there is none.
  BodyIndex find_body(std::string_view body_name) const;
  // All bodies that mean something to a reader: `world` only when it has geoms.
  std::vector<BodyIndex> listed_bodies() const;
  const Geom& geom(GeomRef ref) const { return bodies[ref.body].geoms[ref.geom]; }
  // The geom's mesh in the world frame.
  geometry::TriangleMesh mesh_W(GeomRef ref) const;
  std::size_t triangle_count() const;
  double extent() const;  // [m] diagonal of the box around all meshes but planes, in the world
  // By body: bodies of one number move as one, through welds and held joints; 0: fixed to the world.
  std::vector<int> rigid_groups() const;
  std::string brief_report() const;
};

}  // namespace prehend::model
