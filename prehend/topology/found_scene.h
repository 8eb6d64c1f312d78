// The object with the joints that were found, as a scene: for URDF, MJCF and the page.
//
// Links, inertias and shapes are the file's; joints are the estimate's, with the range of states that was seen as limits. A joint that is
// undetermined holds fixed as it stood at the start. A link without a shape gets the box of its inertia, which
// touches nothing. The base stands at its first pose, fixed or free as in the recording.
#pragma once

#include <vector>

#include <prehend/model/scene.h>
#include <prehend/topology/found_joint.h>
#include <prehend/topology/recording.h>

namespace prehend::topology {

// In the terms of model::Joint: states are those of `found.states`.
model::Joint model_joint(const FoundJoint& found, const math::Pose& X_PC_start);

// `scene` gives the shapes: bodies of the same names as the object's links.
model::Scene found_scene(const model::Scene& scene, const ArticulatedObject& object,
                         const Recording& recording, const std::vector<FoundJoint>& joints);

// [m] Sides of the uniform box with this mass and these principal moments, and where it stands in the link.
struct InertiaBox {
  Eigen::Vector3d size{Eigen::Vector3d::Zero()};
  math::Pose X_LB;
};
InertiaBox inertia_box(const math::SpatialInertia& inertia);

}  // namespace prehend::topology
