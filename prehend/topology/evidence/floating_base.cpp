#include <utility>

#include <prehend/topology/evidence/floating_base.h>

namespace prehend::topology {

void float_base(model::Scene& scene) {
  model::Body& base = scene.bodies[1];
  base.movable = true;
  model::Joint joint;
  joint.name = base.name + "_free";
  joint.type = model::JointType::free;
  joint.parent = scene.world();
  joint.child = model::BodyIndex(1);
  joint.X_PC = base.X_WB;
  scene.joints.push_back(std::move(joint));
}

}  // namespace prehend::topology
