// Let a scene come to rest in simulation: does everything stay where it was put?
#include <cstdio>

#include <prehend/model/scene_reader.h>
#include <prehend/simulate/settle.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENE\n", argv[0]);
    return 2;
  }
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  // At most two seconds of simulated time; the status says how it ended.
  prehend::simulate::SettleOptions options;
  options.max_time = 2.0;
  const prehend::simulate::SettleResult result = prehend::simulate::settle(scene, options);
  std::printf("status %s\n", to_string(result.status));
  std::printf("time_s %.17g\n", result.time);

  // How far each movable body moved, and where it stands now.
  for (const prehend::simulate::BodyMotion& motion : result.motions) {
    const prehend::model::Body& body = result.scene.bodies[motion.body];
    const Eigen::Vector3d& p = body.X_WB.p();
    std::printf("%s moved_m %.17g turned_rad %.17g p_W_m %.17g %.17g %.17g\n", body.name.c_str(),
                motion.distance, motion.angle, p.x(), p.y(), p.z());
  }
}
