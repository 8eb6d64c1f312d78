// What is asked of a placement: planner, objective, and what the pose must obey.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <prehend/geometry/contact_patch.h>
#include <prehend/math/pose.h>
#include <prehend/stability/margins.h>

namespace prehend::placement {

enum class Planner {
  automatic,   // "auto": support planes, exact free translations, quasi-static descent, refinement
  robustness,  // N, algorithm 5: points biased by their robustness
  uniform,     // the same with uniform points
  drop,        // simulated falls from above
  slow_drop,   // the same at a hundredth of the gravity, as in N, 5.6.1
  heightmap,   // least height over a grid (Wang and Hauser 2021)
  chance,      // random poses
};
const char* to_string(Planner planner);  // "auto", "robustness", ...
std::optional<Planner> planner_of(std::string_view text);

enum class Objective {
  robust,  // largest min_sr
  first,   // whatever is found first
  low,     // lowest centre of mass of the object
  near,    // centre of mass of the object nearest to near_W
};
const char* to_string(Objective objective);

// Along the world's axes.
struct AxisBox {
  Eigen::Vector3d lower{Eigen::Vector3d::Zero()}, upper{Eigen::Vector3d::Zero()};  // [m]
};

struct GripperBox {
  Eigen::Vector3d half{Eigen::Vector3d::Zero()};  // [m] half lengths
  math::Pose X_G;                                 // in the gripper's frame
};

struct Grasps {
  std::vector<GripperBox> gripper;
  std::vector<math::Pose> X_OG;  // the gripper in the object's frame
};

struct PlacementOptions {
  Planner planner{Planner::automatic};
  Objective objective{Objective::robust};
  Eigen::Vector3d near_W{Eigen::Vector3d::Zero()};  // [m]
  std::vector<std::string> touch;                   // bodies it may touch; empty: any
  std::optional<AxisBox> region;                    // it lies wholly inside
  std::vector<AxisBox> keep_out;                    // it lies wholly outside each
  std::optional<double> upright;                    // [rad] its z axis is that close to the vertical
  double clearance{0.0};                            // [m] from every body that it does not touch
  std::optional<Eigen::Vector3d> approach_W;        // direction of the last 0.2 m, which are free; any length
  std::optional<Grasps> grasps;                     // at least one of them is free
  double pose_error{0.0};  // [m] it still holds when it lands this far off in any horizontal direction
  // [g] A twentieth of what a careless touch of the table does; enough that no balance on an edge passes.
  double margin{0.02};
  // Intervals of friction, masses and outlines of contacts: the margin holds for everything inside them.
  stability::MarginOptions intervals;
  int count{1};            // of placements, 1 cm or 10 degrees apart
  double time_limit{5.0};  // [s] after which a search without answer ends
  std::uint64_t seed{0};
  // What touches in the scene as given. The object's own contacts always close within 1e-6 m.
  geometry::ContactOptions contact;

  void validate() const;
};

}  // namespace prehend::placement
