#include <stdexcept>
#include <string>

#include <prehend/articulation/displaced_joint.h>
#include <prehend/articulation/joints/joint_kind.h>
#include <prehend/articulation/joints/local_directions.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {

Joint displaced(const Joint& joint, int parameter, double step) {
  const JointKind& kind = joint_kind(joint.type);
  if (parameter < 0 || parameter >= kind.parameters())
    throw std::invalid_argument(std::string("a joint of type '") + to_string(joint.type) + "' has " +
                                std::to_string(kind.parameters()) + " parameters, asked for is " +
                                std::to_string(parameter));
  Joint out = joint;
  for (int direction = kWPx; direction <= kPitch; ++direction) {
    if (kind.parameter_of(direction) != parameter) continue;
    if (direction == kPitch) {
      out.pitch += step;
      continue;
    }
    math::Pose& X = direction < kWCx ? out.X_FJ : out.X_MJ;
    const int axis = direction % 3;
    const bool turns = direction % 6 < 3;
    const Eigen::Vector3d v = step * Eigen::Vector3d::Unit(axis);
    X = turns ? math::Pose((X.q() * math::exp_so3(v)).normalized(), X.p())
              : math::Pose(X.q(), X.p() + X.q() * v);
  }
  return out;
}

}  // namespace prehend::articulation
