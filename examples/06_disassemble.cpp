// What may I take first, and what after that?
#include <cstdio>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/disassemble.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENE\n", argv[0]);
    return 2;
  }
  namespace stability = prehend::stability;
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  // Before every step: how much upward pull, in weights of the body, moves something?
  const stability::DisassembleResult result = stability::disassemble(scene);
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    std::printf("step %zu:", i + 1);
    for (const stability::DisassembleCandidate& candidate : result.steps[i].candidates) {
      std::printf(" %s %.17g", scene.bodies[candidate.body].name.c_str(), candidate.score);
    }
    std::printf("\n");
  }
  std::printf("order");
  for (const prehend::model::BodyIndex body : result.order)
    std::printf(" %s", scene.bodies[body].name.c_str());
  std::printf("\n");
}
