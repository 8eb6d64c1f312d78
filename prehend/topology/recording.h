// An object of links whose joints are not known, and a recording of it in the hands.
//
// Links form a tree: which link hangs on which is known (the order of the object's file), how it hangs is not. While the
// object is moved, the pose of every link and the wrench at every held link are recorded. Wrenches act on the object, in
// the held link's own axes and about its origin. Where the base is fixed to the world, what the world exerts on it
// need not be recorded.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/inertia.h>
#include <prehend/math/pose.h>
#include <prehend/math/spatial.h>

namespace prehend::topology {

struct Link {
  std::string name;
  math::SpatialInertia inertia;  // in the link's frame
  int parent{-1};                // index of a link before this one; -1: the base
  std::string joint;             // name of the joint to the parent; empty for the base
};

struct ArticulatedObject {
  std::string name;
  std::vector<Link> links;           // parents before children; links[0] is the base
  std::vector<std::string> notes{};  // how the links of a file became these, where not one by one

  // Joint j connects links[j + 1] to its parent.
  int joints() const { return static_cast<int>(links.size()) - 1; }
};

struct HeldLink {
  int link{0};
  std::vector<math::Wrench> F_L;  // per row: on the object, in the link's axes, about its origin
};

// What a result says of the recording that it was made from.
struct RecordingFacts {
  std::size_t rows{0};
  bool base_is_fixed{false};
  bool is_complete{true};
  Eigen::Vector3d gravity_W{0.0, 0.0, -9.81};  // [m/s^2]
};

struct Recording {
  std::vector<double> t;                       // [s] increasing
  std::vector<std::vector<math::Pose>> X_WL;   // [link][row]
  std::vector<HeldLink> held;                  // all links that anything but gravity and joints acts on
  Eigen::Vector3d gravity_W{0.0, 0.0, -9.81};  // [m/s^2]
  // The base is fixed to the world: it does not move, and an unknown wrench acts on it, unless link 0 is among the held.
  bool base_is_fixed{false};

  std::size_t rows() const { return t.size(); }
  // Whether nothing that acts on the object is missing.
  bool is_complete() const;
  RecordingFacts facts() const { return {rows(), base_is_fixed, is_complete(), gravity_W}; }
};

// Throws std::invalid_argument naming what is wrong: sizes that differ, a parent that does not come before its child,
// held links that are none, times that do not increase, numbers that are not finite.
void validate(const ArticulatedObject& object, const Recording& recording);

}  // namespace prehend::topology
