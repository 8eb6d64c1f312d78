#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/placement/placement_options.h>

namespace prehend::placement {

const char* to_string(Planner planner) { return planner == Planner::automatic ? "auto" : enum_text(planner); }

std::optional<Planner> planner_of(std::string_view text) {
  if (text == "auto") return Planner::automatic;
  return text == "automatic" ? std::nullopt : from_string<Planner>(text);
}

const char* to_string(Objective objective) { return enum_text(objective); }

void PlacementOptions::validate() const {
  const math::OptionCheck check("PlacementOptions");
  check.at_least("margin", margin, 0.0, "g");
  intervals.validate();
  check.at_least("clearance", clearance, 0.0, "m");
  check.at_least("pose_error", pose_error, 0.0, "m");
  check.between("count", count, 1, 1000);
  check.above("time_limit", time_limit, 0.0, "s");
  if (upright) check.between("upright", *upright, 0.0, math::kPi, "rad");
  for (int k = 0; k < 3; ++k) check.finite("near_W", near_W[k], "m");
  const auto check_box = [&](const char* field, const AxisBox& box) {
    for (int k = 0; k < 3; ++k) {
      check.finite(field, box.lower[k], "m");
      check.finite(field, box.upper[k], "m");
    }
    check.holds((box.lower.array() < box.upper.array()).all(), field, "inside out or flat",
                "a box: its first three numbers below its last three");
  };
  if (region) check_box("region", *region);
  for (const AxisBox& box : keep_out) check_box("keep_out", box);
  if (approach_W) {
    for (int k = 0; k < 3; ++k) check.finite("approach_W", (*approach_W)[k]);
    check.holds(approach_W->norm() > 0.0, "approach_W", "zero", "a direction");
  }
  if (grasps) {
    check.holds(!grasps->gripper.empty(), "grasps", "without a gripper", "boxes of a gripper and poses");
    check.holds(!grasps->X_OG.empty(), "grasps", "without poses", "boxes of a gripper and poses");
  }
}

}  // namespace prehend::placement
