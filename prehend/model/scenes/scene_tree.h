// The tree of bodies that both writers walk, and the names they need.
#pragma once

#include <string>
#include <vector>

#include <prehend/model/scene.h>

namespace prehend::model {

// Who hangs on whom. A body without a joint stands on the world.
struct SceneTree {
  struct Edge {
    BodyIndex child;
    std::vector<std::size_t> joints;  // into scene.joints; several act in series, none: fixed
  };
  std::vector<std::vector<Edge>> children;           // by parent body
  std::vector<std::vector<std::string>> geom_names;  // by body; every geom has a unique one
};

// Throws std::invalid_argument: an index out of range, names used twice, a loop.
SceneTree scene_tree(const Scene& scene);

// The scene with a free joint for every movable body that has none (named after the body), and those of bodies that were moved where
// they stand.
Scene with_free_joints(Scene scene);

// "STEM_GEOM.obj" with characters that file names do not like replaced; unique within `used`.
std::string mesh_file_name(const std::string& stem, const std::string& geom_name,
                           std::vector<std::string>& used);

}  // namespace prehend::model
