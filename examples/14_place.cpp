// Where can it go? Two places for a crate of a stack, taken out first.
#include <cstdio>

#include <prehend/math/angles.h>
#include <prehend/model/scene_reader.h>
#include <prehend/placement/placement.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SCENE OBJECT\n", argv[0]);
    return 2;
  }
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  prehend::placement::PlacementOptions options;
  options.count = 2;
  options.upright = 5.0 * prehend::math::kDegree;
  const prehend::placement::PlacementResult result =
      prehend::placement::place(scene, scene.find_body(argv[2]), options);
  std::printf("%s\n", to_string(result.status));
  for (const prehend::placement::Placement& placement : result.placements) {
    const Eigen::Vector3d& p = placement.X_WO.p();
    std::printf("%.17g %.17g %.17g holds %.17g N and %.17g g\n", p.x(), p.y(), p.z(), placement.min_sr,
                placement.margin_g);
  }
}
