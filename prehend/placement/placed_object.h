// The object to place, from a file of its own: MJCF or URDF with exactly one free body, or a closed mesh.
#pragma once

#include <optional>
#include <string>

#include <prehend/model/scene.h>
#include <prehend/model/scene_options.h>

namespace prehend::placement {

struct ObjectFileOptions {
  std::optional<double> density;  // [kg/m^3] of a mesh; 1000 without density and mass
  std::optional<double> mass;     // [kg] of a mesh
  double unit{1.0};               // [m] of a mesh's coordinates
  model::SceneOptions scene;      // friction of what carries none, facets, limits

  void validate() const;
};

// Adds the file's body to the scene, under its own name (with a number, where that name is taken), and returns its index. Throws
// model::InputError for a file without or with several free bodies, and for a mesh that is open, flat, empty or inside out.
model::BodyIndex add_object(model::Scene& scene, const std::string& path, const ObjectFileOptions& options = {});

}  // namespace prehend::placement
