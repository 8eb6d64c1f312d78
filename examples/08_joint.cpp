// How does this part move? One joint from the track of a point or a part.
#include <cstdio>
#include <vector>

#include <prehend/articulation/selection.h>
#include <prehend/model/pose_log.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s POSES\n", argv[0]);
    return 2;
  }
  namespace articulation = prehend::articulation;
  const prehend::model::PoseLog log = prehend::model::read_pose_log(argv[1]);

  // Positions alone: what a camera sees of a handle.
  std::vector<Eigen::Vector3d> positions;
  for (const auto& row : log.rows) positions.push_back(row.p_WP);
  const articulation::Selection found = articulation::select_joint(articulation::observations_of(positions));
  std::printf("status %s\n", to_string(found.status));

  // Every type that could be fitted, best first: how much worse it explains the track.
  for (const articulation::Candidate& candidate : found.candidates)
    std::printf("%s %.17g nats\n", to_string(candidate.type), candidate.score - found.best().score);
  const Eigen::Vector3d axis = found.best().fit.joint.axis_F().value_or(Eigen::Vector3d::Zero());
  std::printf("axis %.17g %.17g %.17g\n", axis.x(), axis.y(), axis.z());
}
