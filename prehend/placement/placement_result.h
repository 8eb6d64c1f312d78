// A placement, how well it holds, and the answer of place().
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/model/body.h>
#include <prehend/placement/placement_options.h>
#include <prehend/stability/push.h>

namespace prehend::placement {

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
  model::BodyIndex body;                              // that the object touches
  Eigen::Vector3d n_W{Eigen::Vector3d::Zero()};       // unit, out of that body into the object
  std::vector<Eigen::Vector3d> points_W;              // [m]
  double area{0.0};                                   // [m^2]
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
  math::Pose X_WO;          // of the object's own frame
  double min_sr{kUnknown};  // [N] infinite: no push moves anything
  WeakestPush weakest;      // without body where min_sr is infinite
  double margin_g{kUnknown};
  double robustness{kUnknown};  // [N]
  // What of margin_g and min_sr holds for everything inside the intervals of the options; unknown without intervals.
  double guaranteed_margin_g{kUnknown}, guaranteed_min_sr{kUnknown};  // [g], [N]
  // [m^3] Smallest box, in any orientation, around all movable bodies: how dense they stand (N, 5.6.2).
  double volume{kUnknown};
  std::vector<PlacedContact> contacts;
  std::vector<int> grasps;  // those that are free, by their number in the options
};

struct PlacementResult {
  PlacementStatus status{PlacementStatus::not_computed};
  Planner planner{Planner::automatic};
  int count{1};                          // placements that were asked for
  std::vector<Placement> placements;     // best first
  long attempts{0};                      // poses that were judged
  std::map<std::string, long> rejected;  // reason -> count
  std::string proof;                     // of `none`: one sentence
  std::vector<std::string> problems;     // sentences
  // Bodies that move at less than the margin without the object, with those that they bear or rest on: left out of the measures of a placement that does not touch them.
  std::vector<model::BodyIndex> loose;
  std::string object_name;
  std::vector<std::string> body_names;  // of the scene, by model::BodyIndex

  std::string brief_report() const;
  // {"status","planner","object","X_WO","min_sr_N","weakest":{body,p_W_m,d_W,mode},"margin_g","robustness_N","volume_m3",
  //  "contacts":[{body,n_W,points_W_m,area_m2}],"grasps":[],"placements":[the same],"attempts","rejected":{},"loose":[],"problems":[]}; with
  // intervals "guaranteed":{margin_g,min_sr_N}, min_sr_N null where it is not known or unbounded. Without an answer status, attempts, rejected, proof and problems. An unbounded min_sr_N or robustness_N is null with "unbounded": true.
  // "placements" are listed where more than one was asked for.
  std::string to_json() const;
};

}  // namespace prehend::placement
