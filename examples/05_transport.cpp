// How fast may I drive, with these things on board?
#include <cstdio>

#include <prehend/model/scene_reader.h>
#include <prehend/stability/transport.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENE\n", argv[0]);
    return 2;
  }
  namespace stability = prehend::stability;
  const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);

  // The ground accelerates in eight horizontal directions.
  stability::TransportOptions options;
  options.directions = 8;
  const stability::TransportResult result = stability::transport(scene, options);
  for (const stability::TransportAnswer& answer : result.answers) {
    std::printf("along %.17g %.17g %.17g: %.17g m/s2, %s\n", answer.d_W.x(), answer.d_W.y(), answer.d_W.z(),
                answer.limit.robustness, to_string(answer.limit.mode));
  }
}
