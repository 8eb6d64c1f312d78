// The arm that comes with the library, and shorter plans than the default ones.
#pragma once

#include <string>

#include <prehend/inertia/excitation.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/joint_chain.h>
#include <prehend/model/scene_reader.h>

namespace prehend::inertia {

inline model::Scene sample_arm_scene() {
  return model::read_scene_text(std::string(model::embedded_file("robots/arm6.urdf")),
                                model::SceneFormat::urdf, "arm6.urdf");
}
inline model::JointChain sample_arm() { return model::joint_chain(sample_arm_scene()); }

inline ExcitationOptions short_plan() {
  ExcitationOptions options;
  options.duration = 4.0;
  options.starts = 3;
  options.threads = 2;
  return options;
}

// A chain of `count` hinges along z, one above the other: all motion is planar.
inline model::JointChain planar_arm(int count) {
  model::JointChain chain;
  for (int i = 0; i < count; ++i) {
    model::ChainJoint joint;
    joint.name = "j" + std::to_string(i);
    joint.X_PC = math::Pose::translation({0.3, 0.0, 0.0});
    joint.S << 0, 0, 1, 0, 0, 0;
    joint.lower = -2.0;
    joint.upper = 2.0;
    joint.speed_limit = 2.0;
    chain.joints.push_back(joint);
  }
  chain.link_name = "end";
  return chain;
}

}  // namespace prehend::inertia
