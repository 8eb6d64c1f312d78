// Which parts does it have, and which joints connect them?
#include <cstdio>

#include <prehend/articulation/discovered_files.h>
#include <prehend/articulation/discovery.h>
#include <prehend/model/pose_log.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s POSES\n", argv[0]);
    return 2;
  }
  namespace articulation = prehend::articulation;
  const articulation::Discovery object =
      articulation::discover(prehend::model::read_pose_log(argv[1]), argv[1]);
  std::printf("status %s\n", to_string(object.status));
  std::printf("%zu parts in %zu groups, %d degrees of freedom\n", object.parts.size(), object.groups.size(),
              object.degrees_of_freedom);
  for (const articulation::DiscoveredJoint& joint : object.joints) {
    std::printf("%s between %s and %s, %.17g nats ahead of the next type\n", to_string(joint.joint.type),
                object.name(joint.parent).c_str(), object.name(joint.child).c_str(), joint.margin);
    std::printf("  remaining %.17g m\n", joint.rms_position);
  }

  // The object as a file that simulators load.
  std::printf("MJCF of %zu bytes\n", articulation::discovered_mjcf(object).size());
}
