#include <array>
#include <stdexcept>
#include <string>

#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

using model::JointType;

namespace {

constexpr std::array kAll{JointType::rigid,     JointType::prismatic,   JointType::revolute,
                          JointType::screw,     JointType::cylindrical, JointType::universal,
                          JointType::spherical, JointType::planar,      JointType::free};
constexpr std::array kTracks{JointType::rigid, JointType::prismatic, JointType::revolute, JointType::free};

void check_track_type(JointType type) {
  for (const JointType known : kTracks)
    if (known == type) return;
  throw std::invalid_argument(std::string("positions without orientations cannot tell a joint of type '") +
                              to_string(type) + "'; they know rigid, prismatic, revolute, free");
}

void check_state(const Joint& joint, const State& q) {
  if (q.size() != joint.freedoms())
    throw std::invalid_argument(std::string("a joint of type '") + to_string(joint.type) + "' has " +
                                std::to_string(joint.freedoms()) + " states, given are " +
                                std::to_string(q.size()));
}

bool has_axis(JointType type) {
  return type != JointType::rigid && type != JointType::spherical && type != JointType::free;
}
bool has_point(JointType type) {
  return type == JointType::revolute || type == JointType::screw || type == JointType::cylindrical ||
         type == JointType::universal || type == JointType::spherical;
}

}  // namespace

int Joint::freedoms() const { return joint_kind(type).freedoms(); }

math::Pose Joint::forward(const State& q) const {
  check_state(*this, q);
  const Motion E = joint_kind(type).motion(q, pitch);
  return X_FJ * math::Pose(E.R, E.p) * X_MJ.inverse();
}

State Joint::inverse(const math::Pose& X_FM) const {
  const math::Pose X_PC = X_FJ.inverse() * X_FM * X_MJ;
  return joint_kind(type).state({X_PC.R(), X_PC.p()}, pitch);
}

StateJacobian Joint::jacobian(const State& q) const {
  check_state(*this, q);
  return math::adjoint(X_MJ) * joint_kind(type).jacobian(q, pitch);
}

std::optional<Eigen::Vector3d> Joint::axis_F() const {
  if (!has_axis(type)) return std::nullopt;
  return X_FJ.q() * Eigen::Vector3d::UnitZ();
}

std::optional<Eigen::Vector3d> Joint::axis_M() const {
  if (!has_axis(type)) return std::nullopt;
  return X_MJ.q() * Eigen::Vector3d::UnitZ();
}

std::optional<Eigen::Vector3d> Joint::axis2_M() const {
  if (type != JointType::universal) return std::nullopt;
  return X_MJ.q() * Eigen::Vector3d::UnitY();
}

std::optional<Eigen::Vector3d> Joint::point_F() const {
  if (!has_point(type)) return std::nullopt;
  return X_FJ.p();
}

std::optional<Eigen::Vector3d> Joint::point_M() const {
  if (!has_point(type)) return std::nullopt;
  return X_MJ.p();
}

std::vector<StateName> state_names(JointType type) {
  switch (type) {
    case JointType::prismatic:
      return {{"shift", false}};
    case JointType::revolute:
    case JointType::screw:
      return {{"angle", true}};
    case JointType::cylindrical:
      return {{"angle", true}, {"shift", false}};
    case JointType::universal:
      return {{"first angle", true}, {"second angle", true}};
    case JointType::spherical:
      return {{"turn x", true}, {"turn y", true}, {"turn z", true}};
    case JointType::planar:
      return {{"shift x", false}, {"shift y", false}, {"angle", true}};
    case JointType::free:
      return {{"turn x", true},   {"turn y", true},   {"turn z", true},
              {"shift x", false}, {"shift y", false}, {"shift z", false}};
    default:
      return {};
  }
}

int freedoms(JointType type, bool has_orientation) {
  if (has_orientation) return joint_kind(type).freedoms();
  check_track_type(type);
  return type == JointType::rigid ? 0 : type == JointType::free ? 3 : 1;
}

int parameters(JointType type, bool has_orientation) {
  if (has_orientation) return joint_kind(type).parameters();
  check_track_type(type);
  return type == JointType::rigid       ? 3
         : type == JointType::prismatic ? 4
         : type == JointType::revolute  ? 6
                                        : 0;
}

int parameters_with_zero(JointType type, bool has_orientation) {
  if (has_orientation) return joint_kind(type).parameters_with_zero();
  return parameters(type, false) + freedoms(type, false);
}

std::span<const JointType> joint_types(bool has_orientation) {
  return has_orientation ? std::span<const JointType>(kAll) : std::span<const JointType>(kTracks);
}

bool contains(JointType outer, JointType inner) {
  if (outer == inner || inner == JointType::rigid || outer == JointType::free) return true;
  switch (outer) {
    case JointType::screw:
      return inner == JointType::revolute || inner == JointType::prismatic;  // endless pitch
    case JointType::cylindrical:
      return inner == JointType::prismatic || inner == JointType::revolute || inner == JointType::screw;
    case JointType::universal:
      return inner == JointType::revolute;
    case JointType::spherical:
      return inner == JointType::revolute || inner == JointType::universal;
    case JointType::planar:
      return inner == JointType::prismatic || inner == JointType::revolute;
    default:
      return false;
  }
}

}  // namespace prehend::articulation
