// A scene whose base floats: body 1 may move, and has a free joint to the world, the last of all joints.
#pragma once

#include <prehend/model/scene.h>

namespace prehend::topology {

// The base stays where it stands.
void float_base(model::Scene& scene);

}  // namespace prehend::topology
