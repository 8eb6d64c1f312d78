// Which push would be worth most for the joints that are not identified yet?
//
// A push on a held link crosses a joint towards the links on its other side: all of it where another hand or the world holds them,
// otherwise the share that accelerates them, about their part of the mass. What it loads of a freedom s that was not tested is |s . F|. Its
// worth is the sum over untested freedoms of log(1 + (load / friction)^2): joints that friction could hold anyway
// are worth little, those loaded well beyond it nothing more. Candidates are forces along and moments about 13 directions of each held link.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/topology/found_joint.h>
#include <prehend/topology/recording.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

struct PushOptions {
  // [N] [N m] What a hand does without effort.
  double force{5.0}, moment{0.5};
};

struct PushSuggestion {
  bool is_useful{false};  // false: all joints are identified, or no push of these loads what is open
  int link{0};            // held
  bool is_moment{false};  // turn about the direction rather than push along it
  Eigen::Vector3d direction_L{Eigen::Vector3d::UnitX()};  // unit, in the link's axes; either sign
  double worth{0.0};
  std::vector<int> joints;  // that it loads beyond friction
  std::string sentence;
};

// Poses of all links now.
PushSuggestion suggest_push(const ArticulatedObject& object, const std::vector<math::Pose>& X_WL,
                            const std::vector<int>& held, bool base_is_fixed,
                            const std::vector<FoundJoint>& joints, const TopologyOptions& topology = {},
                            const PushOptions& options = {});
// At the end of a recording.
PushSuggestion suggest_push(const ArticulatedObject& object, const Recording& recording,
                            const std::vector<FoundJoint>& joints, const TopologyOptions& topology = {},
                            const PushOptions& options = {});

}  // namespace prehend::topology
