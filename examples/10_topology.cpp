// Which joints has the thing in my hands? From link poses, inertias and the wrenches of both hands.
#include <cstdio>

#include <prehend/model/topology_log.h>
#include <prehend/topology/object_reader.h>
#include <prehend/topology/topology.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s OBJECT LOG\n", argv[0]);
    return 2;
  }
  namespace topology = prehend::topology;
  const topology::ArticulatedObject object = topology::read_object(argv[1]);
  const topology::Recording recording =
      topology::recording_of(prehend::model::read_topology_log(argv[2]), object, argv[2]);
  const topology::TopologyResult answer = topology::estimate_topology(object, recording);
  std::printf("status %s\n", to_string(answer.status));
  for (const topology::FoundJoint& joint : answer.joints) {
    // A joint that was not moved or loaded enough stays undetermined.
    const bool known = joint.status == topology::TopologyStatus::ok;
    std::printf("%s: %s\n", joint.name.c_str(),
                known ? topology::hypothesis_name(joint.type) : "undetermined");
    // What the poses alone say, and what the wrenches add.
    for (const topology::JointHypothesis& hypothesis : joint.hypotheses)
      std::printf("  %s %.17g by the poses, %.17g by everything\n",
                  topology::hypothesis_name(hypothesis.type), hypothesis.kinematic_posterior,
                  hypothesis.posterior);
  }
}
