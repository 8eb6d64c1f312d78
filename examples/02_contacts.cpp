// Where do the bodies of a scene touch?
#include <cstdio>

#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENE\n", argv[0]);
    return 2;
  }
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  // Surfaces within 0.1 mm of each other touch; the normal points from a to b.
  prehend::geometry::ContactOptions options;
  options.gap_tolerance = 1e-4;
  const prehend::model::SceneContacts contacts = prehend::model::find_scene_contacts(scene, options);
  for (const prehend::model::SceneInterface& interface : contacts.interfaces) {
    const auto& patch = interface.patch;
    std::printf("%s - %s: area_m2 %.17g normal %.17g %.17g %.17g friction %.17g points %zu\n",
                scene.bodies[interface.body_a].name.c_str(), scene.bodies[interface.body_b].name.c_str(),
                patch.area_m2, patch.n_W.x(), patch.n_W.y(), patch.n_W.z(), interface.friction,
                patch.points_W.size());
  }
  for (const std::string& problem : contacts.problems) std::printf("problem %s\n", problem.c_str());
}
