#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

void SceneOptions::validate() const {
  const math::OptionCheck check("SceneOptions");
  check.at_least("friction", friction, 0.0);
  check.above("density", density, 0.0, "kg/m3");
  check.holds(round_segments >= 8 && round_segments <= 4096 && round_segments % 4 == 0, "round_segments",
              std::to_string(round_segments), "a multiple of 4 from 8 to 4096");
  check.between("max_depth", max_depth, 1, 400);
  for (const JointTorque& given : joint_torques) {
    check.holds(given.torque >= 0.0, "joint_torques", given.joint + "=" + math::number_text(given.torque),
                "at least 0");
  }
}

}  // namespace prehend::model
