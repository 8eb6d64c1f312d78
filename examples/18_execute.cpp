// Can a robot do again what was demonstrated? The sub-skills in the physics engine, with force feedback and a groove that is not where the robot takes it to be.
#include <cstdio>

#include <prehend/geometry/polyhedron.h>
#include <prehend/model/mesh_file.h>
#include <prehend/observation/execution.h>

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
  const observation::Watched watched = observation::watch(
      pair, observation::recording_of(prehend::model::read_pose_log(argv[3]), argv[3], "peg", "groove"));
  observation::TrialOptions trials;
  trials.count = 3;
  trials.fixed = {0.002, 0.02};  // up to 2 mm and 0.02 rad off
  const observation::ExecutionTrials done = observation::execute_trials(pair, watched, {}, trials);
  std::printf("status %s, %d of %zu arrived\n", to_string(done.status), done.arrived, done.trials.size());
  for (const observation::ExecutedStep& step : done.first.steps) std::printf("%s\n", to_string(step.end));
}
