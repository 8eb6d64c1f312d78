// The joints of an MJCF model in our words: several engine joints on one body may be one joint of ours.
//
// A hinge and a slide along one line, coupled by an <equality><joint> that is linear, are a screw: its name
// and state are the hinge's. Our writer splits what the engine has no name for, and these come back by name:
// `n` and `n__slide` are the cylindrical joint n, `n` and `n__second` (two hinges) the universal joint n,
// `n`, `n__second`, `n__turn` (two slides and a hinge) the planar joint n. All other joints in series on one
// body are listed one by one, with that body as child.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <prehend/model/joint.h>

namespace prehend::model {

struct MjcfJoint {
  enum class Kind { free, ball, slide, hinge };
  std::string name;
  Kind kind{Kind::hinge};
  BodyIndex body;
  Eigen::Vector3d anchor{Eigen::Vector3d::Zero()};  // [m] in the body's frame
  Eigen::Vector3d axis{Eigen::Vector3d::UnitZ()};   // unit, in the body's frame
  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  double reference{0.0};
  double motor{0.0}, friction{0.0}, spring{0.0}, stiffness{0.0};  // as in Joint
};

// joint1 - ref1 = polycoef(joint2 - ref2), indices into the joint list; joint2 is -1 when joint1 is held
// constant.
struct MjcfCoupling {
  int joint1{-1}, joint2{-1};
  std::array<double, 5> polycoef{};
};

struct MjcfBodyLink {
  BodyIndex parent;
  math::Pose X_PC;
  std::string weld_name;  // of the rigid joint when the body has no other; empty: none
};

// `links` by body. Joints come in the order of their bodies. What could not be expressed goes to `problems`.
std::vector<Joint> fold_mjcf_joints(const std::vector<MjcfJoint>& joints,
                                    const std::vector<MjcfCoupling>& couplings,
                                    const std::vector<MjcfBodyLink>& links,
                                    std::vector<std::string>& problems);

}  // namespace prehend::model
