// Grasps of the object and the gripper's boxes: {"gripper":[{"half_m":[x,y,z],"X_G":pose}],"grasps":[X_OG,...]}.
#pragma once

#include <string>

#include <prehend/placement/placement_options.h>

namespace prehend::placement {

// Throws model::InputError with file and line: not JSON, a missing or unknown key, no box, no grasp, a box without size, a pose that is none.
Grasps read_grasps(const std::string& path);
Grasps parse_grasps(const std::string& text, const std::string& name);

}  // namespace prehend::placement
