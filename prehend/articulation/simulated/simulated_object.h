// Articulated objects made up by the program: a tree of parts, the joints between them, and their shapes.
//
// Source K draws its test objects by hand; these are random (seeded), or the objects that K filmed, by name. A part's frame
// lies in the middle of a box that stands for its body. Joints follow model::Joint, with the part numbers as body numbers:
// joint j moves part j + 1 against a part of lower number, so a walk over the joints in order places everything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/joint.h>

namespace prehend::articulation {

struct SimulatedPart {
  std::string name;
  Eigen::Vector3d size{Eigen::Vector3d::Constant(0.1)};  // [m] of the box around the part's origin
};

struct SimulatedJoint {
  model::Joint joint;
  // [rad] or [m] Range of each state.
  std::vector<double> lower, upper;
  // A joint that closes a loop has no freedom of its own: its first state is ratio * (that of joint `follows`). -1: free.
  int follows{-1};
  double ratio{1.0};
};

struct SimulatedObject {
  std::string name;
  std::vector<SimulatedPart> parts;    // part 0 is the root
  std::vector<SimulatedJoint> joints;  // one per further part
  // Pairs of parts that a loop ties together beside the tree, for the truth; the tree's coupled states keep it closed.
  struct Loop {
    int part_a{0}, part_b{0};
    model::JointType type{model::JointType::revolute};
  };
  std::vector<Loop> loops;

  int degrees_of_freedom() const;  // independent states
  // Throws std::invalid_argument, naming what is wrong.
  void validate() const;
};

struct RandomObjectOptions {
  int parts{6};
  // Types drawn from, each as likely as the others; K's own are rigid, prismatic, revolute.
  std::vector<model::JointType> types{model::JointType::prismatic, model::JointType::revolute};
  // [m] Distance between the origins of parent and child. That of things on a table.
  double spacing_min{0.2}, spacing_max{0.5};
  // [m] Largest distance from a child's origin to its joint's axis: a handle, a lid, a lever.
  double lever_max{0.3};
  // [rad] Travel of an angular state; at least 60 deg, so that a hinge and a slider can be distinguished.
  double turn_min{1.0472}, turn_max{3.1416};
  // [m] Travel of a sliding state.
  double slide_min{0.2}, slide_max{0.5};
  // [m/rad] Largest size of a screw's pitch; the smallest is a fifth of it.
  double pitch_max{0.05};
  // Probability that a new part hangs on the one made before it (a chain) and not on any part.
  double chain{0.5};
  std::uint64_t seed{0};

  void validate() const;
};

SimulatedObject random_object(const RandomObjectOptions& options = {});

// "lamp": source K's swing-arm lamp as K's models see it (three hinges, and the linkage as a slide). "lamp_linkage": the same
// with both bars of the linkage as parts, a loop. "arm": K's robot arm, five parts, four hinges. "chair": K's figure 1.
// Throws std::invalid_argument that lists the names.
SimulatedObject named_object(std::string_view name);
const std::vector<std::string>& object_names();

}  // namespace prehend::articulation
