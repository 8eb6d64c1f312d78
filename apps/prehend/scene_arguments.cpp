#include "verb.h"

namespace prehend::cli {

void SceneArguments::declare(Arguments& arguments) {
  arguments.option("--friction", friction, "Friction coefficient where the file gives none");
  arguments.option("--density", density, "Density where the file gives no mass [kg/m3]");
  arguments.option("--fixed", fixed, "Bodies held fixed, whatever the file says");
  arguments.option("--movable", movable, "Bodies set free that the file leaves fixed (URDF roots)");
}

model::SceneOptions SceneArguments::options() const {
  model::SceneOptions options;
  options.friction = friction;
  options.density = density;
  options.fixed = fixed;
  options.movable = movable;
  options.validate();
  return options;
}

}  // namespace prehend::cli
