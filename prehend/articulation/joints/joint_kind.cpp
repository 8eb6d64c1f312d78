#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

const JointKind& joint_kind(model::JointType type) {
  switch (type) {
    case model::JointType::rigid:
      return rigid_kind();
    case model::JointType::prismatic:
      return prismatic_kind();
    case model::JointType::revolute:
      return revolute_kind();
    case model::JointType::screw:
      return screw_kind();
    case model::JointType::cylindrical:
      return cylindrical_kind();
    case model::JointType::universal:
      return universal_kind();
    case model::JointType::spherical:
      return spherical_kind();
    case model::JointType::planar:
      return planar_kind();
    case model::JointType::free:
      return free_kind();
  }
  throw std::invalid_argument("unknown type of joint");
}

}  // namespace prehend::articulation
