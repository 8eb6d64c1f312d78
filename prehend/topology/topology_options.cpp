#include <algorithm>
#include <stdexcept>

#include <prehend/math/house/option_check.h>
#include <prehend/topology/topology_options.h>

namespace prehend::topology {

using model::JointType;

void TopologyOptions::validate() const {
  const math::OptionCheck check("TopologyOptions");
  check.holds(!types.empty(), "types", "empty", "at least one type");
  const std::vector<JointType> known = TopologyOptions{}.types;
  for (const JointType type : types) {
    check.holds(std::find(known.begin(), known.end(), type) != known.end(), "types",
                std::string("a list with ") + to_string(type),
                "of rigid, prismatic, revolute, screw and spherical");
    check.holds(std::count(types.begin(), types.end(), type) == 1, "types",
                std::string("a list with ") + to_string(type) + " twice", "without repetition");
  }
  if (pose_noise) {
    check.at_least("pose_noise.position", pose_noise->position, 0.0, "m");
    check.at_least("pose_noise.angle", pose_noise->angle, 0.0, "rad");
  }
  if (force_noise) check.at_least("force_noise", *force_noise, 0.0, "N");
  if (torque_noise) check.at_least("torque_noise", *torque_noise, 0.0, "N m");
  check.at_least("largest_friction_torque", largest_friction_torque, 0.0, "N m");
  check.at_least("largest_friction_force", largest_friction_force, 0.0, "N");
  check.holds(sure > 0.5 && sure < 1.0, "sure", std::to_string(sure), "above 0.5 and below 1");
  check.at_least("threads", threads, 0);
}

void OnlineTopologyOptions::validate() const {
  topology.validate();
  const math::OptionCheck check("OnlineTopologyOptions");
  check.at_least("kept_frames", kept_frames, 16);
  check.at_least("kept_windows", kept_windows, 4);
  check.above("block_duration", block_duration, 0.0, "s");
  check.above("work_interval", work_interval, 0.0, "s");
}

const char* hypothesis_name(JointType type) { return type == JointType::rigid ? "fixed" : to_string(type); }

std::vector<JointType> hypothesis_types(const std::vector<std::string>& names) {
  const std::vector<JointType> known = TopologyOptions{}.types;
  std::vector<JointType> types;
  for (const std::string& name : names) {
    const auto type =
        std::find_if(known.begin(), known.end(), [&](JointType one) { return name == hypothesis_name(one); });
    if (type == known.end())
      throw std::invalid_argument("no hypothesis is called '" + name +
                                  "'; there are fixed, prismatic, revolute, screw and spherical");
    types.push_back(*type);
  }
  return types;
}

}  // namespace prehend::topology
