// How hard may I push, before something moves?
#include <algorithm>
#include <cstdio>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/surface_pushes.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENE\n", argv[0]);
    return 2;
  }
  namespace stability = prehend::stability;
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  // A hundred points on the surfaces of what may move, pushed inward; answers are proven from both sides.
  stability::SurfacePushOptions surface;
  surface.points = 100;
  const auto pushes = stability::surface_pushes(scene, prehend::model::find_scene_contacts(scene), surface);
  const stability::RobustnessResult result = stability::robustness(scene, pushes);
  std::printf("status %s\n", to_string(result.status));
  if (result.answers.empty()) return 3;

  std::size_t unbounded = 0, weakest = 0;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    unbounded += result.answers[i].unbounded;
    if (result.answers[i].robustness < result.answers[weakest].robustness) weakest = i;
  }
  const stability::PushAnswer& answer = result.answers[weakest];
  const stability::Push& push = result.pushes[weakest];
  std::printf("unbounded %zu of %zu\n", unbounded, result.answers.size());
  std::printf("weakest on %s at %.17g %.17g %.17g\n", scene.bodies[push.body].name.c_str(), push.p_W.x(),
              push.p_W.y(), push.p_W.z());
  std::printf("robustness_N %.17g proven between %.17g and %.17g\n", answer.robustness, answer.lower,
              answer.upper);
  std::printf("mode %s moving", to_string(answer.mode));
  for (const prehend::model::BodyIndex body : answer.moving)
    std::printf(" %s", scene.bodies[body].name.c_str());
  std::printf("\n");
}
