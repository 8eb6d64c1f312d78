// The scene of a `place` call, mended or settled as asked, and the objects to place in it, in order.
#pragma once

#include <vector>

#include "place_arguments.h"
#include <prehend/model/scene.h>

namespace prehend::cli {

struct PlaceTask {
  model::Scene scene;
  std::vector<model::BodyIndex> objects;  // bodies of the scene
};

// Throws UsageError for an object that is neither a body of the scene nor a file, model::InputError for bad files.
PlaceTask read_task(PlaceArguments& state);

}  // namespace prehend::cli
