// The nearest scene that neither overlaps nor floats.
#include <cstdio>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/mend.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENE\n", argv[0]);
    return 2;
  }
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  // Poses that a camera saw, off by a millimetre and half a degree per axis.
  prehend::stability::MendOptions options;
  options.noise = prehend::stability::PoseNoise{1e-3, 0.0087};
  const prehend::stability::MendResult result = prehend::stability::mend(scene, options);
  std::printf("%s\n", to_string(result.status));
  for (const prehend::stability::MendedBody& body : result.bodies) {
    std::printf("%s moved %.17g turned %.17g\n", scene.bodies[body.body].name.c_str(), body.moved,
                body.turned);
  }
  for (const auto& [a, b] : result.closed) {
    std::printf("closed %s %s\n", scene.bodies[a].name.c_str(), scene.bodies[b].name.c_str());
  }
}
