// Where can it go? Poses at which an object rests in a scene, how well it holds there, and why not elsewhere.
//
// The object is a movable body of the scene, taken out first. A planner proposes poses; each is verified with the geometry of
// geometry/contact.h and the exact friction cones of stability/, and only poses that pass leave: nothing penetrates by more than 1e-6 m,
// what touches does so within 1e-6 m, all wishes hold, and the whole assembly withstands a horizontal acceleration of `margin` g.
//
// Measures of a placement, over the assembly with the object in it:
//   min_sr      least force that moves something when it pushes inwards along the normal, at any point of any movable body; faces that
//               contacts cover wholly are left out. Over a flat face 1/R is convex, so its corners decide.
//   margin_g    least horizontal acceleration of the base, any direction, that moves something.
//   robustness  least force at a movable body's centre of mass along +-x, +-y, +-z that moves something.
// Source: N chapter 5. Planners other than `automatic` are N's own and its baselines, for comparison.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/model/scene.h>
#include <prehend/stability/contact_system.h>
#include <prehend/stability/push.h>

namespace prehend::placement {

enum class Planner {
  automatic,   // "auto": support planes, exact free translations, quasi-static descent, refinement
  robustness,  // N, algorithm 5: points biased by their robustness
  uniform,     // the same with uniform points
  drop,        // simulated falls from above
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
  int count{1};            // of placements, 1 cm or 10 degrees apart
  double time_limit{5.0};  // [s] after which a search without answer ends
  std::uint64_t seed{0};
  // What touches in the scene as given. The object's own contacts always close within 1e-6 m.
  geometry::ContactOptions contact;

  void validate() const;
};

enum class PlacementStatus {
  not_computed,
  ok,
  none,       // there is none, and `proof` says why
  not_found,  // none was found; `problems` say what was tried
  unstable,   // the scene without the object falls by itself
  invalid,    // the scene without the object overlaps or floats, or has no gravity
};
const char* to_string(PlacementStatus status);

struct PlacedContact {
  model::BodyIndex body;                         // that the object touches
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};  // unit, out of that body into the object
  std::vector<Eigen::Vector3d> points_W;         // [m]
  double area{0.0};                              // [m^2]
  std::vector<std::vector<Eigen::Vector3d>> loops_W;  // [m] outlines of faces that touch
};

struct WeakestPush {
  model::BodyIndex body;
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d d_W{Eigen::Vector3d::Zero()};
  stability::Mode mode{stability::Mode::undetermined};
};

struct Placement {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  math::Pose X_WO;           // of the object's own frame
  double min_sr{kUnknown};   // [N] infinite: no push moves anything
  WeakestPush weakest;       // without body where min_sr is infinite
  double margin_g{kUnknown};
  double robustness{kUnknown};  // [N]
  // [m^3] Smallest box, in any orientation, around all movable bodies: how dense they stand (N, 5.6.2).
  double volume{kUnknown};
  std::vector<PlacedContact> contacts;
  std::vector<int> grasps;  // those that are free, by their number in the options
};

struct PlacementResult {
  PlacementStatus status{PlacementStatus::not_computed};
  Planner planner{Planner::automatic};
  std::vector<Placement> placements;  // best first
  long attempts{0};                   // poses that were verified
  std::map<std::string, long> rejected;  // reason -> count
  std::string proof;                     // of `none`: one sentence
  std::vector<std::string> problems;     // sentences
  std::string object_name;
  std::vector<std::string> body_names;  // of the scene, by model::BodyIndex

  std::string brief_report() const;
  // {"status","planner","object","X_WO","min_sr_N","weakest":{body,p_W_m,d_W,mode},"margin_g","robustness_N","volume_m3",
  //  "contacts":[{body,n_W,points_W_m,area_m2}],"grasps":[],"placements":[the same],"attempts","rejected":{},"problems":[]}; without
  // an answer status, attempts, rejected, proof and problems. An unbounded min_sr_N or robustness_N is null with "unbounded": true.
  std::string to_json(bool all_placements = false) const;
};

// `object` is a movable body of the scene; where it stands does not matter. Throws std::invalid_argument for bad options, names that do not
// exist, and a body that cannot be placed: fixed, on a joint, massless or without a closed shape.
PlacementResult place(const model::Scene& scene, model::BodyIndex object, const PlacementOptions& options = {});

}  // namespace prehend::placement
