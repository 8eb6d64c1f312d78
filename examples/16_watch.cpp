// What did the person assemble? Contact states, sub-skills and critical transitions from the tracked poses of two parts.
#include <cstdio>

#include <prehend/geometry/polyhedron.h>
#include <prehend/model/mesh_file.h>
#include <prehend/observation/watch.h>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s PEG GROOVE POSES\n", argv[0]);
    return 2;
  }
  namespace observation = prehend::observation;
  const auto body = [](const char* path) {
    return prehend::geometry::Polyhedron::from_mesh(prehend::model::read_mesh(path));
  };
  const observation::BodyPair pair(body(argv[1]), body(argv[2]));
  const observation::Recording recording =
      observation::recording_of(prehend::model::read_pose_log(argv[3]), argv[3], "peg", "groove");
  const observation::Watched watched = observation::watch(pair, recording);
  std::printf("status %s\n", to_string(watched.status));
  for (const observation::WatchedState& state : watched.states)
    std::printf("%.17g to %.17g s: keeps %d freedoms, %zu contacts%s\n", state.t0_s, state.t1_s,
                state.freedom.all.maintaining, state.contacts.size(), state.inferred ? ", inferred" : "");
  // A robot's errors would prevent these: it must feel its way there.
  for (const int transition : watched.critical) std::printf("critical: transition %d\n", transition);
}
